// Drop-down menus: a button, and a menu that floats over the page.
import { h, icon, newId } from "./dom.js";

let open = null;

/** Close whatever menu is open. */
export function closeMenu() {
  if (!open) return;
  open.menu.remove();
  open.trigger.setAttribute("aria-expanded", "false");
  open = null;
}

/** A button that opens a menu. `entries()` gives `{label, onclick, disabled, checked}`; the menu outlives a new drawing of the page. */
export function menuButton(label, entries, attributes = {}, ...before) {
  const trigger = h(
    "button",
    { type: "button", class: "button", "aria-haspopup": "menu", "aria-expanded": "false", onclick: toggle, ...attributes },
    ...before, label, icon("down"),
  );
  function toggle(event) {
    event.stopPropagation();
    const again = open?.trigger === trigger;
    closeMenu();
    if (!again) show(trigger, entries());
  }
  return trigger;
}

function show(trigger, entries) {
  const menu = h("div", { role: "menu", class: "menu", id: newId("menu"), "aria-label": trigger.getAttribute("aria-label") ?? trigger.textContent }, entries.map(entry));
  document.body.append(menu);
  const box = trigger.getBoundingClientRect();
  const above = box.bottom + menu.offsetHeight + 8 > innerHeight && box.top > menu.offsetHeight;
  menu.style.top = `${above ? box.top - menu.offsetHeight - 4 : box.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 12))}px`;
  trigger.setAttribute("aria-expanded", "true");
  open = { trigger, menu };
  menu.querySelector("[role^=menuitem]:not([aria-disabled])")?.focus({ preventScroll: true });
}

function entry({ label, onclick, disabled, checked, tone }) {
  const role = checked === undefined ? "menuitem" : "menuitemradio";
  return h(
    "button",
    { type: "button", role, tabindex: "-1", class: tone ?? "", "aria-disabled": disabled ? "true" : null, "aria-checked": checked === undefined ? null : String(checked), onclick: () => { if (disabled) return; closeMenu(); onclick(); } },
    label,
    checked && icon("check"),
  );
}

document.addEventListener("click", (event) => {
  if (open && !open.menu.contains(event.target)) closeMenu();
});
document.addEventListener("keydown", (event) => {
  if (!open) return;
  const items = [...open.menu.querySelectorAll("[role^=menuitem]")];
  const at = items.indexOf(document.activeElement);
  if (event.key === "Escape") { const { trigger } = open; closeMenu(); trigger.focus(); event.stopPropagation(); }
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    items[(at + (event.key === "ArrowDown" ? 1 : items.length - 1)) % items.length]?.focus();
  }
});
