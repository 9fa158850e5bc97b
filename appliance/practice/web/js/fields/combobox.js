// One of several: a button that opens a list box.
import { h, icon, newId } from "../dom.js";
import { t } from "../cloud.js";

/** A drop-down list as component libraries build it. */
export function combobox(spec, start, parts) {
  let options = [], entries = [], chosen = start;
  const list = h("ul", { role: "listbox", id: `${parts.id}-list`, "aria-labelledby": parts.label, hidden: true });
  const shown = h("span", { class: "shown" });
  const target = h("button", {
    type: "button", id: parts.id, role: "combobox", class: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": list.id,
    "aria-labelledby": parts.label, "aria-required": spec.required ? "true" : null, onclick: () => toggle(list.hidden), onkeydown: keys,
  }, shown, icon("down"));
  const element = h("div", { class: "combo", onfocusout: (event) => { if (!element.contains(event.relatedTarget)) toggle(false); } }, target, list);
  const at = () => options.findIndex((option) => option.value === chosen);

  function fillWith(given, value) {
    options = given;
    chosen = options.some((option) => option.value === value) ? value : "";
    entries = options.map((option) =>
      h("li", { role: "option", id: newId("option"), tabindex: "-1", "aria-description": option.description, onclick: () => choose(option.value) }, option.label));
    list.replaceChildren(...entries);
    draw();
  }
  function toggle(isOpen) {
    list.hidden = !isOpen;
    target.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) list.scrollIntoView({ block: "nearest" });
  }
  function draw() {
    shown.replaceChildren(at() < 0 ? spec.placeholder ?? t("choose") : options[at()].label);
    shown.classList.toggle("blank", at() < 0);
    entries.forEach((entry, number) => entry.setAttribute("aria-selected", String(number === at())));
  }
  function choose(value) {
    chosen = value;
    draw();
    toggle(false);
    target.focus();
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  function keys(event) {
    if (event.key === "Escape" && !list.hidden) { toggle(false); event.stopPropagation(); }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !options.length) return;
    event.preventDefault();
    choose(options[Math.max(0, Math.min(options.length - 1, at() + step))].value);
  }
  draw();
  return {
    element, target, fillWith,
    value: () => chosen,
    said: () => options[at()]?.label ?? "",
    setDisabled: (is) => { target.disabled = is; },
  };
}
