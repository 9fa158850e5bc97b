// Buttons that put a value on the clipboard.
import { h, icon } from "./dom.js";
import { t } from "./cloud.js";

const SHOWN_MS = 2_000;

/** A button that copies a text; `label` says what the text is. */
export function copyButton(label, text) {
  const element = h("button", { type: "button", class: "plain copy", "aria-label": t("copy", { label }), title: t("copy", { label }), onclick: run }, icon("copy"));
  const said = h("span", { class: "copied", role: "status" });
  async function run() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyBySelection(text); // where the clipboard is refused: other origins, old browsers
    }
    element.replaceChildren(icon("check"));
    said.replaceChildren(t("copied"));
    setTimeout(() => { element.replaceChildren(icon("copy")); said.replaceChildren(); }, SHOWN_MS);
  }
  return h("span", { class: "copy-box" }, element, said);
}

function copyBySelection(text) {
  const area = h("textarea", { class: "unseen", "aria-hidden": "true", value: text });
  const before = document.activeElement;
  (before?.closest("[role=dialog]") ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  before?.focus();
}
