// Form fields by kind and widget.
//
// A maker gives {element, value()} and what else it has: `target` (where the focus goes), `frame`
// (what is around it), `fillWith(options, chosen)` and `setDisabled(is)` (choices), `said()` (the value in
// words), `problem()` (what is wrong with what stands there), `ready()` (a promise to wait for).
import { h, newId } from "../dom.js";
import { toggleSwitch, tick } from "./boolean.js";
import { cards } from "./cards.js";
import { codeEditor } from "./code.js";
import { combobox } from "./combobox.js";
import { calendar, nativeDate, nativeTime } from "./dates.js";
import { fileDrop } from "./file.js";
import { labelled } from "./frames.js";
import { plainNumber, slider, stepper } from "./number.js";
import { plainSelect } from "./plain.js";
import { fromItems } from "./reference.js";
import { nativeSelect } from "./select.js";
import { checkboxes, transfer } from "./several.js";
import { tags } from "./tags.js";
import { input, multiline, secret } from "./text.js";
import { typeahead } from "./typeahead.js";

const ONE = { "": nativeSelect, select: nativeSelect, combobox, typeahead, plain: plainSelect, cards, radio: cards };
const SEVERAL = { "": checkboxes, checkboxes, transfer };

const MAKERS = {
  text: { "": input },
  multiline: { "": multiline },
  secret: { "": secret },
  code: { "": codeEditor },
  number: { "": plainNumber, stepper, slider },
  cidr: { "": input },
  date: { "": calendar, calendar, native: nativeDate },
  time: { "": nativeTime, native: nativeTime },
  choice: ONE,
  choices: SEVERAL,
  boolean: { "": tick, checkbox: tick, switch: toggleSwitch },
  tags: { "": tags },
  reference: ONE,
  references: SEVERAL,
  file: { "": fileDrop },
};

const EMPTY = { boolean: false, tags: {}, choices: [], references: [], number: null, file: null };

/** A field of a resource's form. `ask(name)` gives another field of the form, or null. */
export function makeField(name, spec, initial, ask) {
  const id = newId(name);
  const parts = { id, label: `${id}-label`, error: h("div", { class: "error", id: `${id}-error` }), hint: spec.hint && h("div", { class: "hint", id: `${id}-hint` }, spec.hint) };
  const start = initial ?? spec.default ?? EMPTY[spec.kind] ?? "";
  const make = MAKERS[spec.kind][spec.widget] ?? MAKERS[spec.kind][""];
  const control = make(spec, start, parts);
  if (!spec.refers_to) control.fillWith?.(spec.options, start);
  const box = (control.frame ?? labelled)(spec, parts, control.element);
  box.dataset.field = name;
  const target = control.target ?? (box.tagName === "FIELDSET" ? box : control.element);
  const field = {
    ...control, name, spec, element: box, target,
    load: spec.refers_to ? fromItems(spec, start, control, ask) : null,
    /** Tell of every change, by a person or by the form itself. */
    onchange: (tell) => ["input", "change"].forEach((kind) => box.addEventListener(kind, () => tell())),
    show(text) {
      parts.error.replaceChildren(...(text ? [h("span", { role: "alert" }, text)] : []));
      box.classList.toggle("invalid", Boolean(text));
      if (text) target.setAttribute("aria-invalid", "true"); else target.removeAttribute("aria-invalid");
      describe();
    },
    focus: control.focus ?? (() => target.focus()),
  };
  function describe() {
    const ids = [parts.hint && `${id}-hint`, parts.error.firstChild && `${id}-error`].filter(Boolean).join(" ");
    if (ids) target.setAttribute("aria-describedby", ids); else target.removeAttribute("aria-describedby");
  }
  describe();
  control.onproblem?.((text) => field.show(text));
  field.onchange(() => field.show(""));
  return field;
}
