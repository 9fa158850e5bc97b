// Keys and values.
import { button, h, icon } from "../dom.js";
import { t } from "../cloud.js";
import { grouped } from "./frames.js";

/** One row for each key and its value. */
export function tags(spec, start) {
  const rows = h("div", { class: "tag-rows" });
  const add = (key = "", value = "") => {
    const row = h("div", { class: "tag-row" },
      h("input", { type: "text", class: "key", "aria-label": t("tag_key"), placeholder: t("tag_key"), value: key, autocomplete: "off" }),
      h("input", { type: "text", class: "value", "aria-label": t("tag_value"), placeholder: t("tag_value"), value, autocomplete: "off" }),
      h("button", { type: "button", class: "plain", "aria-label": t("remove_tag"), onclick: () => { row.remove(); tell(); } }, icon("close")));
    rows.append(row);
    return row;
  };
  const tell = () => element.dispatchEvent(new Event("change", { bubbles: true }));
  Object.entries(start).forEach(([key, value]) => add(key, value));
  const more = button(t("add_tag"), () => add().querySelector("input").focus(), { class: "button small" }, icon("plus"));
  const element = h("div", {}, rows, more);
  const pairs = () => [...rows.children]
    .map((row) => [row.querySelector(".key").value.trim(), row.querySelector(".value").value.trim()])
    .filter(([key, text]) => key || text);
  return {
    element, frame: grouped(""),
    focus: () => (rows.querySelector("input") ?? more).focus(),
    value: () => Object.fromEntries(pairs()),
    problem: () => (pairs().some(([key]) => !key) ? t("error_tag_key") : ""),
  };
}
