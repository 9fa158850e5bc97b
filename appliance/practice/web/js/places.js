// The pages that show no items: home, overview, quotas, texts, and what is not there.
import { h, icon } from "./dom.js";
import { call, currentRegion, schema, t } from "./cloud.js";
import { activityTable } from "./activity.js";
import { numberOf } from "./format.js";
import { entryAddress, productAddress } from "./navigation.js";

/** The page that the console begins with. */
export async function home() {
  return [
    h("div", { class: "hero" }, h("h1", {}, t("home_title", { name: schema.user.name })), h("p", {}, t("home_intro"))),
    h("div", { class: "tiles" }, Object.entries(schema.products).map(([service, product]) =>
      h("article", { class: "tile product" }, h("span", { class: "badge" }, icon(product.category)),
        h("div", {}, h("h2", {}, h("a", { href: productAddress(service) }, product.name)), h("p", {}, product.summary))))),
    h("section", { class: "panel" }, h("h2", {}, t("recent")), await activityTable({ most: 8 })),
  ];
}

/** How much of everything a product has, and what happened lately. */
export async function overview(service, product) {
  const entries = product.navigation.flatMap((group) => group.entries).filter((entry) => entry.kind === "list");
  const [recent, ...tiles] = await Promise.all([activityTable({ service, most: 8 }), ...entries.map((entry) => countTile(service, product, entry))]);
  return [
    h("h1", {}, product.name), h("p", { class: "lead" }, product.summary),
    h("div", { class: "tiles" }, tiles),
    h("section", { class: "panel" }, h("h2", {}, t("recent")), recent),
  ];
}

async function countTile(service, product, entry) {
  const { total } = await call("GET", `/api/${service}/${product.resources[entry.resource].collection}?per_page=1`);
  return h("article", { class: "tile count" }, h("h2", {}, entry.label), h("p", { class: "number" }, numberOf(total)),
    h("a", { href: entryAddress(service, entry) }, t("open_list", { name: entry.label })));
}

/** What the account has of what it may have. */
export async function quotas(service, product, label) {
  const { quotas: all } = await call("GET", `/api/quotas?${new URLSearchParams({ service })}`);
  const heads = ["quota_resource", "quota_used", "quota_limit", "quota_usage"];
  const table = h("table", { "aria-label": label }, h("thead", {}, h("tr", {}, heads.map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", {}, all.map((quota) => quotaRow(product.resources[quota.kind], quota))));
  return [
    h("h1", {}, label), h("p", { class: "lead" }, t("quotas_intro", { region: currentRegion().label })),
    h("div", { class: "table-box" }, all.length ? h("div", { class: "scroll" }, table) : h("p", { class: "empty pad" }, t("no_quotas"))),
  ];
}

function quotaRow({ plural }, { used, limit }) {
  const share = limit ? Math.min(1, used / limit) : 1;
  const bar = h("div", { class: `usage ${share >= 0.9 ? "bad" : ""}`, role: "progressbar", "aria-label": plural, "aria-valuemin": "0", "aria-valuemax": String(limit), "aria-valuenow": String(used) }, h("span"));
  bar.firstChild.style.width = `${share * 100}%`;
  return h("tr", {}, h("th", { scope: "row" }, plural), h("td", {}, numberOf(used)), h("td", {}, numberOf(limit)),
    h("td", {}, h("div", { class: "usage-row" }, bar, h("span", {}, numberOf(share, { style: "percent" })))));
}

/** A page of text. */
export const textPage = ({ title, paragraphs }) =>
  [h("h1", {}, title), h("section", { class: "panel prose" }, paragraphs.map((text) => h("p", {}, text)))];

/** Said where an address leads nowhere. */
export const missing = () =>
  [h("div", { class: "missing" }, h("h1", {}, "404"), h("p", {}, t("not_found")), h("a", { href: "/console" }, t("home")))];
