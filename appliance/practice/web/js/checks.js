// What is wrong with a value before it is sent. The cloud checks again, and more.
import { t } from "./cloud.js";

const CIDR = /^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/;
const CHOSEN = ["choice", "choices", "reference", "references", "file"];
const MEASURED = ["text", "multiline", "secret", "code"];

/** What is wrong with what stands in a field, as a sentence; empty when nothing is. */
export function problemOf(field) {
  const { spec } = field;
  const found = field.problem?.();
  if (found) return found;
  const value = field.value();
  const said = { label: spec.label };
  if (isEmpty(value)) return spec.required ? t(CHOSEN.includes(spec.kind) ? "error_choose" : "error_required", said) : "";
  if (MEASURED.includes(spec.kind)) return textProblem(spec, value, said);
  if (spec.kind === "cidr" && !CIDR.test(value)) return t("error_cidr", said);
  return "";
}

function textProblem(spec, text, said) {
  const { length } = [...text]; // as the cloud counts: characters, not halves of them
  if (length < spec.min_length || length > spec.max_length) return t("error_length", { ...said, min: spec.min_length, max: spec.max_length });
  if (spec.pattern && !new RegExp(`^(?:${spec.pattern})$`).test(text)) return spec.pattern_message ?? t("error_pattern", said);
  return "";
}

/** Whether a value is none. */
export function isEmpty(value) {
  if (value === "" || value === false || value === null) return true;
  return typeof value === "object" && !Object.keys(value).length;
}
