// Yes or no.
import { h } from "../dom.js";
import { t } from "../cloud.js";
import { captioned, own } from "./frames.js";

/** A check box with its label beside it. */
export function tick(spec, start, { id }) {
  const element = h("input", { type: "checkbox", id, checked: Boolean(start), "aria-required": spec.required ? "true" : null });
  return { element, frame: own, value: () => element.checked };
}

/** A switch. */
export function toggleSwitch(spec, start, { id, label }) {
  let isOn = Boolean(start);
  const said = h("span", { class: "said" });
  const target = h("button", { type: "button", role: "switch", id, class: "switch", "aria-labelledby": label, onclick: turn }, h("span", { class: "knob" }));
  const element = h("div", { class: "switch-row" }, target, said);
  function turn() {
    isOn = !isOn;
    draw();
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  function draw() {
    target.setAttribute("aria-checked", String(isOn));
    said.replaceChildren(t(isOn ? "enabled" : "disabled"));
  }
  draw();
  return { element, target, frame: captioned, value: () => isOn };
}
