// Code: an editor of the page's own making, with numbered lines.
import { h } from "../dom.js";
import { t } from "../cloud.js";
import { captioned } from "./frames.js";

/** A contenteditable box; where the field must be JSON, that is checked when the focus leaves it. */
export function codeEditor(spec, start, { id, label }) {
  let complain = () => {};
  const gutter = h("div", { class: "gutter", "aria-hidden": "true" });
  const target = h("div", {
    id, class: "code", role: "textbox", contenteditable: "true", "aria-multiline": "true", "aria-labelledby": label, "aria-required": spec.required ? "true" : null,
    "data-placeholder": spec.placeholder, spellcheck: "false", oninput: number, onkeydown: keys, onpaste: paste, onblur: () => { const text = problem(); if (text) complain(text); },
  }, start);
  const text = () => target.innerText.replaceAll("\u00a0", " ").trimEnd();
  function number() {
    // The browser leaves a line break behind when everything was deleted.
    if (!text()) target.replaceChildren();
    const lines = Math.max(1, target.innerText.replace(/\n$/, "").split("\n").length);
    gutter.replaceChildren(...Array.from({ length: lines }, (_, at) => h("div", {}, String(at + 1))));
  }
  function problem() {
    if (spec.language !== "json" || !text()) return "";
    try {
      JSON.parse(text());
      return "";
    } catch (error) {
      return t("error_json", { label: spec.label, line: lineOf(error, text()) });
    }
  }
  function keys(event) {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    document.execCommand("insertLineBreak");
  }
  function paste(event) {
    event.preventDefault();
    document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
  }
  number();
  requestAnimationFrame(number);
  return { element: h("div", { class: "editor" }, gutter, target), target, frame: captioned, value: text, problem, onproblem: (tell) => { complain = tell; } };
}

/** The line that a JSON error is on: the browser says where it stopped, or that the text ended. */
function lineOf({ message }, text) {
  const place = /position (\d+)/.exec(message);
  return text.slice(0, place ? Number(place[1]) : text.length).split("\n").length;
}
