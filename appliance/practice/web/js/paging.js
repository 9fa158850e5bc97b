// The foot of a list: where it stands, its pages, how many rows a page has.
import { h, icon, newId } from "./dom.js";
import { t } from "./cloud.js";

const SIZES = [10, 20, 50];
const MOST_SHOWN = 7;

/** Draw the foot for an answer; `change({page, per_page})` asks for another page. */
export function pageFoot({ total, page, per_page: size, items }, change) {
  const pages = Math.max(1, Math.ceil(total / size));
  const from = (page - 1) * size + 1;
  const to = (number, label, attributes = {}) =>
    h("button", { type: "button", class: "button page", onclick: () => change({ page: number }), ...attributes }, label);
  const id = newId("size");
  const select = h("select", { id, onchange: () => change({ page: 1, per_page: Number(select.value) }) },
    [...new Set([...SIZES, size])].sort((a, b) => a - b).map((value) => h("option", { value }, String(value))));
  select.value = String(size);
  return [
    h("span", { class: "range" }, total ? t("range", { from, to: from + items.length - 1, total }) : ""),
    h("div", { class: "size" }, h("label", { for: id }, t("page_size")), select),
    h("nav", { "aria-label": t("pages") },
      to(page - 1, icon("left"), { "aria-label": t("previous_page"), disabled: page === 1 }),
      numbers(page, pages).map((number) => number
        ? to(number, String(number), { "aria-label": t("page_number", { number }), "aria-current": number === page ? "page" : null })
        : h("span", { class: "gap", "aria-hidden": "true" }, "…")),
      to(page + 1, icon("right"), { "aria-label": t("next_page"), disabled: page === pages })),
  ];
}

/** The page numbers that are shown; 0 stands for a gap. */
function numbers(page, pages) {
  if (pages <= MOST_SHOWN) return Array.from({ length: pages }, (_, number) => number + 1);
  const near = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages);
  const shown = [...new Set(near)].sort((a, b) => a - b);
  return shown.flatMap((number, at) => (at && number - shown[at - 1] > 1 ? [0, number] : [number]));
}
