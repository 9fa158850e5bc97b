// A month to pick a day from, with the keys that calendars have.
import { h, icon, newId } from "../dom.js";
import { schema, t } from "../cloud.js";

const NOON = 12;
const DAYS = 7;
const A_MONDAY = 6; // the sixth of January 2025; weeks begin with Monday

const locale = () => (schema.language === "zh" ? "zh-CN" : "en-GB");
const say = (date, style) => new Intl.DateTimeFormat(locale(), style).format(date);
const moved = (date, { days = 0, months = 0 }) => new Date(date.getFullYear(), date.getMonth() + months, date.getDate() + days, NOON);
const isSameDay = (one, other) => one?.toDateString() === other?.toDateString();

/** The calendar; `onpick` is told the day. */
export function makeCalendar({ label, chosen, onpick }) {
  const today = new Date();
  let at = chosen ?? moved(today, {}); // the day that has or would have the focus
  const month = h("div", { class: "month", id: newId("month"), "aria-live": "polite" });
  const body = h("tbody");
  const names = Array.from({ length: DAYS }, (_, number) => new Date(2025, 0, A_MONDAY + number, NOON));
  const table = h("table", { role: "grid", "aria-labelledby": month.id, onkeydown: keys },
    h("thead", {}, h("tr", {}, names.map((day) => h("th", { scope: "col", abbr: say(day, { weekday: "long" }) }, say(day, { weekday: schema.language === "zh" ? "narrow" : "short" }))))), body);
  const turn = (name, sign, months) => h("button", { type: "button", class: "plain", "aria-label": t(name), onclick: () => { at = sameMonthDay(months); draw(); } }, icon(sign));
  const element = h("div", { class: "calendar", role: "dialog", "aria-label": label },
    h("div", { class: "head" }, turn("previous_month", "left", -1), month, turn("next_month", "right", 1)), table);

  /** The same day some months on; the month's last day where it has fewer. */
  function sameMonthDay(months) {
    const last = new Date(at.getFullYear(), at.getMonth() + months + 1, 0, NOON).getDate();
    return new Date(at.getFullYear(), at.getMonth() + months, Math.min(at.getDate(), last), NOON);
  }
  function draw() {
    month.replaceChildren(say(at, { year: "numeric", month: "long" }));
    const first = new Date(at.getFullYear(), at.getMonth(), 1, NOON);
    const start = moved(first, { days: -((first.getDay() + DAYS - 1) % DAYS) });
    const weeks = Math.ceil(((first.getDay() + DAYS - 1) % DAYS + new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate()) / DAYS);
    body.replaceChildren(...Array.from({ length: weeks }, (_, week) =>
      h("tr", {}, Array.from({ length: DAYS }, (__, day) => cell(moved(start, { days: week * DAYS + day }))))));
  }
  function cell(day) {
    if (day.getMonth() !== at.getMonth()) return h("td", {});
    return h("td", { "aria-selected": isSameDay(day, chosen) ? "true" : null }, h("button", {
      type: "button", class: "day", tabindex: isSameDay(day, at) ? "0" : "-1", "aria-label": say(day, { day: "numeric", month: "long", year: "numeric" }),
      "aria-current": isSameDay(day, today) ? "date" : null, onclick: () => onpick(day),
    }, String(day.getDate())));
  }
  function keys(event) {
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -DAYS, ArrowDown: DAYS }[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    if (!days && !months) return;
    event.preventDefault();
    at = days ? moved(at, { days }) : sameMonthDay(months);
    draw();
    focus();
  }
  const focus = () => body.querySelector("[tabindex='0']").focus();
  draw();
  return { element, focus };
}
