// Form fields by kind. Each gives {element, value(), set(value), show(error)}.
import { button, h, icon, newId } from "./dom.js";
import { call, resourceOf, t } from "./cloud.js";

/** A field of a resource's form. `ask(name)` gives another field of the form. */
export function makeField(name, spec, initial, ask) {
  const id = newId(name);
  const parts = { id, label: `${id}-label`, error: h("div", { class: "error", id: `${id}-error` }), hint: spec.hint && h("div", { class: "hint", id: `${id}-hint` }, spec.hint) };
  const start = initial ?? spec.default ?? { boolean: false, tags: {} }[spec.kind] ?? "";
  const control = (MAKERS[spec.widget] ?? MAKERS[spec.kind] ?? textInput)(spec, start, parts, { ask, name });
  const box = control.isOwnBox ? control.element : labelled(spec, parts, control.element);
  box.dataset.field = name;
  const target = control.target ?? control.element;
  const describe = () => target.setAttribute("aria-describedby", [parts.hint && `${id}-hint`, parts.error.firstChild && `${id}-error`].filter(Boolean).join(" "));
  describe();
  box.addEventListener("input", () => field.show(""));
  box.addEventListener("change", () => field.show(""));
  const field = {
    name, spec, element: box, value: control.value, load: control.load,
    onchange: (tell) => box.addEventListener("change", tell),
    show(text) {
      parts.error.replaceChildren(...(text ? [h("span", { role: "alert" }, text)] : []));
      box.classList.toggle("invalid", Boolean(text));
      if (text) target.setAttribute("aria-invalid", "true"); else target.removeAttribute("aria-invalid");
      describe();
    },
    focus: () => target.focus(),
  };
  return field;
}

/** What is wrong with a value before it is sent; empty when nothing is. */
export function problemOf({ spec, value }) {
  const given = value();
  const said = { label: spec.label };
  const isEmpty = given === "" || given === false || (spec.kind === "tags" && !Object.keys(given).length);
  if (isEmpty) return !spec.required ? "" : t(["choice", "reference"].includes(spec.kind) ? "error_choose" : "error_required", said);
  if (spec.kind === "text" || spec.kind === "multiline") {
    if (given.length < spec.min_length || given.length > spec.max_length) return t("error_length", { ...said, min: spec.min_length, max: spec.max_length });
    if (spec.pattern && !new RegExp(`^(?:${spec.pattern})$`).test(given)) return spec.pattern_message ?? t("error_pattern", said);
  }
  if (spec.kind === "cidr" && !/^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/.test(given)) return t("error_cidr", said);
  return "";
}

function labelled(spec, parts, ...controls) {
  return h("div", { class: "field" },
    h("label", { for: parts.id, id: parts.label }, spec.label, ...mark(spec)),
    ...controls, parts.hint, parts.error);
}

const mark = (spec) => (spec.required ? [h("span", { class: "required", "aria-hidden": "true" }, "*")] : []);

function textInput(spec, start, { id }) {
  const tag = spec.kind === "multiline" ? "textarea" : "input";
  const kind = tag === "input" ? { type: "text" } : { rows: "3" };
  const element = h(tag, { id, ...kind, value: start, placeholder: spec.placeholder, autocomplete: "off", spellcheck: "false", "aria-required": spec.required ? "true" : null });
  return { element, value: () => element.value.trim() };
}

function nativeSelect(spec, start, { id }) {
  const element = h("select", { id, "aria-required": spec.required ? "true" : null });
  const fillWith = (options, chosen) => {
    const blank = !chosen || spec.kind === "reference" ? [{ value: "", label: spec.placeholder ?? t("choose") }] : [];
    element.replaceChildren(...[...blank, ...options].map(({ value, label }) => h("option", { value }, label)));
    element.value = chosen;
    if (element.selectedIndex < 0) element.selectedIndex = 0;
  };
  fillWith(spec.options, start);
  return { element, value: () => element.value, fillWith };
}

function reference(spec, start, parts, { ask, name }) {
  const select = nativeSelect({ ...spec, options: [] }, "", parts);
  const other = resourceOf(spec.refers_to);
  let parent;
  async function load(chosen = select.value()) {
    parent = spec.within && ask(spec.within);
    const around = parent ? parent.value() : "";
    select.element.disabled = Boolean(parent && !around);
    if (select.element.disabled) return select.fillWith([], "");
    const filter = parent ? `&${spec.within}=${encodeURIComponent(around)}` : "";
    const { items } = await call("GET", `${other.path}?per_page=200&sort=name${filter}`);
    select.fillWith(items.map((item) => ({ value: item.id, label: item.values.name })), chosen);
  }
  return { ...select, load: async () => {
    await load(start);
    if (parent) parent.onchange(() => load(""));
  } };
}

