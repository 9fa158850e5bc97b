// What can be done with items: from rows, menus, toolbars and detail pages.
import { button, h, newId } from "./dom.js";
import { call, nameOf, resourceOf, t } from "./cloud.js";
import { createAddress, goTo } from "./address.js";
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
  if (["modal", "drawer"].includes(action.form.layout)) return createInDialog(resource, action, { fixed, done });
  return navigate(createAddress(resource, fixed));
}

/**
 * Carry out an action on some items, after asking where it must be asked.
 *
 * Where the list is optimistic, `before(items, values)` is told before the cloud is: they will be gone, or
 * after an edit have these values. `undo(items)` is told of those that the cloud refused. `done` comes last.
 */
export function perform(resource, name, items, done, { before, undo } = {}) {
  const action = resource.actions[name];
  const hooks = resource.list.is_optimistic && before ? { before, undo } : {};
  switch (action.kind) {
    case "edit":
    case "tags":
      return editInDialog(resource, name, items[0], done, hooks);
    case "spawn":
      return spawn(resource, action, items[0], done);
    default: {
      const run = () => runAll(resource, name, items, done, hooks);
      return action.confirm ? ask(action, items, run) : run();
    }
  }
}

/** Open the creation form of another resource, with this item filled in. */
function spawn(resource, action, item, done) {
  const other = resourceOf(action.resource);
  const [name, spec] = Object.entries(other.fields).find(([, field]) => field.refers_to === resource.kind);
  return create(other, { fixed: { [name]: spec.kind === "references" ? [item.id] : item.id }, done, navigate: goTo });
}

function ask(action, items, run) {
  const { confirm } = action;
  const names = items.map(nameOf);
  const word = names.length === 1 ? names[0] : t("delete_word");
  const id = newId("confirm");
  const input = h("input", { type: "text", id, autocomplete: "off", spellcheck: "false", oninput: watch });
  const typed = confirm.types_name && h("div", { class: "field" }, h("label", { for: id }, t("type_name", { name: word })), input);
  const tick = h("input", { type: "checkbox", id: `${id}-tick`, onchange: watch });
  const ticked = confirm.acknowledge && h("div", { class: "field" }, h("label", { class: "tick", for: tick.id }, tick, confirm.acknowledge));
  const isDelete = action.kind === "delete";
  const dialog = openDialog({
    title: confirm.title,
    content: [
      remark(confirm.notice, isDelete ? "warning" : "info"),
      h("ul", { class: "names" }, names.map((name) => h("li", {}, name))),
      typed, ticked,
    ],
    submit: { label: confirm.submit, tone: isDelete ? "danger" : "", onclick: async () => { await run(); return true; } },
  });
  function watch() {
    dialog.primary.disabled = (typed && input.value.trim() !== word) || (ticked && !tick.checked);
  }
  watch();
}

async function runAll(resource, name, items, done, { before, undo }) {
  const action = resource.actions[name];
  const isDelete = action.kind === "delete";
  const isHidden = isDelete && before;
  if (isHidden) before(items);
  const refused = [];
  for (const item of items) {
    const path = `${resource.path}/${item.id}`;
    try {
      if (isDelete) await call("DELETE", path);
      else await call("POST", `${path}/${name}`, {});
    } catch (refusal) {
      if (!refusal.fields) throw refusal;
      refused.push({ item, text: refusal.message });
    }
  }
  if (isHidden && refused.length) undo(refused.map(({ item }) => item));
  tellOf(action, items, refused);
  done({ isGone: isDelete && refused.length < items.length });
}

/** One notice for what was done; of what was not, how much of it and why. */
function tellOf(action, items, refused) {
  const failed = new Set(refused.map(({ item }) => item.id));
  const names = items.filter((item) => !failed.has(item.id)).map(nameOf);
  if (names.length) notify(action.success.replaceAll("{name}", names.join(t("comma"))));
  if (!refused.length) return;
  const reasons = [...new Set(refused.map(({ text }) => text))].join(" ");
  notify(items.length === 1 ? reasons : t("some_failed", { number: refused.length, total: items.length, reasons }), "error");
}

/** A button for an action on an item. */
export function actionButton(resource, name, item, done, attributes = {}, hooks = {}) {
  const action = resource.actions[name];
  return button(action.label, () => perform(resource, name, [item], done, hooks), { disabled: !isAllowed(action, item), ...attributes });
}

/** The entries of a menu of actions. */
export const actionEntries = (resource, names, item, done, hooks = {}) =>
  names.map((name) => ({
    label: resource.actions[name].label,
    disabled: !isAllowed(resource.actions[name], item()),
    tone: resource.actions[name].kind === "delete" ? "danger" : "",
    onclick: () => perform(resource, name, [item()], done, hooks),
  }));
