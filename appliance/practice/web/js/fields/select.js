// One of several: the browser's own drop-down list.
import { h } from "../dom.js";
import { t } from "../cloud.js";

/** A native select. A blank entry stands first where nothing is chosen yet, and for references. */
export function nativeSelect(spec, start, { id }) {
  const element = h("select", { id, "aria-required": spec.required ? "true" : null });
  function fillWith(options, chosen) {
    const hasBlank = !chosen || spec.refers_to;
    const blank = hasBlank ? [{ value: "", label: spec.placeholder ?? t("choose") }] : [];
    element.replaceChildren(...[...blank, ...options].map(({ value, label }) => h("option", { value }, label)));
    element.value = chosen;
    if (element.selectedIndex < 0) element.selectedIndex = 0;
  }
  return {
    element, fillWith,
    value: () => element.value,
    said: () => (element.value ? element.selectedOptions[0].textContent : ""),
    setDisabled: (is) => { element.disabled = is; },
  };
}
