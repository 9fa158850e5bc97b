// A form in steps, one after the other; the last may be a review.
import { button, h } from "./dom.js";
import { t } from "./cloud.js";
import { givenByAddress } from "./address.js";
import { reveal, send } from "./creation.js";
import { alertBox, remark } from "./dialog.js";
import { FieldSet, namesOf } from "./fieldset.js";
import { plain } from "./format.js";
import { sidePanel } from "./panel.js";

/** The page of a wizard. */
export async function wizard(resource, action, { done, leave }) {
  const { form } = action;
  const fields = new FieldSet(resource, namesOf(form), { given: givenByAddress(resource) });
  await fields.load();
  const panel = await sidePanel(resource, form, fields);
  let at = 0, isBusy = false;
  const page = h("form", { novalidate: true, class: "wizard", "aria-label": form.title, onsubmit: (event) => { event.preventDefault(); go(1); } });

  async function go(step) {
    if (isBusy) return;
    isBusy = true;
    try {
      if (step > 0 && !(await fields.check(form.steps[at].fields))) return;
      if (at + step === form.steps.length) return await finish();
      at += step;
      draw();
      page.querySelector("section h2").focus({ preventScroll: true });
    } finally {
      isBusy = false;
    }
  }
  async function finish() {
    try {
      const item = await send(resource, action, fields);
      reveal(resource, item, () => done(item));
    } catch (refusal) {
      if (!refusal.fields) throw refusal;
      const [first] = fields.show(refusal);
      if (first) at = form.steps.findIndex((step) => step.fields.includes(first));
      draw(first ? "" : refusal.message);
      fields.focus(first);
    }
  }
  function draw(problem = "") {
    const step = form.steps[at];
    const isLast = at === form.steps.length - 1;
    page.replaceChildren(
      h("h1", {}, form.title), ...(form.intro ? [remark(form.intro)] : []),
      h("div", { class: `columns ${panel ? "three" : ""}`.trim() },
        h("ol", { class: "steps", "aria-label": t("steps") }, form.steps.map(mark)),
        h("section", { class: "panel" },
          h("p", { class: "count" }, t("step_of", { number: at + 1, total: form.steps.length })),
          h("h2", { tabindex: "-1" }, step.title), problem && alertBox(problem),
          step.fields.length ? fields.elements(step.fields) : review(form, fields)),
        panel),
      h("footer", { class: "bar" },
        button(t("cancel"), leave),
        at > 0 && button(t("back"), () => go(-1)),
        button(isLast ? form.submit : t("next"), null, { class: "button primary", type: "submit" })));
  }
  const mark = (step, number) =>
    h("li", { class: number < at ? "past" : number === at ? "now" : "", "aria-current": number === at ? "step" : null }, h("span", { class: "number", "aria-hidden": "true" }, number + 1), h("span", {}, step.title));
  draw();
  return page;
}

function review(form, fields) {
  const asked = form.steps.filter((step) => fields.shown(step.fields).length);
  return [h("p", {}, t("review")), asked.map((step) => [
    h("h3", {}, step.title),
    h("dl", { class: "facts" }, fields.shown(step.fields).map((field) =>
      h("div", {}, h("dt", {}, field.spec.label), h("dd", {}, inWords(fields.resource, field) || t("nothing"))))),
  ])];
}

const inWords = (resource, { name, said, value }) => (said ? said() : plain(resource, name, value()));
