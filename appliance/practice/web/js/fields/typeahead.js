// One of several: an input that filters a list box while one types.
import { h, newId } from "../dom.js";
import { t } from "../cloud.js";

/** An input with suggestions; only what is in the list can be chosen. */
export function typeahead(spec, start, parts) {
  let options = [], shown = [], chosen = "", at = -1;
  const list = h("ul", { role: "listbox", id: `${parts.id}-list`, "aria-labelledby": parts.label, hidden: true });
  const target = h("input", {
    type: "text", id: parts.id, role: "combobox", autocomplete: "off", spellcheck: "false", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": list.id, "aria-required": spec.required ? "true" : null, placeholder: spec.placeholder ?? t("type_to_search"),
    oninput: () => { chosen = match()?.value ?? ""; open(target.value); }, onclick: () => open(""), onkeydown: keys, onblur: leave,
  });
  const element = h("div", { class: "combo" }, target, list);
  const match = () => options.find(({ label }) => label.toLowerCase() === target.value.trim().toLowerCase());

  function fillWith(given, value) {
    options = given;
    const option = options.find((one) => one.value === value);
    chosen = option?.value ?? "";
    target.value = option?.label ?? "";
  }
  function open(word) {
    const wanted = word.trim().toLowerCase();
    shown = options.filter(({ label }) => label.toLowerCase().includes(wanted));
    at = -1;
    list.replaceChildren(...(shown.length ? shown.map(entry) : [h("li", { class: "none", "aria-disabled": "true" }, t(options.length ? "no_match" : "no_options"))]));
    list.hidden = false;
    target.setAttribute("aria-expanded", "true");
    mark();
    list.scrollIntoView({ block: "nearest" });
  }
  function close() {
    list.hidden = true;
    target.setAttribute("aria-expanded", "false");
    target.removeAttribute("aria-activedescendant");
  }
  // Pressing must not take the focus from the input, or the list is gone before the click.
  const entry = ({ value, label, description }) =>
    h("li", { role: "option", id: newId("option"), "aria-description": description, "aria-selected": String(value === chosen), onmousedown: (event) => event.preventDefault(), onclick: () => choose(value) }, label);
  function mark() {
    [...list.children].forEach((line, number) => line.classList.toggle("active", number === at));
    if (at < 0) target.removeAttribute("aria-activedescendant");
    else {
      target.setAttribute("aria-activedescendant", list.children[at].id);
      list.children[at].scrollIntoView({ block: "nearest" });
    }
  }
  function choose(value) {
    fillWith(options, value);
    close();
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  function leave() {
    close();
    const option = match();
    if (option) target.value = option.label;
  }
  function keys(event) {
    if (event.key === "Escape" && !list.hidden) { close(); event.stopPropagation(); }
    if (event.key === "Enter" && !list.hidden && at >= 0) { event.preventDefault(); choose(shown[at].value); }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    if (list.hidden) open("");
    if (shown.length) { at = (at + step + shown.length) % shown.length; mark(); }
  }
  return {
    element, target, fillWith,
    value: () => chosen,
    said: () => (chosen ? target.value : ""),
    problem: () => (target.value.trim() && !chosen ? t("error_option", { label: spec.label, value: target.value.trim() }) : ""),
    setDisabled: (is) => { target.disabled = is; },
  };
}
