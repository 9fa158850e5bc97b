// Shows values.
import { h } from "./dom.js";
import { resourceOf, schema, t } from "./cloud.js";

/** When something happened, in the reader's words. */
export const when = (time) =>
  new Intl.DateTimeFormat(schema.language === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));

/** The state of an item, with its colour. */
export function stateBadge(resource, item) {
  const state = resource.states[item.state];
  return h("span", { class: `state ${state.tone}` }, h("span", { class: "dot", "aria-hidden": "true" }), state.label);
}

/** The value of a field, as text. */
export function plain(resource, name, value) {
  const field = resource.fields[name];
  switch (field.kind) {
    case "boolean":
      return t(value ? "enabled" : "disabled");
    case "choice":
      return field.options.find((option) => option.value === value)?.label ?? value ?? "";
    case "tags":
      return Object.entries(value ?? {}).map(([key, text]) => (text ? `${key}: ${text}` : key)).join(", ");
    default:
      return value ?? "";
  }
}

/** The value of a column or detail line of an item, as something to show. */
export function shown(resource, name, item) {
  if (name === "state") return stateBadge(resource, item);
  if (name === "created") return h("time", { datetime: item.created }, when(item.created));
  if (name === "id") return h("code", {}, item.id);
  const other = item.references[name];
  if (other) return h("a", { href: `${resourceOf(resource.fields[name].refers_to).page}/${other.id}` }, other.name);
  return plain(resource, name, item.values[name]) || t("nothing");
}