function combobox(spec, start, parts) {
  let chosen = start;
  const list = h("ul", { role: "listbox", id: `${parts.id}-list`, "aria-labelledby": parts.label, hidden: true });
  const shown = h("span", { class: "shown" });
  const element = h("button", { type: "button", id: parts.id, role: "combobox", class: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": list.id, "aria-labelledby": parts.label, onclick: () => toggle(list.hidden), onkeydown: keys }, shown, icon("down"));
  const box = h("div", { class: "combo", onfocusout: (event) => { if (!box.contains(event.relatedTarget)) toggle(false); } }, element, list);
  const options = spec.options.map((option) =>
    h("li", { role: "option", id: newId("option"), tabindex: "-1", "aria-description": option.description, onclick: () => choose(option.value) }, option.label));
  list.append(...options);
  function toggle(isOpen) {
    list.hidden = !isOpen;
    element.setAttribute("aria-expanded", String(isOpen));
  }
  function draw() {
    const at = spec.options.findIndex((option) => option.value === chosen);
    shown.replaceChildren(at < 0 ? spec.placeholder ?? t("choose") : spec.options[at].label);
    options.forEach((option, number) => option.setAttribute("aria-selected", String(number === at)));
  }
  function choose(value) {
    chosen = value;
    draw();
    toggle(false);
    element.focus();
    box.dispatchEvent(new Event("change", { bubbles: true }));
  }
  function keys(event) {
    const at = spec.options.findIndex((option) => option.value === chosen);
    if (event.key === "Escape" && !list.hidden) { toggle(false); event.stopPropagation(); }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); choose(spec.options[Math.max(0, Math.min(spec.options.length - 1, at + step))].value); }
  }
  draw();
  return { element: box, target: element, value: () => chosen };
}

function cards(spec, start, parts) {
  const group = newId("group");
  const inputs = spec.options.map((option) => {
    const id = newId("card");
    const described = option.description ? `${id}-text` : null;
    const input = h("input", { type: "radio", name: group, id, value: option.value, checked: option.value === start, "aria-labelledby": `${id}-name`, "aria-describedby": described });
    return { input, card: h("label", { class: "card", for: id }, input, h("span", { class: "name", id: `${id}-name` }, option.label), option.description && h("span", { class: "text", id: described }, option.description)) };
  });
  const element = h("fieldset", { class: "field cards", id: parts.id },
    h("legend", { id: parts.label }, spec.label, ...mark(spec)),
    h("div", { class: "row" }, inputs.map(({ card }) => card)), parts.hint, parts.error);
  return { element, isOwnBox: true, value: () => inputs.find(({ input }) => input.checked)?.input.value ?? "" };
}

function checkbox(spec, start, parts) {
  const input = h("input", { type: "checkbox", id: parts.id, checked: Boolean(start) });
  const element = h("div", { class: "field" }, h("label", { class: "tick", for: parts.id }, input, spec.label, ...mark(spec)), parts.hint, parts.error);
  return { element, target: input, isOwnBox: true, value: () => input.checked };
}

function toggleSwitch(spec, start, parts) {
  let isOn = Boolean(start);
  const said = h("span", { class: "said" });
  const target = h("button", { type: "button", role: "switch", id: parts.id, class: "switch", "aria-labelledby": parts.label, onclick: () => { isOn = !isOn; draw(); } }, h("span", { class: "knob" }));
  const draw = () => { target.setAttribute("aria-checked", String(isOn)); said.replaceChildren(t(isOn ? "enabled" : "disabled")); };
  draw();
  const element = h("div", { class: "field" }, h("span", { class: "label", id: parts.label }, spec.label), h("div", { class: "switch-row" }, target, said), parts.hint, parts.error);
  return { element, target, isOwnBox: true, value: () => isOn };
}

function tags(spec, start, parts) {
  const rows = h("div", { class: "tag-rows" });
  const add = (key = "", value = "") => {
    const row = h("div", { class: "tag-row" },
      h("input", { type: "text", class: "key", "aria-label": t("tag_key"), placeholder: t("tag_key"), value: key, autocomplete: "off" }),
      h("input", { type: "text", class: "value", "aria-label": t("tag_value"), placeholder: t("tag_value"), value, autocomplete: "off" }),
      h("button", { type: "button", class: "plain", "aria-label": t("remove_tag"), onclick: () => row.remove() }, icon("close")));
    rows.append(row);
    return row;
  };
  Object.entries(start).forEach(([key, value]) => add(key, value));
  const more = button(t("add_tag"), () => add().querySelector("input").focus(), { class: "button small" }, icon("plus"));
  const element = h("fieldset", { class: "field", id: parts.id }, h("legend", { id: parts.label }, spec.label, ...mark(spec)), rows, more, parts.hint, parts.error);
  const value = () => Object.fromEntries([...rows.children]
    .map((row) => [row.querySelector(".key").value.trim(), row.querySelector(".value").value.trim()])
    .filter(([key, text]) => key || text));
  return { element, isOwnBox: true, value };
}

const MAKERS = { cards, radio: cards, checkbox, switch: toggleSwitch, combobox, tags, reference, choice: nativeSelect, boolean: checkbox };
