// A table of items: what it asks the cloud for, and when it draws itself anew.
import { button, h, icon } from "./dom.js";
import { call, t } from "./cloud.js";
import { create, isAllowed, perform } from "./actions.js";
import { alertBox } from "./dialog.js";
import { Columns, filterBar } from "./filters.js";
import { keepingFocus } from "./focus.js";
import { Guess } from "./guess.js";
import { pageFoot } from "./paging.js";
import { heading, Rows, skeletons } from "./rows.js";

const POLL_MS = 600;
const TYPING_MS = 250;
const FIRST_BARS = 4;

/** A table of a resource; `filter` and `fixed` hold for the items of one parent. */
export function itemTable(resource, { header, batch = [], filters = [], filter = {}, fixed = {}, navigate, isAlive }) {
  const query = { search: "", sort: "", order: "", page: 1 };
  const narrowed = {};
  const selected = new Set();
  const guess = new Guess(draw);
  const columns = new Columns(resource, (field) => field in fixed);
  let answer = null, problem = "", asked = 0, isWaiting = true, timer = null, typingTimer = null;
  const known = { head: "", foot: "" };

  const search = h("input", { type: "search", "aria-label": resource.list.search_label, placeholder: resource.list.search_label, autocomplete: "off", oninput: typing });
  const head = h("thead");
  const body = h("tbody");
  const foot = h("div", { class: "table-foot" });
  const tools = h("div", { class: "batch" });
  const table = h("table", { "aria-label": resource.plural, "aria-busy": "true" }, head, body);
  const rows = new Rows(resource, { selected, hasTicks: batch.length > 0, now: (id) => items().find((item) => item.id === id), done, hooks: guess.hooks, ticked: drawChoice });
  const element = h("div", { class: "table-box" },
    h("div", { class: "toolbar", role: "toolbar", "aria-label": resource.plural },
      header.map((name) => name === "create"
        ? button(resource.actions.create.label, () => create(resource, { fixed, done, navigate }), { class: "button primary" })
        : null),
      tools,
      h("div", { class: "search" }, icon("search"), search),
      h("button", { type: "button", class: "button square", "aria-label": t("refresh"), title: t("refresh"), onclick: () => reload() }, icon("refresh")),
      columns.settings(draw)),
    filterBar(resource, filters, (field, value) => { narrowed[field] = value; ask({ page: 1 }); }),
    h("div", { class: "scroll" }, table), foot);

  const items = () => guess.applied(answer?.items ?? []);
  const chosen = () => items().filter((item) => selected.has(item.id));

  function typing() {
    clearTimeout(typingTimer);
    typingTimer = setTimeout(() => ask({ search: search.value.trim(), page: 1 }), TYPING_MS);
  }
  function ask(change) {
    Object.assign(query, change);
    return reload();
  }
  async function done() {
    await reload({ isQuiet: true });
    guess.settle();
  }
  /** Ask for the rows again; quietly where nobody waits for it. */
  async function reload({ isQuiet = false } = {}) {
    const mine = ++asked;
    clearTimeout(timer);
    const delay = isQuiet ? 0 : resource.list.delay_ms;
    if (delay) { isWaiting = true; draw(); }
    const given = Object.entries({ ...query, ...narrowed, ...filter }).filter(([, value]) => value !== "");
    try {
      const [now] = await Promise.all([call("GET", `${resource.path}?${new URLSearchParams(given)}`), wait(delay)]);
      if (mine !== asked || !isAlive()) return;
      [answer, problem] = [now, ""];
      query.page = now.page;
    } catch (refusal) {
      if (!refusal.fields) throw refusal;
      if (mine !== asked || !isAlive()) return;
      problem = refusal.message;
    }
    isWaiting = false;
    draw();
    if (!problem && answer.items.some((item) => !item.is_settled)) timer = setTimeout(() => isAlive() && reload({ isQuiet: true }), POLL_MS);
  }
  function draw() {
    keepingFocus(element, () => {
      table.setAttribute("aria-busy", String(isWaiting));
      drawHead();
      drawBody();
      drawFoot();
      drawChoice();
    });
  }
  function drawHead() {
    const shown = columns.shown();
    const now = JSON.stringify([shown, query.sort, query.order]);
    if (now === known.head) return;
    known.head = now;
    const sortBy = (sort, order) => ask({ sort, order });
    head.replaceChildren(h("tr", {}, batch.length > 0 && h("th", { class: "tick", scope: "col" }, h("input", { type: "checkbox", "aria-label": t("select_all"), onchange: tickAll })),
      shown.map((column) => heading(resource, column, query, sortBy)),
      rows.hasActions && h("th", { scope: "col", class: "actions" }, t("actions"))));
  }
  function drawBody() {
    const width = head.firstChild.children.length;
    const line = (content) => [h("tr", { class: "empty" }, h("td", { colspan: width }, content))];
    if (isWaiting) body.replaceChildren(...skeletons(Math.max(FIRST_BARS, answer?.items.length ?? 0), width));
    else if (problem) body.replaceChildren(...line(alertBox(problem)));
    else if (items().length) rows.draw(body, items(), columns);
    else body.replaceChildren(...line(isNarrowed() ? t("no_match") : resource.list.empty));
  }
  const isNarrowed = () => Boolean(query.search) || Object.values(narrowed).some(Boolean);
  function drawFoot() {
    if (!answer) return;
    const left = { ...answer, total: answer.total - (answer.items.length - items().length), items: items() };
    const now = JSON.stringify([left.total, left.page, left.per_page, left.items.length]);
    if (now === known.foot) return;
    known.foot = now;
    foot.replaceChildren(...pageFoot(left, ask));
  }
  /** What depends on which rows are ticked. */
  function drawChoice() {
    const there = items();
    const ids = new Set(there.map((item) => item.id));
    [...selected].filter((id) => !ids.has(id)).forEach((id) => selected.delete(id));
    const picked = chosen();
    const all = head.querySelector("th.tick input");
    if (all) Object.assign(all, { checked: there.length > 0 && picked.length === there.length, indeterminate: picked.length > 0 && picked.length < there.length, disabled: !there.length });
    keepingFocus(tools, () => tools.replaceChildren(
      ...batch.map((name) => {
        const action = resource.actions[name];
        return button(action.label, () => perform(resource, name, chosen(), done, guess.hooks), { disabled: !picked.length || !picked.every((item) => isAllowed(action, item)) });
      }),
      ...(picked.length ? [h("span", { class: "count", role: "status" }, t("selected", { number: picked.length }))] : [])));
  }
  function tickAll(event) {
    items().forEach((item) => (event.target.checked ? selected.add(item.id) : selected.delete(item.id)));
    draw();
  }
  draw();
  reload();
  return element;
}

const wait = (delay) => delay && new Promise((resolve) => { setTimeout(resolve, delay); });
