// The rows of a list. A row whose item is as before stays as it is, with its focus and its open menu.
import { h, icon } from "./dom.js";
import { nameOf, t } from "./cloud.js";
import { actionButton, actionEntries } from "./actions.js";
import { columnLabel } from "./filters.js";
import { linkText, shown } from "./format.js";
import { menuButton } from "./menu.js";

/** The head of a column; `sortBy(field, order)` is called where it can be sorted by. */
export function heading(resource, { field, is_sortable: isSortable }, query, sortBy) {
  const said = columnLabel(resource, field);
  if (!isSortable) return h("th", { scope: "col" }, said);
  const isNow = query.sort === field;
  const order = isNow ? (query.order === "desc" ? "descending" : "ascending") : "none";
  return h("th", { scope: "col", "aria-sort": order },
    h("button", { type: "button", class: `sort ${isNow ? order : ""}`, onclick: () => sortBy(field, isNow && query.order !== "desc" ? "desc" : "") }, said, icon("down")));
}

/** What links to the item: never a link itself. */
const plainCell = (resource, field, item) => (resource.fields[field] ? linkText(resource, field, item) : shown(resource, field, item)) || nameOf(item);

/** Grey bars that stand for rows to come. */
export const skeletons = (number, width) =>
  Array.from({ length: number }, () => h("tr", { class: "skeleton", "aria-hidden": "true" }, Array.from({ length: width }, () => h("td", {}, h("span", { class: "grey" })))));

/** The rows of a table; `now(id)` gives an item as it is at the moment, `ticked()` is told of check boxes. */
export class Rows {
  constructor(resource, { selected, hasTicks, now, done, hooks, ticked }) {
    Object.assign(this, { resource, selected, hasTicks, now, done, hooks, ticked });
    this.hasActions = resource.list.row.length + resource.list.more.length > 0;
    this.known = new Map();
  }
  draw(body, items, columns) {
    const lines = items.map((item) => this.line(item, columns.shown(), columns.head));
    [...body.children].filter((line) => !lines.includes(line)).forEach((line) => line.remove());
    lines.forEach((line, number) => { if (body.children[number] !== line) body.insertBefore(line, body.children[number] ?? null); });
  }
  line(item, columns, head) {
    const key = JSON.stringify([item, columns]);
    let known = this.known.get(item.id);
    if (known?.key !== key) this.known.set(item.id, (known = { key, line: this.make(item, columns, head) }));
    const isChosen = this.selected.has(item.id);
    known.line.classList.toggle("selected", isChosen);
    if (this.hasTicks) known.line.querySelector("td.tick input").checked = isChosen;
    return known.line;
  }
  make(item, columns, head) {
    const { resource } = this;
    return h("tr", { "data-id": item.id },
      this.hasTicks && h("td", { class: "tick" }, this.tick(item)),
      columns.map(({ field }) => field === head
        ? h("th", { scope: "row" }, h("a", { href: `${resource.page}/${item.id}` }, field === "name" ? nameOf(item) : plainCell(resource, field, item)))
        : h("td", {}, shown(resource, field, item, { isShort: true }))),
      this.hasActions && h("td", { class: "actions" },
        resource.list.row.map((action) => actionButton(resource, action, item, this.done, { class: "button text" }, this.hooks)),
        resource.list.more.length > 0 && menuButton(t("more"), () => actionEntries(resource, resource.list.more, () => this.now(item.id) ?? item, this.done, this.hooks), { class: "button text" })));
  }
  tick(item) {
    return h("input", { type: "checkbox", "aria-label": t("select_row", { name: nameOf(item) }), onchange: (event) => {
      if (event.target.checked) this.selected.add(item.id); else this.selected.delete(item.id);
      event.target.closest("tr").classList.toggle("selected", event.target.checked);
      this.ticked();
    } });
  }
}
