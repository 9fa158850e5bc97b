// The side navigation of a product, and the addresses that it leads to.
import { h, icon, newId } from "./dom.js";
import { schema, t } from "./cloud.js";

const FOLDED = "nav-folded";

const entryOf = (product, id) => product.navigation.flatMap((group) => group.entries).find((entry) => entry.id === id);

/** The address that a product is entered at. */
export const productAddress = (service) =>
  entryAddress(service, entryOf(schema.products[service], schema.products[service].entry));

/** The address of a navigation entry; that of a dead one shows nothing. */
export function entryAddress(service, entry) {
  if (entry.is_dead) return `/console/${service}/gone/${entry.id}`;
  switch (entry.kind) {
    case "list":
      return `/console/${service}/${schema.products[service].resources[entry.resource].collection}`;
    case "page":
      return `/console/${service}/pages/${entry.page}`;
    default:
      return `/console/${service}/${entry.kind}`;
  }
}

/** The side navigation of a product; `current` is the address shown. */
export function sideNavigation(service, current) {
  const product = schema.products[service];
  const id = newId("navigation");
  const links = h("div", { id }, h("h2", {}, icon(product.category), h("span", {}, product.name)),
    product.navigation.map((group) => navGroup(service, group, current)));
  const fold = h("button", { type: "button", class: "button fold", "aria-controls": id, onclick: () => toggle(!links.hidden) });
  const nav = h("nav", { class: "navigation", "aria-label": product.name }, links, fold);
  function toggle(isFolded) {
    const label = t(isFolded ? "expand" : "collapse");
    links.hidden = isFolded;
    nav.classList.toggle("folded", isFolded);
    fold.setAttribute("aria-expanded", String(!isFolded));
    fold.setAttribute("aria-label", label);
    fold.title = label;
    fold.replaceChildren(icon(isFolded ? "unfold" : "fold"));
    sessionStorage.setItem(FOLDED, String(isFolded));
  }
  toggle(sessionStorage.getItem(FOLDED) === "true");
  return nav;
}

function navGroup(service, group, current) {
  const id = newId("group");
  const links = h("ul", { id }, group.entries.map((entry) => {
    const address = entryAddress(service, entry);
    const isHere = current === address || current.startsWith(`${address}/`);
    return h("li", {}, h("a", { href: address, "aria-current": isHere ? "page" : null }, entry.label));
  }));
  if (!group.label) return links;
  const stored = `nav-${service}-${group.id}`;
  const trigger = h("button", { type: "button", class: "group", "aria-controls": id, onclick: () => toggle(links.hidden) }, group.label, icon("down"));
  function toggle(isOpen) {
    links.hidden = !isOpen;
    trigger.setAttribute("aria-expanded", String(isOpen));
    sessionStorage.setItem(stored, String(isOpen));
  }
  toggle(sessionStorage.getItem(stored) !== "false");
  return h("div", {}, trigger, links);
}
