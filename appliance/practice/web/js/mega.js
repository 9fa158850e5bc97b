// The product menu: all products by category, and a search over them.
import { h, icon, newId } from "./dom.js";
import { schema, t } from "./cloud.js";
import { closeMenu } from "./menu.js";
import { productAddress } from "./navigation.js";

/** The button and the panel that it opens. */
export function megaMenu() {
  const id = newId("products");
  const panel = h("nav", { class: "mega", id, "aria-label": t("products"), hidden: true });
  const trigger = h("button", { type: "button", class: "button top-button products", "aria-expanded": "false", "aria-controls": id, onclick: () => toggle(panel.hidden) }, icon("grid"), t("products"), icon("down"));
  const search = h("input", { type: "search", "aria-label": t("search_products"), placeholder: t("search_products"), autocomplete: "off", oninput: filter, onkeydown: keys });
  const nothing = h("p", { class: "empty", role: "status", hidden: true }, t("no_match"));
  const groups = Object.entries(schema.console.categories).map(([category, label]) => section(category, label)).filter(Boolean);
  panel.append(h("div", { class: "search" }, icon("search"), search), h("div", { class: "groups" }, ...groups), nothing);

  function toggle(isOpen) {
    closeMenu();
    panel.hidden = !isOpen;
    trigger.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) return;
    search.value = "";
    filter();
  }
  function filter() {
    const word = search.value.trim().toLowerCase();
    panel.querySelectorAll("li").forEach((line) => { line.hidden = !line.dataset.words.includes(word); });
    panel.querySelectorAll("section").forEach((group) => { group.hidden = !group.querySelector("li:not([hidden])"); });
    nothing.hidden = Boolean(panel.querySelector("li:not([hidden])"));
  }
  function keys(event) {
    if (event.key === "Enter" && search.value.trim()) panel.querySelector("li:not([hidden]) a")?.click();
  }
  document.addEventListener("click", (event) => {
    if (!panel.hidden && !trigger.contains(event.target) && (!panel.contains(event.target) || event.target.closest("a"))) toggle(false);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !panel.hidden) { toggle(false); trigger.focus(); } });
  return { trigger, panel };
}

function section(category, label) {
  const products = Object.entries(schema.products).filter(([, product]) => product.category === category);
  if (!products.length) return null;
  return h("section", {}, h("h2", {}, icon(category), label), h("ul", {}, products.map(([service, product]) =>
    h("li", { "data-words": wordsOf(product, label) }, h("a", { href: productAddress(service) }, product.menu), h("p", {}, product.summary)))));
}

/** What the search looks at: also the names of what a product has, as a reader may look for those. */
const wordsOf = (product, category) =>
  [product.menu, product.name, product.summary, category, ...Object.values(product.resources).map(({ plural }) => plural)].join(" ").toLowerCase();
