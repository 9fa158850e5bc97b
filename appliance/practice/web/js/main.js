// Starts the console and finds the page for an address.
import { h, icon } from "./dom.js";
import { call, loadSchema, resourceAt, schema, t } from "./cloud.js";
import { activityTable } from "./activity.js";
import { detailPage } from "./detail.js";
import { formPage, wizard } from "./forms.js";
import { closeMenu } from "./menu.js";
import { breadcrumbs, entryAddress, makeShell, productAddress, sideNavigation } from "./shell.js";
import { itemTable } from "./table.js";

let shell;
let visit = 0;

/** Go to an address of the console. */
function navigate(address) {
  history.pushState(null, "", address);
  return draw();
}

async function draw() {
  const mine = ++visit;
  const isAlive = () => mine === visit;
  const [, , service, place, id] = location.pathname.split("/");
  const product = schema.products[service];
  closeMenu();
  shell.app.setAttribute("aria-busy", "true");
  let content;
  try {
    content = await pageFor({ service, product, place, id, isAlive });
  } catch (problem) {
    if (!problem.fields) throw problem;
    content = missing();
  }
  if (!isAlive()) return;
  shell.side.replaceChildren(...(product ? [sideNavigation(service, location.pathname)] : []));
  shell.main.replaceChildren(...content);
  shell.app.setAttribute("aria-busy", "false");
  document.title = `${shell.main.querySelector("h1")?.textContent ?? t("home")} – ${t("brand")}`;
  scrollTo(0, 0);
}

async function pageFor({ service, product, place, id, isAlive }) {
  if (!service) return home();
  if (!product) return missing();
  const base = [[t("home"), "/console"], [product.name, `/console/${service}/overview`]];
  if (place === "overview" || !place) return overview(service, product, base);
  if (place === "activity") return [breadcrumbs(...base, [entryLabel(product, "activity")]), h("h1", {}, entryLabel(product, "activity")), h("div", { class: "panel" }, await activityTable({ service }))];
  const resource = resourceAt(service, place);
  if (!resource) return missing();
  const list = [...base, [resource.plural, resource.page]];
  const leave = () => navigate(resource.page);
  if (!id) return [breadcrumbs(...list), h("h1", {}, resource.plural), itemTable(resource, { ...resource.list, navigate, isAlive })];
  if (id === "create") {
    const { form } = resource.actions.create;
    const page = await (form.layout === "wizard" ? wizard : formPage)(resource, resource.actions.create, { done: leave, leave });
    return [breadcrumbs(...list, [form.title]), page];
  }
  const page = await detailPage(resource, id, { navigate, isAlive });
  return [breadcrumbs(...list, [page.querySelector("h1").textContent]), page];
}

const entryLabel = (product, kind) => product.navigation.flatMap((group) => group.entries).find((entry) => entry.kind === kind).label;

async function home() {
  return [
    h("div", { class: "hero" }, h("h1", {}, t("home_title", { name: schema.user.name })), h("p", {}, t("home_intro"))),
    h("div", { class: "tiles" }, Object.entries(schema.products).map(([service, product]) =>
      h("article", { class: "tile" }, h("span", { class: "badge" }, icon(product.category)), h("h2", {}, h("a", { href: productAddress(service) }, product.name)), h("p", {}, product.summary)))),
    h("section", { class: "panel" }, h("h2", {}, t("recent")), await activityTable({ most: 8 })),
  ];
}

async function overview(service, product, base) {
  const entries = product.navigation.flatMap((group) => group.entries).filter((entry) => entry.kind === "list");
  const tiles = await Promise.all(entries.map(async (entry) => {
    const { total } = await call("GET", `/api/${service}/${product.resources[entry.resource].collection}?per_page=1`);
    return h("article", { class: "tile count" }, h("h2", {}, entry.label), h("p", { class: "number" }, String(total)), h("a", { href: entryAddress(service, entry) }, t("open_list", { name: entry.label })));
  }));
  return [breadcrumbs(...base), h("h1", {}, product.name), h("p", { class: "lead" }, product.summary), h("div", { class: "tiles" }, tiles), h("section", { class: "panel" }, h("h2", {}, t("recent")), await activityTable({ service, most: 8 }))];
}

const missing = () => [h("div", { class: "missing" }, h("h1", {}, "404"), h("p", {}, t("not_found")), h("a", { href: "/console" }, t("home")))];

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/console']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  navigate(link.getAttribute("href"));
});
addEventListener("popstate", draw);

await loadSchema();
if (new URLSearchParams(location.search).has("lang")) history.replaceState(null, "", location.pathname + location.hash);
shell = makeShell();
await draw();
