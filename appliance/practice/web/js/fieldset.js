// The fields of one form: which are shown, what they hold, what is wrong with them.
import { call, resourceOf, shownFields } from "./cloud.js";
import { problemOf } from "./checks.js";
import { makeField } from "./fields/index.js";

export class FieldSet {
  /**
   * `item` is what is edited; `given` stands in the fields at first; `fixed` is not asked for;
   * `requires` must be filled in here, though the item can be without.
   */
  constructor(resource, names, { item = null, given = {}, fixed = {}, requires = [] } = {}) {
    this.resource = resource;
    this.requires = requires;
    this.item = item;
    this.fixed = fixed;
    this.given = { ...item?.values, ...given };
    this.names = askedFor(resource, names).filter((name) => !(name in fixed));
    this.fields = {};
    this.listeners = [];
  }

  /** Make the fields, and wait until they know their options. */
  async load() {
    await this.completeGiven();
    for (const name of this.names) {
      const spec = this.resource.fields[name];
      const required = spec.required || this.requires.includes(name);
      this.fields[name] = makeField(name, { ...spec, required }, this.given[name], (other) => this.ask(other));
      this.fields[name].onchange(() => this.refresh());
    }
    for (const field of Object.values(this.fields)) await field.load?.();
    this.refresh();
  }

  /** What is given within something else says what that is: a subnet, its network. */
  async completeGiven() {
    if (this.item) return;
    for (const name of this.names) {
      const { within, refers_to: kind } = this.resource.fields[name];
      if (!kind || !within || !this.given[name] || this.given[within] || within in this.fixed) continue;
      const other = await call("GET", `${resourceOf(kind).path}/${this.given[name]}`);
      this.given[within] = other.values[within];
    }
  }

  ask(name) {
    if (name in this.fields) return this.fields[name];
    const value = this.valueOf(name);
    return value ? { value: () => value, onchange: () => {} } : null;
  }

  /** What a field holds now, whether it is asked for or not. */
  valueOf(name) {
    if (name in this.fixed) return this.fixed[name];
    if (name in this.fields && this.isShown(name)) return this.fields[name].value();
    return this.item?.values[name] ?? this.resource.fields[name]?.default ?? null;
  }

  isShown(name) {
    const condition = this.resource.fields[name]?.shown_if;
    if (!condition) return true;
    const held = [this.valueOf(condition.field)].flat();
    return held.some((value) => condition.values.includes(value)) && this.isShown(condition.field);
  }

  /** Fields appear and vanish as the others change. */
  refresh() {
    for (const [name, field] of Object.entries(this.fields)) field.element.hidden = !this.isShown(name);
    this.listeners.forEach((tell) => tell());
  }

  onchange(tell) {
    this.listeners.push(tell);
  }

  /** The fields that are asked for now, of some. */
  shown(names = this.names) {
    return names.filter((name) => name in this.fields && this.isShown(name)).map((name) => this.fields[name]);
  }

  elements(names) {
    return names.map((name) => this.fields[name]?.element).filter(Boolean);
  }

  /** Show what is wrong with some fields; whether nothing is. Files are read before. */
  async check(names = this.names) {
    const fields = this.shown(names);
    await Promise.all(fields.map((field) => field.ready?.()));
    const wrong = fields.filter((field) => {
      const problem = problemOf(field);
      field.show(problem);
      return problem;
    });
    wrong[0]?.focus();
    return !wrong.length;
  }

  /** What is sent: not what is hidden, and in an edit no secret that was left alone. */
  values() {
    const given = this.shown().map((field) => [field.name, field.value(), field.spec.kind]);
    const sent = given.filter(([, value, kind]) => value !== undefined && !(this.item && kind === "secret" && value === ""));
    return { ...this.fixed, ...Object.fromEntries(sent) };
  }

  /** Show a refusal beside its fields; the names of those it concerns. */
  show(refusal) {
    const named = Object.keys(refusal.fields).filter((name) => this.fields[name] && this.isShown(name));
    named.forEach((name) => this.fields[name].show(refusal.fields[name]));
    return named;
  }

  focus(name) {
    this.fields[name]?.focus();
  }
}

/** The fields that a person enters: not what the cloud makes, nor what is hidden. */
export const askedFor = (resource, names) =>
  shownFields(resource, names).filter((name) => !resource.fields[name].generated);

/** All fields of a form. */
export const namesOf = (form) => form.steps.flatMap((step) => step.fields);
