// One of several: a drop-down of bare `div`s. Many a console has it: no role, no focus, no label.
import { h, icon } from "../dom.js";
import { t } from "../cloud.js";
import { bare } from "./frames.js";

/** A drop-down that says nothing of itself; its list hangs at the end of the page. */
export function plainSelect(spec, start) {
  let options = [], chosen = "", list = null, isDisabled = false;
  const shown = h("div", { class: "plain-value", onclick: () => (list ? close() : open()) });
  const element = h("div", { class: "plain-select" }, shown, icon("down"));

  function fillWith(given, value) {
    options = given;
    chosen = options.some((option) => option.value === value) ? value : "";
    draw();
  }
  const said = () => options.find((option) => option.value === chosen)?.label ?? "";
  function draw() {
    shown.replaceChildren(said() || (spec.placeholder ?? t("choose")));
    shown.classList.toggle("blank", !said());
  }
  function open() {
    if (isDisabled) return;
    list = h("div", { class: "plain-list" }, options.map((option) =>
      h("div", { class: `plain-option ${option.value === chosen ? "chosen" : ""}`.trim(), onclick: () => choose(option.value) }, option.label)));
    document.body.append(list);
    place();
    element.classList.add("open");
    for (const [kind, listen] of LISTENERS) document.addEventListener(kind, listen, true);
    addEventListener("popstate", close);
  }
  function place() {
    const box = element.getBoundingClientRect();
    const isAbove = box.bottom + list.offsetHeight + 8 > innerHeight && box.top > list.offsetHeight + 8;
    list.style.width = `${box.width}px`;
    list.style.left = `${box.left}px`;
    list.style.top = `${isAbove ? box.top - list.offsetHeight - 4 : box.bottom + 4}px`;
  }
  function follow(event) {
    if (list.contains(event.target)) return;
    if (element.isConnected) place(); else close();
  }
  function close() {
    list?.remove();
    list = null;
    element.classList.remove("open");
    for (const [kind, listen] of LISTENERS) document.removeEventListener(kind, listen, true);
    removeEventListener("popstate", close);
  }
  const leave = (event) => { if (!list.contains(event.target) && !element.contains(event.target)) close(); };
  function keys(event) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  }
  const LISTENERS = [["mousedown", leave], ["focusin", leave], ["scroll", follow], ["keydown", keys]];
  function choose(value) {
    chosen = value;
    close();
    draw();
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  draw();
  return {
    element, fillWith, said, frame: bare,
    value: () => chosen,
    setDisabled: (is) => { isDisabled = is; element.classList.toggle("disabled", is); },
  };
}
