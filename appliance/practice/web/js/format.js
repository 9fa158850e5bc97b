// Shows values: as text, and as what a list or a detail page shows.
import { h } from "./dom.js";
import { labelOf, resourceOf, schema, t } from "./cloud.js";
import { copyButton } from "./copy.js";

const MASKED = "••••••••";

const locale = () => (schema.language === "zh" ? "zh-CN" : "en-GB");

/** When something happened, in the reader's words. */
export const when = (time) =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));

/** A number in the reader's words. */
export const numberOf = (value, options = {}) => new Intl.NumberFormat(locale(), options).format(value);

const dateOf = (value) => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${value}T00:00:00Z`));
const joined = (parts) => parts.join(schema.language === "zh" ? "、" : ", ");

/** The size of a file. */
const sizeOf = (bytes) => (bytes < 1024 ? `${numberOf(bytes)} B` : `${numberOf(bytes / 1024, { maximumFractionDigits: 1 })} KB`);

/** The state of an item, with its colour. */
export function stateBadge(resource, item) {
  const state = resource.states[item.state];
  return h("span", { class: `state ${state.tone}` }, h("span", { class: "dot", "aria-hidden": "true" }), state.label);
}

/** The value of a field, as text. */
export function plain(resource, name, value) {
  const field = resource.fields[name];
  const labelled = (one) => field.options.find((option) => option.value === one)?.label ?? one ?? "";
  const isEmpty = value == null || value === "";
  switch (field.kind) {
    case "boolean":
      return t(value ? "enabled" : "disabled");
    case "choice":
      return labelled(value);
    case "choices":
      return joined((value ?? []).map(labelled));
    case "references":
      return joined(value ?? []);
    case "tags":
      return joined(Object.entries(value ?? {}).map(([key, text]) => (text ? `${key}: ${text}` : key)));
    case "number":
      // A number without a unit names something rather than counts it: a port has no thousands.
      return isEmpty ? "" : field.unit ? `${numberOf(value)} ${field.unit}` : String(value);
    case "date":
      return isEmpty ? "" : dateOf(value);
    case "secret":
      return MASKED;
    case "file":
      return value?.name ?? "";
    default:
      return value ?? "";
  }
}

/** The value of a field as a text that a link can have. */
export const linkText = (resource, name, item) => {
  const others = [item.references?.[name] ?? []].flat();
  return others.length ? joined(others.map((other) => other.name)) : plain(resource, name, item.values[name]);
};

const linkTo = (kind, { id, name }) => h("a", { href: `${resourceOf(kind).page}/${id}` }, name);

/** The value of a column or detail line of an item, as something to show; `isShort` where it has one line. */
export function shown(resource, name, item, { isShort = false } = {}) {
  if (name === "state") return stateBadge(resource, item);
  if (name === "created") return h("time", { datetime: item.created }, when(item.created));
  if (name === "id") return h("code", {}, item.id);
  return valueOf(resource, name, item, isShort) ?? t("nothing");
}

function valueOf(resource, name, item, isShort) {
  const field = resource.fields[name];
  const value = item.values[name];
  const others = [item.references?.[name] ?? []].flat();
  if (others.length) return h("span", { class: "links" }, others.map((other) => linkTo(field.refers_to, other)));
  const text = plain(resource, name, value);
  if (!text) return null;
  if (isShort) return field.kind === "code" || field.kind === "multiline" ? h("span", { class: "clipped" }, text) : text;
  switch (field.kind) {
    case "code":
      return h("pre", { class: "code", tabindex: "0", "aria-label": field.label }, text);
    case "multiline":
      return h("span", { class: "lines" }, text);
    case "tags":
      return h("span", { class: "chips" }, Object.entries(value).map(([key, word]) => h("span", { class: "chip" }, word ? `${key}: ${word}` : key)));
    case "file":
      return h("a", { href: `${resource.path}/${item.id}/files/${name}`, download: value.name }, `${value.name} (${sizeOf(value.size)})`);
    default:
      return text;
  }
}

/** Whether a field says anything about an item: one that the form would not ask for does not. */
export function concerns(resource, name, item) {
  const condition = resource.fields[name]?.shown_if;
  return !condition || condition.values.includes(item.values[condition.field]);
}

/** A line of a detail page: the label, the value, and what copies it. */
export function fact(resource, name, item) {
  const field = resource.fields[name];
  const label = labelOf(resource, name);
  const canCopy = field?.is_copyable && item.values[name];
  const isWide = field?.kind === "code";
  return h("div", { class: isWide ? "wide" : "" }, h("dt", {}, label),
    h("dd", {}, shown(resource, name, item), canCopy && copyButton(label, String(item.values[name]))));
}
