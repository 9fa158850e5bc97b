// What the tabs of a detail page show.
import { h } from "./dom.js";
import { resourceOf, shownFields, t } from "./cloud.js";
import { actionButton } from "./actions.js";
import { activityTable } from "./activity.js";
import { concerns, fact } from "./format.js";
import { embedded } from "./frames.js";
import { itemTable } from "./table.js";

/** The elements of a tab; `done` redraws the page, `refresh` only what is around the tab. */
export async function tabContent(resource, tab, item, { done, refresh, navigate, isShown }) {
  const buttons = tab.header.length > 0 && h("div", { class: "toolbar" }, tab.header.map((name) => actionButton(resource, name, item, done)));
  switch (tab.kind) {
    case "fields":
      return [buttons, h("dl", { class: "facts" }, shownFields(resource, tab.fields).filter((name) => concerns(resource, name, item)).map((name) => fact(resource, name, item)))].filter(Boolean);
    case "tags":
      return [buttons, tagTable(item.values[tab.fields[0] ?? "tags"])].filter(Boolean);
    case "activity":
      return [buttons, await activityTable({ target: item.id })].filter(Boolean);
    case "frame":
      return [buttons, await embedded(resource, tab, item, { changed: refresh, isShown })].filter(Boolean);
    default:
      return [relatedTable(resource, tab, item, { navigate, isShown })];
  }
}

/** The items of another kind that refer to this one. */
function relatedTable(resource, tab, item, { navigate, isShown }) {
  const other = resourceOf(tab.resource);
  const field = Object.keys(other.fields).find((name) => other.fields[name].refers_to === resource.kind);
  const parent = other.fields[field].kind === "references" ? [item.id] : item.id;
  return itemTable(other, { header: tab.header, filter: { [field]: item.id }, fixed: { [field]: parent }, navigate, isAlive: isShown });
}

function tagTable(tags) {
  const pairs = Object.entries(tags ?? {});
  if (!pairs.length) return h("p", { class: "empty" }, t("no_tags"));
  return h("table", { class: "narrow", "aria-label": t("tag_key") },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("tag_key")), h("th", { scope: "col" }, t("tag_value")))),
    h("tbody", {}, pairs.map(([key, value]) => h("tr", {}, h("td", {}, key), h("td", {}, value)))));
}
