// Several of many: check boxes, or two lists with buttons between them.
import { button, h, icon, newId } from "../dom.js";
import { t } from "../cloud.js";
import { grouped } from "./frames.js";

/** A check box for each. */
export function checkboxes(spec) {
  const element = h("div", { class: "ticks" });
  let ticks = [];
  function fillWith(options, chosen) {
    ticks = options.map(({ value, label, description }) => {
      const id = newId("tick");
      const input = h("input", { type: "checkbox", id, value, checked: chosen.includes(value), "aria-describedby": description ? `${id}-text` : null });
      return { input, label, line: h("div", { class: "tick-line" }, h("label", { class: "tick", for: id }, input, label), description && h("span", { class: "text", id: `${id}-text` }, description)) };
    });
    element.replaceChildren(...(ticks.length ? ticks.map(({ line }) => line) : [h("p", { class: "empty" }, t("no_options"))]));
  }
  const chosen = () => ticks.filter(({ input }) => input.checked);
  return {
    element, fillWith, frame: grouped("several"),
    focus: () => ticks[0]?.input.focus(),
    value: () => chosen().map(({ input }) => input.value),
    said: () => chosen().map(({ label }) => label).join(", "),
    setDisabled: (is) => ticks.forEach(({ input }) => { input.disabled = is; }),
  };
}

/** What there is on the left, what was taken on the right. */
export function transfer(spec, start, parts) {
  let options = [], taken = [];
  const left = side(parts, "available");
  const right = side(parts, "chosen_ones");
  const add = button(t("add"), () => move(left, (value) => taken.push(value)), { class: "button small" }, icon("right"));
  const remove = button(t("remove"), () => move(right, (value) => { taken = taken.filter((one) => one !== value); }), { class: "button small" }, icon("left"));
  const element = h("div", { class: "transfer" }, left.element, h("div", { class: "between" }, add, remove), right.element);
  [left, right].forEach((one) => one.list.addEventListener("marked", watch));

  function fillWith(given, chosen) {
    options = given;
    taken = options.map(({ value }) => value).filter((value) => chosen.includes(value));
    draw();
  }
  function move(from, each) {
    from.marked().forEach(each);
    draw();
    from.list.focus();
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  function draw() {
    left.fill(options.filter(({ value }) => !taken.includes(value)));
    right.fill(options.filter(({ value }) => taken.includes(value)));
    watch();
  }
  function watch() {
    add.disabled = !left.marked().length;
    remove.disabled = !right.marked().length;
  }
  draw();
  return {
    element, fillWith, frame: grouped("several"),
    focus: () => left.list.focus(),
    value: () => options.map(({ value }) => value).filter((value) => taken.includes(value)),
    said: () => options.filter(({ value }) => taken.includes(value)).map(({ label }) => label).join(", "),
  };
}

/** One list of the two: a click or the space bar marks a line, the arrows go from line to line. */
function side(parts, title) {
  let lines = [], at = 0;
  const heading = h("div", { class: "title", id: newId("title") });
  const list = h("ul", { role: "listbox", "aria-multiselectable": "true", tabindex: "0", "aria-label": t(title), onkeydown: keys });
  const element = h("div", { class: "side-list" }, heading, list);
  function fill(options) {
    lines = options.map(({ value, label, description }, number) => ({ value, line:
      h("li", { role: "option", id: newId("option"), "aria-selected": "false", "aria-description": description, onclick: () => { at = number; mark(number); } }, label) }));
    list.replaceChildren(...lines.map(({ line }) => line));
    heading.replaceChildren(t(title), h("span", { class: "number" }, String(lines.length)));
    at = 0;
    list.removeAttribute("aria-activedescendant");
  }
  function mark(number) {
    const { line } = lines[number];
    line.setAttribute("aria-selected", String(line.getAttribute("aria-selected") !== "true"));
    show();
    list.dispatchEvent(new Event("marked"));
  }
  function show() {
    lines.forEach(({ line }, number) => line.classList.toggle("active", number === at));
    list.setAttribute("aria-activedescendant", lines[at].line.id);
    lines[at].line.scrollIntoView({ block: "nearest" });
  }
  function keys(event) {
    if (!lines.length) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const hasShown = list.hasAttribute("aria-activedescendant");
    if (step) { at = hasShown ? Math.max(0, Math.min(lines.length - 1, at + step)) : 0; show(); }
    else if (event.key === " " || event.key === "Enter") mark(at);
    else return;
    event.preventDefault();
  }
  const marked = () => lines.filter(({ line }) => line.getAttribute("aria-selected") === "true").map(({ value }) => value);
  return { element, list, fill, marked };
}
