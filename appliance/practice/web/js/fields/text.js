// Texts: one line, several lines, secrets.
import { h } from "../dom.js";

const attributes = (spec, start, { id }) => ({
  id, value: start, placeholder: spec.placeholder, autocomplete: "off", spellcheck: "false", "aria-required": spec.required ? "true" : null,
});

const control = (element) => ({ element, value: () => element.value.trim() });

/** One line. */
export const input = (spec, start, parts) => control(h("input", { type: "text", ...attributes(spec, start, parts) }));

/** Several lines. */
export const multiline = (spec, start, parts) => control(h("textarea", { rows: "3", ...attributes(spec, start, parts) }));

/** What nobody may read over a shoulder. */
export function secret(spec, start, parts) {
  const element = h("input", { type: "password", ...attributes(spec, "", parts), autocomplete: "new-password" });
  return { element, value: () => element.value, said: () => "•".repeat(element.value && 8) };
}
