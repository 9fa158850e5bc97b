// The page of one item, with tabs.
import { h, newId } from "./dom.js";
import { call, labelOf, resourceOf, shownFields, t } from "./cloud.js";
import { actionButton, actionEntries } from "./actions.js";
import { activityTable } from "./activity.js";
import { shown, stateBadge } from "./format.js";
import { menuButton } from "./menu.js";
import { itemTable } from "./table.js";

const POLL_MS = 600;

/** The detail page; redraws itself while the item's state settles. */
export async function detailPage(resource, id, { navigate, isAlive }) {
  let item = await call("GET", `${resource.path}/${id}`);
  let tab = resource.detail.tabs.find((one) => `#${one.id}` === location.hash) ?? resource.detail.tabs[0];
  const top = h("div", { class: "title-row" });
  const tablist = h("div", { role: "tablist", class: "tabs", "aria-label": item.values.name, onkeydown: arrows });
  const panel = h("div", { role: "tabpanel", class: "panel", tabindex: "0" });
  const page = h("div", { class: "detail" }, top, tablist, panel);

  const tabs = resource.detail.tabs.map((one) => {
    const element = h("button", { type: "button", role: "tab", id: newId("tab"), onclick: () => choose(one) }, one.label);
    return { one, element };
  });
  tablist.append(...tabs.map(({ element }) => element));

  function choose(one) {
    tab = one;
    history.replaceState(null, "", `#${one.id}`);
    drawTab();
  }
  function arrows(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.findIndex(({ one }) => one === tab);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    choose(next.one);
    next.element.focus();
  }
  async function done({ isGone } = {}) {
    if (isGone) return navigate(resource.page);
    await refresh();
    await drawTab();
  }
  async function refresh() {
    try {
      const now = await call("GET", `${resource.path}/${id}`);
      if (!isAlive()) return;
      const hasChanged = JSON.stringify(now) !== JSON.stringify(item);
      item = now;
      if (hasChanged) { drawTop(); if (tab.kind === "fields") drawTab(); }
    } catch {
      if (isAlive()) navigate(resource.page);
      return;
    }
    poll();
  }
  const poll = () => { if (!item.is_settled) setTimeout(() => isAlive() && refresh(), POLL_MS); };

  function drawTop() {
    top.replaceChildren(
      h("h1", {}, item.values.name), stateBadge(resource, item),
      h("div", { class: "buttons" },
        resource.detail.header.map((name) => actionButton(resource, name, item, done)),
        resource.detail.more.length > 0 && menuButton(t("more"), () => actionEntries(resource, resource.detail.more, () => item, done))));
  }
  async function drawTab() {
    for (const { one, element } of tabs) {
      element.setAttribute("aria-selected", String(one === tab));
      element.tabIndex = one === tab ? 0 : -1;
      if (one === tab) panel.setAttribute("aria-labelledby", element.id);
    }
    const wanted = tab;
    const content = await tabContent(tab);
    if (wanted === tab && isAlive()) panel.replaceChildren(...content);
  }
  async function tabContent(one) {
    switch (one.kind) {
      case "fields":
        return [buttons(one), facts(one.fields)];
      case "tags":
        return [buttons(one), tagTable(item.values.tags)];
      case "activity":
        return [await activityTable({ target: id })];
      default: {
        const other = resourceOf(one.resource);
        const field = Object.keys(other.fields).find((name) => other.fields[name].refers_to === resource.kind);
        return [itemTable(other, { header: one.header, batch: [], filter: { [field]: id }, fixed: { [field]: id }, navigate, isAlive: () => isAlive() && tab === one })];
      }
    }
  }
  const buttons = (one) => one.header.length > 0 ? h("div", { class: "toolbar" }, one.header.map((name) => actionButton(resource, name, item, done))) : "";
  const facts = (names) => h("dl", { class: "facts" }, shownFields(resource, names).map((name) =>
    h("div", {}, h("dt", {}, labelOf(resource, name)), h("dd", {}, shown(resource, name, item)))));

  drawTop();
  await drawTab();
  poll();
  return page;
}

function tagTable(tags) {
  const pairs = Object.entries(tags ?? {});
  if (!pairs.length) return h("p", { class: "empty" }, t("no_tags"));
  return h("table", { class: "narrow", "aria-label": t("tag_key") },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("tag_key")), h("th", { scope: "col" }, t("tag_value")))),
    h("tbody", {}, pairs.map(([key, value]) => h("tr", {}, h("td", {}, key), h("td", {}, value)))));
}
