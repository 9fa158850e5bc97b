// A table of items: search, sorting, pages, check boxes, actions. Draws itself anew while states settle.
import { button, h, icon, newId } from "./dom.js";
import { call, labelOf, shownFields, t } from "./cloud.js";
import { actionButton, actionEntries, create, isAllowed, perform } from "./actions.js";
import { shown } from "./format.js";
import { menuButton } from "./menu.js";

const POLL_MS = 600;
const TYPING_MS = 250;

/** A table of a resource; `filter` and `fixed` hold for the items of one parent. */
export function itemTable(resource, { header, batch = [], filter = {}, fixed = {}, navigate, isAlive }) {
  const query = { search: "", sort: "", order: "", page: 1 };
  const selected = new Set();
  let answer = null, last = "", timer = null;
  const columns = resource.list.columns.filter(({ field }) => shownFields(resource, [field]).length && !(field in fixed));
  const hasRowActions = resource.list.row.length + resource.list.more.length > 0;

  const search = h("input", { type: "search", "aria-label": resource.list.search_label, placeholder: resource.list.search_label, autocomplete: "off", oninput: typing });
  const head = h("thead");
  const body = h("tbody");
  const foot = h("div", { class: "table-foot" });
  const tools = h("div", { class: "batch" });
  const table = h("table", { "aria-label": resource.plural, "aria-busy": "true" }, head, body);
  const element = h("div", { class: "table-box" },
    h("div", { class: "toolbar", role: "toolbar", "aria-label": resource.plural },
      header.map((name) => name === "create"
        ? button(resource.actions.create.label, () => create(resource, { fixed, done: reload, navigate }), { class: "button primary" })
        : null),
      tools,
      h("div", { class: "search" }, icon("search"), search),
      h("button", { type: "button", class: "button square", "aria-label": t("refresh"), title: t("refresh"), onclick: () => reload() }, icon("refresh"))),
    h("div", { class: "scroll" }, table), foot);

  let typingTimer;
  function typing() {
    clearTimeout(typingTimer);
    typingTimer = setTimeout(() => { query.search = search.value.trim(); query.page = 1; reload(); }, TYPING_MS);
  }
  async function reload() {
    clearTimeout(timer);
    const given = Object.entries({ ...query, ...filter }).filter(([, value]) => value !== "");
    answer = await call("GET", `${resource.path}?${new URLSearchParams(given)}`);
    if (!isAlive()) return;
    query.page = answer.page;
    const now = JSON.stringify([answer, query]);
    if (now !== last) { last = now; draw(); }
    if (answer.items.some((item) => !item.is_settled)) timer = setTimeout(() => isAlive() && reload(), POLL_MS);
  }
  function draw() {
    const ids = new Set(answer.items.map((item) => item.id));
    [...selected].filter((id) => !ids.has(id)).forEach((id) => selected.delete(id));
    table.setAttribute("aria-busy", "false");
    head.replaceChildren(h("tr", {}, batch.length > 0 && h("th", { class: "tick", scope: "col" }, selectAll()), columns.map(heading), hasRowActions && h("th", { scope: "col", class: "actions" }, t("actions"))));
    body.replaceChildren(...(answer.items.length ? answer.items.map(row) : [h("tr", { class: "empty" }, h("td", { colspan: columns.length + 2 }, query.search ? t("no_match") : resource.list.empty))]));
    drawTools();
    drawFoot();
  }
  function drawTools() {
    const items = chosen();
    tools.replaceChildren(
      ...batch.map((name) => {
        const action = resource.actions[name];
        return button(action.label, () => perform(resource, name, chosen(), reload), { disabled: !items.length || !items.every((item) => isAllowed(action, item)) });
      }),
      ...(items.length ? [h("span", { class: "count", role: "status" }, t("selected", { number: items.length }))] : []));
  }
  const chosen = () => answer.items.filter((item) => selected.has(item.id));
  function selectAll() {
    const all = answer.items.length > 0 && answer.items.every((item) => selected.has(item.id));
    return h("input", { type: "checkbox", "aria-label": t("select_all"), checked: all, disabled: !answer.items.length, onchange: () => {
      answer.items.forEach((item) => (all ? selected.delete(item.id) : selected.add(item.id)));
      draw();
    } });
  }
  function heading({ field, label, is_sortable: isSortable }) {
    const said = label ?? labelOf(resource, field);
    if (!isSortable) return h("th", { scope: "col" }, said);
    const isNow = query.sort === field;
    const order = isNow ? (query.order === "desc" ? "descending" : "ascending") : "none";
    return h("th", { scope: "col", "aria-sort": order }, h("button", { type: "button", class: `sort ${isNow ? order : ""}`, onclick: () => {
      query.order = isNow && query.order !== "desc" ? "desc" : "";
      query.sort = field;
      reload();
    } }, said, icon("down")));
  }
  function row(item) {
    const name = item.values.name;
    const now = () => answer.items.find((other) => other.id === item.id) ?? item;
    const tick = batch.length > 0 && h("td", { class: "tick" }, h("input", { type: "checkbox", "aria-label": t("select_row", { name }), checked: selected.has(item.id), onchange: (event) => {
      if (event.target.checked) selected.add(item.id); else selected.delete(item.id);
      line.classList.toggle("selected", event.target.checked);
      drawTools();
      head.querySelector("input").checked = answer.items.every((other) => selected.has(other.id));
    } }));
    const cells = columns.map(({ field }) => field === "name"
      ? h("th", { scope: "row" }, h("a", { href: `${resource.page}/${item.id}` }, name))
      : h("td", {}, shown(resource, field, item)));
    const line = h("tr", { class: selected.has(item.id) ? "selected" : "", "data-id": item.id }, tick, cells, hasRowActions && h("td", { class: "actions" },
      resource.list.row.map((action) => actionButton(resource, action, item, reload, { class: "button text" })),
      resource.list.more.length > 0 && menuButton(t("more"), () => actionEntries(resource, resource.list.more, now, reload), { class: "button text" })));
    return line;
  }
  function drawFoot() {
    const { total, page, per_page: size, items } = answer;
    const pages = Math.max(1, Math.ceil(total / size));
    const from = (page - 1) * size + 1;
    const to = (number, label, attributes = {}) => h("button", { type: "button", class: "button page", onclick: () => { query.page = number; reload(); }, ...attributes }, label);
    foot.replaceChildren(
      h("span", { class: "range", id: newId("range") }, total ? t("range", { from, to: from + items.length - 1, total }) : ""),
      h("nav", { "aria-label": t("pages") },
        to(page - 1, icon("left"), { "aria-label": t("previous_page"), disabled: page === 1 }),
        Array.from({ length: pages }, (_, number) => to(number + 1, String(number + 1), { "aria-label": t("page_number", { number: number + 1 }), "aria-current": number + 1 === page ? "page" : null })),
        to(page + 1, icon("right"), { "aria-label": t("next_page"), disabled: page === pages })));
  }
  reload();
  return element;
}
