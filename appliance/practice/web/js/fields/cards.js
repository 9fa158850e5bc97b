// One of several: all of them in sight, as cards or as plain radio buttons.
import { h, newId } from "../dom.js";
import { t } from "../cloud.js";
import { grouped } from "./frames.js";

/** Radio buttons; with the widget `cards` each stands in a box of its own. */
export function cards(spec, start, parts) {
  const group = newId("group");
  const shape = spec.widget === "radio" ? "radios" : "cards";
  const element = h("div", { class: "row" });
  let options = [];
  function fillWith(given, chosen) {
    options = given.map((option) => make(option, group, option.value === chosen, shape));
    element.replaceChildren(...(options.length ? options.map(({ card }) => card) : [h("p", { class: "empty" }, t("no_options"))]));
  }
  const chosen = () => options.find(({ input }) => input.checked);
  const focus = () => (chosen() ?? options[0])?.input.focus();
  return {
    element, fillWith, focus, frame: grouped(shape),
    value: () => chosen()?.input.value ?? "",
    said: () => chosen()?.label ?? "",
    setDisabled: (is) => options.forEach(({ input }) => { input.disabled = is; }),
  };
}

function make({ value, label, description }, group, isChosen, shape) {
  const id = newId("card");
  const described = description ? `${id}-text` : null;
  const input = h("input", { type: "radio", name: group, id, value, checked: isChosen, "aria-labelledby": `${id}-name`, "aria-describedby": described });
  const card = h("label", { class: shape === "cards" ? "card" : "radio", for: id }, input,
    h("span", { class: "name", id: `${id}-name` }, label), description && h("span", { class: "text", id: described }, description));
  return { input, card, label };
}
