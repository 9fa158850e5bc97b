// What is around every page: top bar with product menu, side navigation, breadcrumbs.
import { h, icon, newId } from "./dom.js";
import { call, schema, t } from "./cloud.js";
import { closeMenu, menuButton } from "./menu.js";

const LANGUAGES = { en: "English", zh: "中文" };

/** The frame; `main` and `crumbs` and `side` are filled by the pages. */
export function makeShell() {
  const main = h("main", { id: "main", tabindex: "-1" });
  const side = h("div", { class: "side" });
  const app = document.getElementById("app");
  app.replaceChildren(topBar(), h("div", { class: "frame" }, side, main));
  return { main, side, app };
}

function topBar() {
  const mega = megaMenu();
  return h("header", { class: "top" },
    h("a", { class: "brand", href: "/console", "aria-label": t("home") }, h("img", { src: "/web/logo.svg", alt: "", width: 24, height: 24 }), h("span", {}, t("brand"))),
    mega.trigger, mega.panel,
    h("div", { class: "spacer" }),
    menuButton(LANGUAGES[schema.language], () => Object.entries(LANGUAGES).map(([code, label]) => ({ label, checked: code === schema.language, onclick: () => speak(code) })), { class: "button top-button", "aria-label": `${t("language")}: ${LANGUAGES[schema.language]}` }, icon("globe")),
    menuButton(schema.user.name, () => [{ label: t("sign_out"), onclick: signOut }], { class: "button top-button", "aria-label": t("account_menu", { name: schema.user.name }) }, icon("user")));
}

function speak(code) {
  const address = new URL(location.href);
  address.searchParams.set("lang", code);
  location.assign(address);
}

async function signOut() {
  await call("POST", "/logout");
  location.assign("/login");
}

function megaMenu() {
  const id = newId("products");
  const panel = h("nav", { class: "mega", id, "aria-label": t("products"), hidden: true });
  const trigger = h("button", { type: "button", class: "button top-button products", "aria-expanded": "false", "aria-controls": id, onclick: () => toggle(panel.hidden) }, icon("grid"), t("products"), icon("down"));
  const search = h("input", { type: "search", "aria-label": t("search_products"), placeholder: t("search_products"), autocomplete: "off", oninput: filter });
  const groups = Object.entries(schema.console.categories).map(([category, label]) => {
    const links = Object.entries(schema.products).filter(([, product]) => product.category === category).map(([service, product]) =>
      h("li", {}, h("a", { href: productAddress(service) }, product.menu), h("p", {}, product.summary)));
    return links.length ? h("section", {}, h("h2", {}, label), h("ul", {}, links)) : null;
  });
  panel.append(h("div", { class: "search" }, icon("search"), search), h("div", { class: "groups" }, ...groups.filter(Boolean)));
  function toggle(isOpen) {
    closeMenu();
    panel.hidden = !isOpen;
    trigger.setAttribute("aria-expanded", String(isOpen));
  }
  function filter() {
    const word = search.value.trim().toLowerCase();
    panel.querySelectorAll("li").forEach((line) => { line.hidden = !line.textContent.toLowerCase().includes(word); });
    panel.querySelectorAll("section").forEach((group) => { group.hidden = ![...group.querySelectorAll("li")].some((line) => !line.hidden); });
  }
  document.addEventListener("click", (event) => {
    if (!panel.hidden && !trigger.contains(event.target) && (!panel.contains(event.target) || event.target.closest("a"))) toggle(false);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !panel.hidden) { toggle(false); trigger.focus(); } });
  return { trigger, panel };
}

const entryOf = (product, id) => product.navigation.flatMap((group) => group.entries).find((entry) => entry.id === id);

/** The address that a product is entered at. */
export const productAddress = (service) =>
  entryAddress(service, entryOf(schema.products[service], schema.products[service].entry));

/** The address of a navigation entry. */
export function entryAddress(service, entry) {
  const { resources } = schema.products[service];
  return `/console/${service}/${entry.kind === "list" ? resources[entry.resource].collection : entry.kind}`;
}

/** The side navigation of a product; `current` is the address shown. */
export function sideNavigation(service, current) {
  const product = schema.products[service];
  const key = `nav-${service}`;
  const nav = h("nav", { class: "navigation", "aria-label": product.name }, h("h2", {}, icon(product.category), product.name),
    product.navigation.map((group) => navGroup(service, group, current, key)));
  return nav;
}

function navGroup(service, group, current, key) {
  const id = newId("group");
  const links = h("ul", { id }, group.entries.map((entry) => {
    const address = entryAddress(service, entry);
    return h("li", {}, h("a", { href: address, "aria-current": current.startsWith(address) ? "page" : null }, entry.label));
  }));
  if (!group.label) return links;
  const stored = `${key}-${group.id}`;
  const trigger = h("button", { type: "button", class: "group", "aria-controls": id, onclick: () => toggle(links.hidden) }, group.label, icon("down"));
  function toggle(isOpen) {
    links.hidden = !isOpen;
    trigger.setAttribute("aria-expanded", String(isOpen));
    sessionStorage.setItem(stored, String(isOpen));
  }
  toggle(sessionStorage.getItem(stored) !== "false");
  return h("div", {}, trigger, links);
}

/** Where the page stands: `[label, address]` pairs, the last is the page itself. */
export const breadcrumbs = (...crumbs) =>
  h("nav", { class: "crumbs", "aria-label": t("breadcrumbs") }, h("ol", {}, crumbs.map(([label, address], number) =>
    h("li", {}, number < crumbs.length - 1 ? h("a", { href: address }, label) : h("span", { "aria-current": "page" }, label)))));
