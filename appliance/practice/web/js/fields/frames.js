// What is around a control: label, required mark, tooltip, hint, place for the error.
import { h } from "../dom.js";
import { helpIcon } from "../tooltip.js";

/** What stands behind a label and is no part of it. */
const extras = (spec) => [
  spec.required && h("span", { class: "required", "aria-hidden": "true" }, "*"),
  spec.help && helpIcon(spec.label, spec.help),
];
const foot = (parts) => [parts.hint, parts.error];

/** A label that belongs to the control with the field's id. */
export const labelled = (spec, parts, ...controls) =>
  h("div", { class: "field" },
    h("div", { class: "caption" }, h("label", { for: parts.id, id: parts.label }, spec.label), extras(spec)),
    ...controls, foot(parts));

/** A caption beside controls that no `label` can belong to; they name it with `aria-labelledby`. */
export const captioned = (spec, parts, ...controls) =>
  h("div", { class: "field" },
    h("div", { class: "caption" }, h("span", { class: "label", id: parts.label }, spec.label), extras(spec)),
    ...controls, foot(parts));

/** A caption that no program can tell from any other text, as bare consoles have it. */
export const bare = (spec, parts, ...controls) =>
  h("div", { class: "field" },
    h("div", { class: "caption" }, h("div", { class: "label" }, spec.label), extras(spec)),
    ...controls, foot(parts));

/** A group of controls under one legend. */
export const grouped = (name) => (spec, parts, ...controls) =>
  h("fieldset", { class: `field ${name}`.trim(), id: parts.id, "aria-labelledby": parts.label, tabindex: "-1" },
    h("legend", {}, h("span", { class: "caption" }, h("span", { class: "label", id: parts.label }, spec.label), extras(spec))),
    ...controls, foot(parts));

/** A control that has its label beside it, as check boxes do. */
export const own = (spec, parts, control) =>
  h("div", { class: "field" },
    h("div", { class: "caption" }, h("label", { class: "tick", for: parts.id }, control, spec.label), extras(spec)),
    foot(parts));
