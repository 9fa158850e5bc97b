// Dialogs: in the middle of the window or, as drawers, at its right edge. One may stand over another.
import { button, h, icon, newId } from "./dom.js";
import { t } from "./cloud.js";

const FOCUSABLE = "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex='0'], [contenteditable='true'], practice-stepper";
const FIRST = ".body :is(input:not([type=radio], [type=file]), select, textarea, [contenteditable='true'], button[role=combobox], practice-stepper)";

const open = [];

/** What lies under the topmost dialog cannot be reached. */
function settleLayers() {
  const layers = [document.getElementById("app"), ...open.map(({ backdrop }) => backdrop)].filter(Boolean);
  layers.forEach((layer, number) => layer.toggleAttribute("inert", number < layers.length - 1));
}

/**
 * Open a dialog. `submit.onclick()` may be slow: the button is busy meanwhile; it answers whether the
 * dialog may close, or throws a `Refusal`, which `onRefusal` shows.
 *
 * `layout` is `modal` or `drawer`. With `cancel: false` it has no Cancel button; `onclose` is told when it has gone.
 */
export function openDialog({ title, content, submit, onRefusal, onclose, layout = "modal", isWide = false, cancel = true }) {
  const heading = newId("title");
  const before = document.activeElement;
  const problem = h("div", { class: "slot" });
  const primary = button(submit.label, null, { class: `button primary ${submit.tone ?? ""}`, type: "submit" });
  const shape = layout === "drawer" ? "drawer" : `dialog ${isWide ? "wide" : ""}`;
  const form = h(
    "form",
    { class: shape.trim(), role: "dialog", "aria-modal": "true", "aria-labelledby": heading, tabindex: "-1", novalidate: true, onsubmit: run, onkeydown: keys },
    h("header", {}, h("h2", { id: heading }, title), h("button", { type: "button", class: "plain", "aria-label": t("close"), onclick: close }, icon("close"))),
    h("div", { class: "body" }, problem, content),
    h("footer", {}, cancel && button(t("cancel"), close), primary),
  );
  const backdrop = h("div", { class: `backdrop ${layout === "drawer" ? "beside" : ""}`.trim() }, form);
  const mine = { backdrop };
  document.body.append(backdrop);
  open.push(mine);
  settleLayers();
  ([...form.querySelectorAll(FIRST)].find(isSeen) ?? primary).focus();

  async function run(event) {
    event.preventDefault();
    if (primary.disabled || primary.getAttribute("aria-busy")) return;
    primary.setAttribute("aria-busy", "true");
    problem.replaceChildren();
    try {
      if (await submit.onclick()) close();
    } catch (refusal) {
      if (!refusal.fields) throw refusal;
      if (!onRefusal?.(refusal)) problem.replaceChildren(alertBox(refusal.message));
    } finally {
      primary.removeAttribute("aria-busy");
    }
  }
  function close() {
    if (!open.includes(mine)) return;
    open.splice(open.indexOf(mine), 1);
    backdrop.remove();
    settleLayers();
    if (before?.isConnected) before.focus();
    onclose?.();
  }
  function keys(event) {
    if (event.key === "Escape") close();
    if (event.key !== "Tab") return;
    const all = [...form.querySelectorAll(FOCUSABLE)].filter(isSeen);
    const [first, last] = [all[0], all.at(-1)];
    const edge = event.shiftKey ? first : last;
    if (document.activeElement === edge) { event.preventDefault(); (event.shiftKey ? last : first).focus(); }
  }
  return { close, primary, form };
}

const isSeen = (element) => element.checkVisibility();

/** An error in the flow of a page or dialog. */
export const alertBox = (text) => h("div", { class: "alert", role: "alert" }, icon("warning"), h("span", {}, text));

/** A remark in the flow of a page or dialog. */
export const remark = (text, tone = "info") =>
  h("div", { class: `remark ${tone}` }, icon(tone === "warning" ? "warning" : "info"), h("p", {}, text));
