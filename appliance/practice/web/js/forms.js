// Forms of resources: in a modal dialog or a drawer, on a page, inside another document.
import { button, h } from "./dom.js";
import { call, t } from "./cloud.js";
import { givenByAddress } from "./address.js";
import { about, reveal, send } from "./creation.js";
import { alertBox, openDialog, remark } from "./dialog.js";
import { FieldSet, namesOf } from "./fieldset.js";
import { notify } from "./notices.js";
import { sidePanel } from "./panel.js";

export { wizard } from "./wizard.js";

/** Show a refusal in its fields; whether it concerned any. */
function tell(fields, refusal) {
  const [first] = fields.show(refusal);
  fields.focus(first);
  return Boolean(first);
}

/** Create an item in a dialog. */
export async function createInDialog(resource, action, { fixed, done }) {
  const { form } = action;
  const names = namesOf(form);
  const fields = new FieldSet(resource, names, { fixed });
  await fields.load();
  const panel = await sidePanel(resource, form, fields);
  const sections = form.steps.length > 1 ? sectionsOf(form, fields, "h3") : fields.elements(names);
  let item = null;
  openDialog({
    title: form.title,
    layout: form.layout,
    content: [form.intro && remark(form.intro), sections, panel],
    onRefusal: (refusal) => tell(fields, refusal),
    submit: { label: form.submit, onclick: async () => {
      if (!(await fields.check())) return false;
      item = await send(resource, action, fields);
      return true;
    } },
    onclose: () => item && reveal(resource, item, done),
  });
}

/** Change fields of an item in a dialog. `before` and `undo`: see `perform`. */
export async function editInDialog(resource, name, item, done, { before, undo } = {}) {
  const action = resource.actions[name];
  const fields = new FieldSet(resource, action.fields, { item, requires: action.requires });
  await fields.load();
  openDialog({
    title: action.title ?? action.label,
    layout: action.layout,
    content: [action.notice && remark(action.notice), fields.elements(action.fields)],
    onRefusal: (refusal) => tell(fields, refusal),
    submit: { label: action.submit ?? t("save"), onclick: async () => {
      if (!(await fields.check())) return false;
      if (before) saveBehind(resource, name, item, fields.values(), { done, before, undo });
      else { await save(resource, name, item, fields.values()); done(); }
      return true;
    } },
  });
}

async function save(resource, name, item, values, { isQuiet = false } = {}) {
  const changed = await call("POST", `${resource.path}/${item.id}/${name}`, values);
  if (!isQuiet) notify(about(resource.actions[name].success, changed));
  return changed;
}

/** The row shows the change at once, and takes it back when the cloud refuses it. */
async function saveBehind(resource, name, item, values, { done, before, undo }) {
  before([item], values);
  try {
    await save(resource, name, item, values);
  } catch (refusal) {
    if (!refusal.fields) throw refusal;
    undo([item]);
    notify(refusal.message, "error");
  }
  done();
}

/** The form of an edit by itself, as it stands in an embedded frame. */
export async function inlineEdit(resource, name, item, done, options = {}) {
  const action = resource.actions[name];
  const fields = new FieldSet(resource, action.fields, { item, requires: action.requires });
  await fields.load();
  return sentBy(fields, action.submit ?? t("save"), {
    name: action.title ?? action.label, shape: "inline-form",
    run: async () => done(await save(resource, name, item, fields.values(), options)),
    inside: (problem, submit) => [action.notice && remark(action.notice), problem, fields.elements(action.fields), h("footer", { class: "bar" }, submit)],
  });
}

/** A page with all sections of a form. */
export async function formPage(resource, action, { done, leave }) {
  const { form } = action;
  const fields = new FieldSet(resource, namesOf(form), { given: givenByAddress(resource) });
  await fields.load();
  const panel = await sidePanel(resource, form, fields);
  const sections = sectionsOf(form, fields, "h2", { class: "panel" });
  return sentBy(fields, form.submit, {
    name: form.title, shape: "form-page",
    run: async () => { const item = await send(resource, action, fields); reveal(resource, item, () => done(item)); },
    inside: (problem, submit) => [
      h("h1", {}, form.title), form.intro && remark(form.intro), problem,
      h("div", { class: panel ? "columns" : "" }, h("div", {}, sections), panel),
      h("footer", { class: "bar" }, button(t("cancel"), leave), submit)],
  });
}

/** The sections of a form; one that asks for nothing at the moment is not shown. */
function sectionsOf(form, fields, heading, attributes = {}) {
  return form.steps.filter((step) => fields.elements(step.fields).length).map((step) => {
    const section = h("section", attributes, h(heading, {}, step.title), fields.elements(step.fields));
    const draw = () => { section.hidden = !fields.shown(step.fields).length; };
    draw();
    fields.onchange(draw);
    return section;
  });
}

/** A form element that is checked and then sent, once at a time. */
function sentBy(fields, label, { name, shape, run, inside }) {
  const problem = h("div", { class: "slot" });
  const submit = button(label, null, { class: "button primary", type: "submit" });
  async function onsubmit(event) {
    event.preventDefault();
    if (submit.getAttribute("aria-busy")) return;
    submit.setAttribute("aria-busy", "true");
    problem.replaceChildren();
    try {
      if (await fields.check()) await run();
    } catch (refusal) {
      if (!refusal.fields) throw refusal;
      if (!tell(fields, refusal)) {
        problem.replaceChildren(alertBox(refusal.message));
        problem.scrollIntoView({ block: "nearest" });
      }
    } finally {
      submit.removeAttribute("aria-busy");
    }
  }
  return h("form", { novalidate: true, onsubmit, class: shape, "aria-label": name }, inside(problem, submit));
}
