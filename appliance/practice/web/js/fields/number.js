// Whole numbers: typed, with buttons, or on a scale.
import { h } from "../dom.js";
import { t } from "../cloud.js";
import { captioned } from "./frames.js";
import "./stepper.js";

const behind = (spec, ...controls) =>
  h("div", { class: "number" }, ...controls, spec.unit && h("span", { class: "unit" }, spec.unit));

const inWords = (spec, number) => (number === null ? "" : [number, spec.unit].filter((part) => part != null).join(" "));

const wrong = (spec) => t("error_number", { label: spec.label, min: spec.min, max: spec.max });

/** An input for digits. */
export function plainNumber(spec, start, { id }) {
  const target = h("input", {
    type: "number", id, min: String(spec.min), max: String(spec.max), step: "1", value: start ?? "", placeholder: spec.placeholder,
    autocomplete: "off", "aria-required": spec.required ? "true" : null,
  });
  const value = () => (target.value === "" ? null : Number(target.value));
  return {
    element: behind(spec, target), target, value,
    said: () => inWords(spec, value()),
    problem: () => (target.validity.badInput || !isWithin(spec, value()) ? wrong(spec) : ""),
  };
}

/** An input between two buttons: a web component. */
export function stepper(spec, start, { label }) {
  const target = document.createElement("practice-stepper");
  for (const [name, value] of Object.entries({ min: spec.min, max: spec.max, value: start ?? spec.min, label: spec.label, less: t("decrease"), more: t("increase") }))
    target.setAttribute(name, value);
  target.setAttribute("aria-labelledby", label);
  return {
    element: behind(spec, target), target, frame: captioned,
    value: () => target.number,
    said: () => inWords(spec, target.number),
    problem: () => (Number.isNaN(target.number) || !isWithin(spec, target.number) ? wrong(spec) : ""),
  };
}

/** A scale with a handle. */
export function slider(spec, start, { id }) {
  const target = h("input", { type: "range", id, min: String(spec.min), max: String(spec.max), step: "1", oninput: draw });
  target.value = String(start ?? spec.min);
  const output = h("output", { for: id });
  const ends = h("div", { class: "ends", "aria-hidden": "true" }, h("span", {}, String(spec.min)), h("span", {}, String(spec.max)));
  const value = () => Number(target.value);
  function draw() {
    output.replaceChildren(inWords(spec, value()));
    target.setAttribute("aria-valuetext", inWords(spec, value()));
  }
  draw();
  return { element: h("div", { class: "slider" }, h("div", { class: "scale" }, target, ends), output), target, value, said: () => inWords(spec, value()) };
}

const isWithin = (spec, number) => number === null || (Number.isInteger(number) && spec.min <= number && number <= spec.max);
