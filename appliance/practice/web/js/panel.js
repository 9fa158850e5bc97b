// What stands beside a form: the estimated price, and what is left of the quota.
import { h } from "./dom.js";
import { call, schema, t } from "./cloud.js";

/** The panel, or null where the form has none; it follows the fields. */
export async function sidePanel(resource, form, fields) {
  const hasPrice = ["price", "both"].includes(form.panel) && resource.price;
  const quota = ["quota", "both"].includes(form.panel) ? await quotaOf(resource) : null;
  if (!hasPrice && !quota) return null;
  const price = h("p", { class: "price" });
  const draw = () => price.replaceChildren(t("estimated_cost", { price: inCredits(priceOf(resource, fields)) }));
  if (hasPrice) { draw(); fields.onchange(draw); }
  return h("aside", { class: "beside-form", "aria-label": t("summary") }, h("h2", {}, t("summary")), hasPrice && price, quota && quotaLine(resource, quota));
}

function quotaLine(resource, { used, limit }) {
  const share = Math.min(100, Math.round((100 * used) / limit));
  return h("div", { class: `quota ${used >= limit ? "full" : ""}`.trim() },
    h("p", {}, t("quota_line", { name: resource.plural, used, limit })),
    h("div", { class: "bar-of", "aria-hidden": "true" }, h("span", { style: `width: ${share}%` })));
}

async function quotaOf(resource) {
  const { quotas } = await call("GET", `/api/quotas?service=${resource.service}`);
  return quotas.find(({ kind, limit }) => kind === resource.kind && limit > 0);
}

/** What the item would cost an hour. */
export function priceOf(resource, fields) {
  const parts = Object.entries(resource.price.by).map(([name, by]) => costOf(fields.valueOf(name), by));
  return parts.reduce((sum, part) => sum + part, resource.price.base);
}

function costOf(value, by) {
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + (by[one] ?? by.each ?? 0), 0);
  if (typeof value === "number") return by[value] ?? value * (by.each ?? 0);
  return by[String(value)] ?? 0;
}

const inCredits = (price) =>
  new Intl.NumberFormat(schema.language === "zh" ? "zh-CN" : "en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 4 }).format(price);
