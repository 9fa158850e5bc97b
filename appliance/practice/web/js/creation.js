// What creating an item comes to, whatever form it was entered in.
import { h } from "./dom.js";
import { call, labelOf, nameOf, t } from "./cloud.js";
import { copyButton } from "./copy.js";
import { openDialog, remark } from "./dialog.js";
import { notify } from "./notices.js";

/** A sentence about an item. */
export const about = (text, item) => text.replaceAll("{name}", nameOf(item));

/** Create the item that a form describes. */
export async function send(resource, action, fields) {
  const item = await call("POST", resource.path, fields.values());
  notify(about(action.success, item));
  return item;
}

/** Show what is revealed this once, if anything is; go on when it was closed. */
export function reveal(resource, item, goOn) {
  const revealed = Object.entries(item.revealed ?? {});
  if (!revealed.length) return goOn();
  return openDialog({
    title: t("reveal_title"),
    content: [
      remark(t("reveal_notice"), "warning"),
      h("dl", { class: "revealed" }, revealed.map(([name, value]) => {
        const label = labelOf(resource, name);
        return h("div", {}, h("dt", {}, label), h("dd", {}, h("code", {}, value), copyButton(label, value)));
      })),
    ],
    cancel: false,
    submit: { label: t("reveal_done"), onclick: () => true },
    onclose: goOn,
  });
}
