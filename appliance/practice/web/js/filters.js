// What narrows a list down: drop-downs above it, and which columns it shows.
import { h, icon, newId } from "./dom.js";
import { labelOf, shownFields, t } from "./cloud.js";
import { openDialog } from "./dialog.js";

const BLANK = "";

/** Drop-downs for the filters of a list; `changed(field, value)` is called with "" for all. */
export function filterBar(resource, names, changed) {
  const selects = shownFields(resource, names).map((field) => {
    const id = newId("filter");
    const options = [{ value: BLANK, label: t("all") }, ...optionsOf(resource, field)];
    const select = h("select", { id, onchange: () => changed(field, select.value) }, options.map(({ value, label }) => h("option", { value }, label)));
    return h("div", { class: "filter" }, h("label", { for: id }, columnLabel(resource, field)), select);
  });
  return selects.length > 0 && h("div", { class: "filters" }, selects);
}

function optionsOf(resource, field) {
  if (field === "state") return Object.entries(resource.states).map(([value, { label }]) => ({ value, label }));
  const spec = resource.fields[field];
  if (spec.kind === "boolean") return [{ value: "true", label: t("enabled") }, { value: "false", label: t("disabled") }];
  return spec.options;
}

/** What a column is called in its list. */
export const columnLabel = (resource, field) =>
  resource.list.columns.find((column) => column.field === field)?.label ?? labelOf(resource, field);

/** The reader's choice of columns, kept in the browser. */
export class Columns {
  constructor(resource, isLeftOut) {
    this.resource = resource;
    this.key = `columns-${resource.kind}`;
    this.all = resource.list.columns.filter(({ field }) => shownFields(resource, [field]).length && !isLeftOut(field));
    // What leads to the item: its name, or what stands first where it has none.
    this.head = (this.all.find(({ field }) => field === "name") ?? this.all[0])?.field;
    this.chosen = JSON.parse(localStorage.getItem(this.key) ?? "{}");
  }
  isShown({ field, is_shown: isShown }) {
    return field === this.head || (this.chosen[field] ?? isShown);
  }
  shown() {
    return this.all.filter((column) => this.isShown(column));
  }
  /** The button that opens the settings, where the list has them. */
  settings(changed) {
    if (!this.resource.list.has_column_settings) return false;
    return h("button", { type: "button", class: "button square", "aria-label": t("column_settings"), title: t("column_settings"), onclick: () => this.ask(changed) }, icon("columns"));
  }
  ask(changed) {
    const boxes = this.all.map((column) => {
      const id = newId("column");
      const input = h("input", { type: "checkbox", id, checked: this.isShown(column), disabled: column.field === this.head });
      return { column, input, line: h("label", { class: "tick", for: id }, input, columnLabel(this.resource, column.field)) };
    });
    openDialog({
      title: t("column_settings"),
      content: [h("p", { class: "lead-in" }, t("column_settings_text")), h("div", { class: "column-list" }, boxes.map(({ line }) => line))],
      submit: { label: t("confirm"), onclick: () => {
        this.chosen = Object.fromEntries(boxes.map(({ column, input }) => [column.field, input.checked]));
        localStorage.setItem(this.key, JSON.stringify(this.chosen));
        changed();
        return true;
      } },
    });
  }
}
