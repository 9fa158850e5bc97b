// The page of one item, with tabs.
import { h, newId } from "./dom.js";
import { call, nameOf, t } from "./cloud.js";
import { actionButton, actionEntries } from "./actions.js";
import { alertBox } from "./dialog.js";
import { keepingFocus } from "./focus.js";
import { stateBadge } from "./format.js";
import { menuButton } from "./menu.js";
import { tabContent } from "./tabs.js";

const POLL_MS = 600;

/** The detail page; redraws itself while the item's state settles. */
export async function detailPage(resource, id, { navigate, isAlive }) {
  let item = await call("GET", `${resource.path}/${id}`);
  let tab = resource.detail.tabs.find((one) => `#${one.id}` === location.hash) ?? resource.detail.tabs[0];
  let timer = null;
  const top = h("div", { class: "title-row" });
  const tablist = h("div", { role: "tablist", class: "tabs", "aria-label": nameOf(item), onkeydown: arrows });
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
    if (isAlive()) await drawTab();
  }
  async function refresh() {
    clearTimeout(timer);
    try {
      const now = await call("GET", `${resource.path}/${id}`);
      if (!isAlive()) return;
      const hasChanged = JSON.stringify(now) !== JSON.stringify(item);
      item = now;
      if (hasChanged) { drawTop(); if (tab.kind === "fields" || tab.kind === "tags") drawTab(); }
    } catch (refusal) {
      if (refusal.code === "ResourceNotFound" && isAlive()) return navigate(resource.page);
      if (!refusal.fields) throw refusal;
    }
    if (isAlive()) poll();
  }
  const poll = () => { if (!item.is_settled) timer = setTimeout(() => isAlive() && refresh(), POLL_MS); };

  function drawTop() {
    keepingFocus(top, () => top.replaceChildren(
      h("h1", {}, nameOf(item)), stateBadge(resource, item),
      h("div", { class: "buttons" },
        resource.detail.header.map((name) => actionButton(resource, name, item, done)),
        resource.detail.more.length > 0 && menuButton(t("more"), () => actionEntries(resource, resource.detail.more, () => item, done)))));
  }
  async function drawTab() {
    for (const { one, element } of tabs) {
      element.setAttribute("aria-selected", String(one === tab));
      element.tabIndex = one === tab ? 0 : -1;
      if (one === tab) panel.setAttribute("aria-labelledby", element.id);
    }
    const wanted = tab;
    panel.setAttribute("aria-busy", "true");
    const isShown = () => isAlive() && wanted === tab;
    let content;
    try {
      content = await tabContent(resource, tab, item, { done, refresh, navigate, isShown });
    } catch (refusal) {
      if (!refusal.fields) throw refusal;
      content = [alertBox(refusal.message)];
    }
    if (!isShown()) return;
    keepingFocus(panel, () => panel.replaceChildren(...content));
    panel.setAttribute("aria-busy", "false");
  }
  drawTop();
  await drawTab();
  poll();
  return page;
}
