// Modal dialogs.
import { button, h, icon, newId } from "./dom.js";
import { t } from "./cloud.js";

const FOCUSABLE = "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled])";

/**
 * Open a dialog. `submit.onclick()` may be slow: the button is busy meanwhile; it answers whether the
 * dialog may close, or throws a `Refusal`, which `onRefusal` shows.
 */
export function openDialog({ title, content, submit, onRefusal, wide = false }) {
  const heading = newId("title");
  const before = document.activeElement;
  const problem = h("div", { class: "slot" });
  const cancel = button(t("cancel"), close);
  const primary = button(submit.label, run, { class: `button primary ${submit.tone ?? ""}`, type: "submit" });
  const form = h(
    "form",
    { class: `dialog ${wide ? "wide" : ""}`, role: "dialog", "aria-modal": "true", "aria-labelledby": heading, novalidate: true, onsubmit: run, onkeydown: keys },
    h("header", {}, h("h2", { id: heading }, title), h("button", { type: "button", class: "plain", "aria-label": t("close"), onclick: close }, icon("close"))),
    h("div", { class: "body" }, problem, content),
    h("footer", {}, cancel, primary),
  );
  const backdrop = h("div", { class: "backdrop" }, form);
  document.getElementById("app").setAttribute("inert", "");
  document.body.append(backdrop);
  (form.querySelector(".body input:not([type=radio]), .body select, .body textarea") ?? primary).focus();

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
    backdrop.remove();
    document.getElementById("app").removeAttribute("inert");
    if (before?.isConnected) before.focus();
  }
  function keys(event) {
    if (event.key === "Escape") close();
    if (event.key !== "Tab") return;
    const all = [...form.querySelectorAll(FOCUSABLE)];
    const [first, last] = [all[0], all.at(-1)];
    const edge = event.shiftKey ? first : last;
    if (document.activeElement === edge) { event.preventDefault(); (event.shiftKey ? last : first).focus(); }
  }
  return { close, primary };
}

/** An error in the flow of a page or dialog. */
export const alertBox = (text) => h("div", { class: "alert", role: "alert" }, icon("warning"), h("span", {}, text));

/** A remark in the flow of a page or dialog. */
export const remark = (text, tone = "info") =>
  h("div", { class: `remark ${tone}` }, icon(tone === "warning" ? "warning" : "info"), h("p", {}, text));
