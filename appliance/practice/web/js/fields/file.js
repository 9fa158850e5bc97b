// Files: dropped or chosen; what is sent is their name, size and content.
import { h, icon } from "../dom.js";
import { t } from "../cloud.js";
import { captioned } from "./frames.js";

const KILO = 1024;
const MOST = KILO * KILO; // bytes of a file that the cloud takes

/** How large a file is, in words. */
export function sizeInWords(bytes) {
  const number = Number(bytes);
  if (number < KILO) return `${number} B`;
  const units = ["KiB", "MiB", "GiB"];
  const power = Math.min(units.length, Math.floor(Math.log(number) / Math.log(KILO)));
  return `${(number / KILO ** power).toFixed(1)} ${units[power - 1]}`;
}

/** A zone that takes a dropped file, and opens the browser's file dialog when clicked. */
export function fileDrop(spec, start, { id, label }) {
  let chosen = null, reading = Promise.resolve(), refused = "";
  let complain = () => {};
  const said = h("span", { class: "said", id: `${id}-said` }, t("drop_file"));
  const target = h("input", {
    type: "file", id, class: "unseen", accept: spec.accept.join(",") || null, "aria-labelledby": `${label} ${id}-said`,
    "aria-required": spec.required ? "true" : null, onchange: () => take(target.files[0]),
  });
  const zone = h("label", { class: "drop", for: id, ondragover: (event) => hover(event, true), ondragleave: (event) => hover(event, false), ondrop: drop },
    icon("upload"), said, spec.accept.length > 0 && h("span", { class: "text" }, t("accepts", { types: spec.accept.join(", ") })), target);
  const line = h("div", { class: "file-line", hidden: true });
  const element = h("div", { class: "file" }, zone, line);

  function hover(event, isOver) {
    event.preventDefault();
    zone.classList.toggle("over", isOver);
  }
  function drop(event) {
    hover(event, false);
    take(event.dataTransfer.files[0]);
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  function take(file) {
    if (!file) return;
    refused = refusalOf(spec, file);
    chosen = null;
    reading = refused ? Promise.resolve() : read(file).then((content) => { chosen = { name: file.name, size: String(file.size), content }; });
    draw(refused ? null : file);
    if (refused) setTimeout(() => complain(refused)); // after the change that clears the message
  }
  function draw(file) {
    line.hidden = !file;
    if (!file) return;
    line.replaceChildren(icon("file"), h("span", { class: "name" }, file.name), h("span", { class: "text" }, sizeInWords(file.size)),
      h("button", { type: "button", class: "plain", "aria-label": t("remove_file", { name: file.name }), onclick: forget }, icon("close")));
  }
  function forget() {
    chosen = null;
    refused = target.value = "";
    draw(null);
    target.focus();
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  if (start?.name) draw(start);
  return {
    element, target, frame: captioned,
    // A file that the cloud has already is not sent again.
    value: () => chosen ?? (start?.name && !line.hidden ? undefined : null),
    said: () => chosen?.name ?? (line.hidden ? "" : start.name),
    problem: () => refused,
    ready: () => reading,
    onproblem: (tell) => { complain = tell; },
  };
}

/** Why a file is not taken; empty where it is. */
function refusalOf({ label, accept }, { name, size }) {
  if (accept.length && !accept.some((ending) => name.toLowerCase().endsWith(ending.toLowerCase())))
    return t("error_file_type", { label, types: accept.join(", ") });
  return size > MOST ? t("error_file_size", { label }) : "";
}

async function read(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const STEP = 0x8000; // as many arguments as every browser takes
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}
