// Forms of resources: in a dialog, on a page, or as a wizard.
import { button, h } from "./dom.js";
import { call, shownFields, t } from "./cloud.js";
import { alertBox, openDialog, remark } from "./dialog.js";
import { makeField, problemOf } from "./fields.js";
import { plain } from "./format.js";
import { notify } from "./notices.js";

/** The fields of a form, made once; `fixed` are values that are not asked for. */
class FieldSet {
  constructor(resource, names, values = {}, fixed = {}) {
    this.fixed = fixed;
    this.fields = {};
    const ask = (name) => this.fields[name] ?? (name in fixed ? { value: () => fixed[name], onchange: () => {} } : null);
    for (const name of shownFields(resource, names))
      if (!(name in fixed)) this.fields[name] = makeField(name, resource.fields[name], values[name], ask);
  }
  async load() {
    for (const field of Object.values(this.fields)) await field.load?.();
  }
  elements(names) {
    return names.map((name) => this.fields[name]?.element).filter(Boolean);
  }
  /** Show what is wrong with some fields; whether nothing is. */
  check(names = Object.keys(this.fields)) {
    const wrong = names.map((name) => this.fields[name]).filter(Boolean).filter((field) => {
      const problem = problemOf(field);
      field.show(problem);
      return problem;
    });
    wrong[0]?.focus();
    return !wrong.length;
  }
  values() {
    return { ...this.fixed, ...Object.fromEntries(Object.values(this.fields).map((field) => [field.name, field.value()])) };
  }
  /** Show a refusal beside its fields; whether it concerns any. */
  show(refusal) {
    const named = Object.keys(refusal.fields).filter((name) => this.fields[name]);
    named.forEach((name) => this.fields[name].show(refusal.fields[name]));
    this.fields[named[0]]?.focus();
    return named;
  }
}

const said = (text, item) => text.replaceAll("{name}", item.values.name);
const namesOf = (form) => form.steps.flatMap((step) => step.fields);

/** Create an item in a dialog. */
export async function createInDialog(resource, action, { fixed, done }) {
  const names = namesOf(action.form);
  const fields = new FieldSet(resource, names, {}, fixed);
  await fields.load();
  openDialog({
    title: action.form.title,
    content: [action.form.intro && remark(action.form.intro), ...fields.elements(names)],
    onRefusal: (refusal) => fields.show(refusal).length,
    submit: { label: action.form.submit, onclick: async () => {
      if (!fields.check()) return false;
      const item = await call("POST", resource.path, fields.values());
      notify(said(action.success, item));
      done();
      return true;
    } },
  });
}

/** Change fields of an item in a dialog. */
export async function editInDialog(resource, name, action, item, done) {
  const fields = new FieldSet(resource, action.fields, item.values);
  await fields.load();
  openDialog({
    title: action.title ?? action.label,
    content: [action.notice && remark(action.notice), ...fields.elements(action.fields)],
    onRefusal: (refusal) => fields.show(refusal).length,
    submit: { label: action.submit ?? t("save"), onclick: async () => {
      if (!fields.check()) return false;
      const changed = await call("POST", `${resource.path}/${item.id}/${name}`, fields.values());
      notify(said(action.success, changed));
      done();
      return true;
    } },
  });
}

/** A page with all sections of a form. */
export async function formPage(resource, action, { done, leave }) {
  const { form } = action;
  const fields = new FieldSet(resource, namesOf(form));
  await fields.load();
  const problem = h("div", { class: "slot" });
  const submit = button(form.submit, run, { class: "button primary", type: "submit" });
  async function run(event) {
    event.preventDefault();
    problem.replaceChildren();
    if (!fields.check()) return;
    try {
      const item = await call("POST", resource.path, fields.values());
      notify(said(action.success, item));
      done(item);
    } catch (refusal) {
      if (!fields.show(refusal).length) problem.replaceChildren(alertBox(refusal.message));
    }
  }
  return h("form", { novalidate: true, onsubmit: run, class: "form-page", "aria-label": form.title },
    h("h1", {}, form.title), form.intro && remark(form.intro), problem,
    form.steps.map((step) => h("section", { class: "panel" }, h("h2", {}, step.title), fields.elements(step.fields))),
    h("footer", { class: "bar" }, button(t("cancel"), leave), submit));
}

/** A wizard: one step after the other, the last may be a review. */
export async function wizard(resource, action, { done, leave }) {
  const { form } = action;
  const fields = new FieldSet(resource, namesOf(form));
  await fields.load();
  let at = 0;
  const page = h("form", { novalidate: true, class: "wizard", "aria-label": form.title, onsubmit: (event) => { event.preventDefault(); go(1); } });
  async function go(step) {
    if (step > 0 && !fields.check(form.steps[at].fields)) return;
    if (at + step === form.steps.length) return finish();
    at += step;
    draw();
  }
  async function finish() {
    try {
      const item = await call("POST", resource.path, fields.values());
      notify(said(action.success, item));
      done(item);
    } catch (refusal) {
      const [first] = fields.show(refusal);
      if (first) at = form.steps.findIndex((step) => step.fields.includes(first));
      draw(first ? "" : refusal.message);
    }
  }
  function draw(problem = "") {
    const step = form.steps[at];
    const isLast = at === form.steps.length - 1;
    page.replaceChildren(
      h("h1", {}, form.title),
      h("div", { class: "columns" },
        h("ol", { class: "steps", "aria-label": t("steps") }, form.steps.map((other, number) =>
          h("li", { class: number < at ? "past" : number === at ? "now" : "", "aria-current": number === at ? "step" : null }, h("span", { class: "number", "aria-hidden": "true" }, number + 1), h("span", {}, other.title)))),
        h("section", { class: "panel" },
          h("p", { class: "count" }, t("step_of", { number: at + 1, total: form.steps.length })),
          h("h2", {}, step.title), problem && alertBox(problem),
          step.fields.length ? fields.elements(step.fields) : review(resource, form, fields))),
      h("footer", { class: "bar" },
        button(t("cancel"), leave),
        at > 0 && button(t("back"), () => go(-1)),
        button(isLast ? form.submit : t("next"), () => go(1), { class: "button primary" })));
  }
  draw();
  return page;
}

function review(resource, form, fields) {
  const asked = form.steps.filter((step) => step.fields.length);
  return [h("p", {}, t("review")), ...asked.map((step) => [
    h("h3", {}, step.title),
    h("dl", { class: "facts" }, shownFields(resource, step.fields).map((name) => {
      const { spec, element, value } = fields.fields[name];
      const chosen = spec.kind === "reference" ? element.querySelector("select").selectedOptions[0]?.textContent : plain(resource, name, value());
      return h("div", {}, h("dt", {}, spec.label), h("dd", {}, chosen || t("nothing")));
    })),
  ])];
}
