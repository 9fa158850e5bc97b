// Makes elements. Nothing here knows about the cloud.

let counter = 0;

/** A new id for an element. */
export const newId = (word = "e") => `${word}-${++counter}`;

/** An element: `h("button", {class: "primary", onclick}, "Save")`. Falsy attributes and children are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...flat(children));
  return element;
}

const flat = (children) => children.flat(3).filter((child) => child !== false && child != null && child !== "");

const PATHS = {
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  left: "M10 4L6 8l4 4",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3.5 8.5l3 3 6-7",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3.2 3.2",
  grid: "M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z",
  user: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.8 14c.6-2.8 2.6-4 5.2-4s4.6 1.2 5.2 4",
  globe: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 2 2.6 4 2.6 6S10 12 8 14M8 2C6 4 5.4 6 5.4 8S6 12 8 14",
  menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  help: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.2 6.3a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.2M8 11.2v.2",
  calendar: "M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v2.5M10.5 2v2.5",
  upload: "M8 10.5V3M5 5.8L8 3l3 2.8M2.5 10.5v3h11v-3",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  warning: "M8 2.2L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.2v3.8M8 5v.2",
  compute: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM4.8 5v.1M4.8 11v.1",
  storage: "M2.5 4c0-1 2.5-1.8 5.5-1.8S13.5 3 13.5 4 11 5.8 8 5.8 2.5 5 2.5 4zM2.5 4l1 8.4c.1.8 2 1.4 4.5 1.4s4.4-.6 4.5-1.4l1-8.4",
  databases: "M3 4c0-1.1 2.2-2 5-2s5 .9 5 2-2.2 2-5 2-5-.9-5-2zM3 4v8c0 1.1 2.2 2 5 2s5-.9 5-2V4M3 8c0 1.1 2.2 2 5 2s5-.9 5-2",
  security: "M8 1.8l5 2v4c0 3.2-2.1 5.4-5 6.4-2.9-1-5-3.2-5-6.4v-4zM5.8 8l1.6 1.6 2.9-3.2",
  operations: "M2.5 13.5v-11M2.5 13.5h11M4.8 10.5l2.6-3.2 2.2 1.8 3.4-4.6",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  fold: "M9 4L5 8l4 4M13 4L9 8l4 4",
  unfold: "M3 4l4 4-4 4M7 4l4 4-4 4",
  place: "M8 14.2C5 11 3.4 8.7 3.4 6.6a4.6 4.6 0 0 1 9.2 0C12.6 8.7 11 11 8 14.2zM8 8.2A1.6 1.6 0 1 0 8 5a1.6 1.6 0 0 0 0 3.2z",
  networking: "M6.2 2.5h3.6v3H6.2zM2 10.5h3.6v3H2zM10.4 10.5H14v3h-3.6zM8 5.5V8M3.8 10.5V8h8.4v2.5",
};

/** A small picture; it says nothing to screen readers. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** A button. */
export const button = (label, onclick, attributes = {}, ...before) =>
  h("button", { type: "button", class: "button", onclick, ...attributes }, ...before, label);

/** The text with `{name}` replaced. */
export const fill = (text, values) =>
  Object.entries(values).reduce((said, [name, value]) => said.replaceAll(`{${name}}`, value), text);
