// A small icon that explains, for the pointer and for the keyboard.
import { h, icon, newId } from "./dom.js";
import { t } from "./cloud.js";

/** The icon; `text` is shown while it is pointed at or has the focus. */
export function helpIcon(label, text) {
  const tip = h("div", { role: "tooltip", class: "tooltip", id: newId("tip") }, text);
  const element = h("span", {
    class: "help", tabindex: "0", role: "img", "aria-label": t("help_for", { label }),
    onmouseenter: show, onfocus: show, onmouseleave: hide, onblur: hide, onkeydown: keys,
  }, icon("help"));
  function show() {
    document.body.append(tip);
    element.setAttribute("aria-describedby", tip.id);
    const box = element.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - 8));
    const isAbove = box.top > tip.offsetHeight + 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${isAbove ? box.top - tip.offsetHeight - 6 : box.bottom + 6}px`;
  }
  function hide() {
    tip.remove();
    element.removeAttribute("aria-describedby");
  }
  function keys(event) {
    if (event.key !== "Escape" || !tip.isConnected) return;
    hide();
    event.stopPropagation();
  }
  // A page or dialog that goes takes its tooltip along.
  const watch = new MutationObserver(() => { if (!element.isConnected) { tip.remove(); watch.disconnect(); } });
  element.addEventListener("mouseenter", () => watch.observe(document.body, { childList: true, subtree: true }), { once: true });
  return element;
}
