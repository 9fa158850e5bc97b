// What can be done with items: from rows, menus, toolbars and detail pages.
import { button, h, newId } from "./dom.js";
import { call, t } from "./cloud.js";
import { openDialog, remark } from "./dialog.js";
import { createInDialog, editInDialog } from "./forms.js";
import { notify } from "./notices.js";

/** Whether an action can be done with an item as it is. */
export function isAllowed(action, item) {
  if (item.state === "deleting") return false;
  return !action.from_states.length || action.from_states.includes(item.state);
}

/** Start creating: a dialog here, or the page of the form. */
export function create(resource, { fixed = {}, done, navigate }) {
  const action = resource.actions.create;
  if (action.form.layout === "modal") return createInDialog(resource, action, { fixed, done });
  return navigate(`${resource.page}/create`);
}

/** Carry out an action on some items, after asking where it must be asked. */
export function perform(resource, name, items, done) {
  const action = resource.actions[name];
  if (action.kind === "edit" || action.kind === "tags") return editInDialog(resource, name, action, items[0], done);
  const run = () => runAll(resource, name, action, items, done);
  if (!action.confirm) return run();
  return ask(action, items, run);
}

function ask(action, items, run) {
  const { confirm } = action;
  const names = items.map((item) => item.values.name);
  const word = names.length === 1 ? names[0] : t("delete_word");
  const id = newId("confirm");
  const input = h("input", { type: "text", id, autocomplete: "off", spellcheck: "false", oninput: watch });
  const typed = confirm.types_name && h("div", { class: "field" }, h("label", { for: id }, t("type_name", { name: word })), input);
  const isDelete = action.kind === "delete";
  const dialog = openDialog({
    title: confirm.title,
    content: [
      remark(confirm.notice, isDelete ? "warning" : "info"),
      h("ul", { class: "names" }, names.map((name) => h("li", {}, name))),
      typed,
    ],
    submit: { label: confirm.submit, tone: isDelete ? "danger" : "", onclick: async () => { await run(); return true; } },
  });
  function watch() {
    dialog.primary.disabled = input.value.trim() !== word;
  }
  if (confirm.types_name) watch();
}

async function runAll(resource, name, action, items, done) {
  const refusals = [];
  let last;
  for (const item of items) {
    try {
      if (action.kind === "delete") await call("DELETE", `${resource.path}/${item.id}`);
      else await call("POST", `${resource.path}/${item.id}/${name}`, {});
      last = item;
    } catch (refusal) {
      refusals.push(refusal.message);
    }
  }
  if (last) notify(action.success.replaceAll("{name}", last.values.name));
  refusals.forEach((text) => notify(text, "error"));
  done({ isGone: Boolean(last) && action.kind === "delete" });
}

/** A button for an action on an item, or on none where it creates. */
export function actionButton(resource, name, item, done, attributes = {}) {
  const action = resource.actions[name];
  return button(action.label, () => perform(resource, name, [item], done), { disabled: !isAllowed(action, item), ...attributes });
}

/** The entries of a menu of actions. */
export const actionEntries = (resource, names, item, done) =>
  names.map((name) => ({
    label: resource.actions[name].label,
    disabled: !isAllowed(resource.actions[name], item()),
    tone: resource.actions[name].kind === "delete" ? "danger" : "",
    onclick: () => perform(resource, name, [item()], done),
  }));
