// Days and times.
import { h, icon } from "../dom.js";
import { t } from "../cloud.js";
import { makeCalendar } from "./calendar.js";

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

const required = (spec) => ({ "aria-required": spec.required ? "true" : null });

/** The day that a text names, at noon; null where it names none. */
function dayOf(text) {
  const found = DAY.exec(text);
  if (!found) return null;
  const [year, month, day] = found.slice(1).map(Number);
  const date = new Date(year, month - 1, day, 12);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : null;
}

const two = (number) => String(number).padStart(2, "0");
const textOf = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** An input for a day, and a calendar to pick it from. */
export function calendar(spec, start, { id }) {
  let popup = null;
  const target = h("input", { type: "text", id, value: start, placeholder: "YYYY-MM-DD", autocomplete: "off", spellcheck: "false", ...required(spec) });
  const opener = h("button", { type: "button", class: "plain", "aria-label": t("open_calendar"), "aria-haspopup": "dialog", "aria-expanded": "false", onclick: () => (popup ? close() : open()) }, icon("calendar"));
  const element = h("div", { class: "date-box", onkeydown: keys }, target, opener);
  function open() {
    popup = makeCalendar({ label: spec.label, chosen: dayOf(target.value.trim()), onpick: (date) => { target.value = textOf(date); close(); element.dispatchEvent(new Event("change", { bubbles: true })); } });
    element.append(popup.element);
    opener.setAttribute("aria-expanded", "true");
    popup.element.scrollIntoView({ block: "nearest" });
    popup.focus();
    document.addEventListener("mousedown", leave, true);
  }
  function close({ isLeft = false } = {}) {
    popup.element.remove();
    popup = null;
    opener.setAttribute("aria-expanded", "false");
    document.removeEventListener("mousedown", leave, true);
    if (!isLeft) opener.focus();
  }
  const leave = (event) => { if (popup && !element.contains(event.target)) close({ isLeft: true }); };
  function keys(event) {
    if (event.key !== "Escape" || !popup) return;
    event.stopPropagation();
    close();
  }
  return {
    element, target,
    value: () => target.value.trim(),
    problem: () => (target.value.trim() && !dayOf(target.value.trim()) ? t("error_date", { label: spec.label }) : ""),
  };
}

/** The browser's own input for a day. */
export function nativeDate(spec, start, { id }) {
  const element = h("input", { type: "date", id, value: start, ...required(spec) });
  return { element, value: () => element.value, problem: () => (element.validity.badInput ? t("error_date", { label: spec.label }) : "") };
}

/** The browser's own input for a time of day. */
export function nativeTime(spec, start, { id }) {
  const element = h("input", { type: "time", id, value: start, ...required(spec) });
  return { element, value: () => element.value.slice(0, 5), problem: () => (element.validity.badInput ? t("error_time", { label: spec.label }) : "") };
}
