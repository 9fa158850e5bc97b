// Toasts: what was done, and what went wrong.
import { h, icon } from "./dom.js";
import { t } from "./cloud.js";

const SHOWN_MS = 10_000;
let list = null;

/** Show a notice. Errors stay until they are closed. */
export function notify(text, tone = "success") {
  list ??= document.body.appendChild(h("div", { class: "toasts" }));
  const toast = h(
    "div",
    { class: `toast ${tone}`, role: tone === "error" ? "alert" : "status" },
    icon(tone === "error" ? "warning" : "check"),
    h("span", { class: "text" }, text),
    h("button", { type: "button", class: "plain", "aria-label": t("close"), onclick: () => toast.remove() }, icon("close")),
  );
  list.append(toast);
  if (tone !== "error") setTimeout(() => toast.remove(), SHOWN_MS);
}
