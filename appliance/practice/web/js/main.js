// Starts the console and finds the page for an address.
import { h } from "./dom.js";
import { configure, loadSchema, resourceAt, schema, t } from "./cloud.js";
import { activityTable } from "./activity.js";
import { detailPage } from "./detail.js";
import { formPage, wizard } from "./forms.js";
import { closeMenu } from "./menu.js";
import { sideNavigation } from "./navigation.js";
import { home, missing, overview, quotas, textPage } from "./places.js";
import { sayExpired } from "./session.js";
import { breadcrumbs, makeShell } from "./shell.js";
import { itemTable } from "./table.js";
import { announcement, welcome } from "./welcome.js";

let shell;
let visit = 0;

const place = () => {
  const [, , service = "", word = "", id = ""] = location.pathname.split("/");
  return { service, product: schema.products[service], word, id };
};

/** Go to an address of the console. */
function navigate(address) {
  history.pushState(null, "", address);
  return draw();
}

/** After another region was chosen: the item or form shown is of the one before. */
function moved() {
  const { service, word, id } = place();
  const resource = id && resourceAt(service, word);
  return resource && !resource.is_global ? navigate(resource.page) : draw();
}

async function draw() {
  const mine = ++visit;
  const isAlive = () => mine === visit;
  const { service, product } = place();
  closeMenu();
  shell.app.setAttribute("aria-busy", "true");
  let content;
  try {
    content = await pageFor({ ...place(), isAlive });
  } catch (problem) {
    if (!problem.fields) throw problem;
    content = missing();
  }
  if (!isAlive()) return;
  shell.side.replaceChildren(...(product ? [sideNavigation(service, location.pathname)] : []));
  shell.above.replaceChildren(...(product ? announcement(service) : []));
  shell.main.replaceChildren(...content);
  shell.app.setAttribute("aria-busy", "false");
  document.title = `${shell.main.querySelector("h1")?.textContent ?? t("home")} – ${t("brand")}`;
  scrollTo(0, 0);
  welcome(service);
}

async function pageFor({ service, product, word, id, isAlive }) {
  if (!service) return home();
  if (!product) return missing();
  const base = [[t("home"), "/console"], [product.name, `/console/${service}/overview`]];
  const label = labelOfEntry(product, word);
  switch (word) {
    case "":
    case "overview":
      return [breadcrumbs(...base), ...(await overview(service, product))];
    case "activity":
      return [breadcrumbs(...base, [label]), h("h1", {}, label), h("div", { class: "panel" }, await activityTable({ service }))];
    case "quotas":
      return [breadcrumbs(...base, [label]), ...(await quotas(service, product, label))];
    case "pages":
      return product.pages[id] ? [breadcrumbs(...base, [product.pages[id].title]), ...textPage(product.pages[id])] : missing();
    default:
      return resourcePage({ resource: resourceAt(service, word), base, id, isAlive });
  }
}

async function resourcePage({ resource, base, id, isAlive }) {
  if (!resource) return missing();
  const list = [...base, [resource.plural, resource.page]];
  const leave = () => navigate(resource.page);
  if (!id) return [breadcrumbs(...list), h("h1", {}, resource.plural), itemTable(resource, { ...resource.list, navigate, isAlive })];
  if (id === "create" && resource.actions.create?.form) {
    const { form } = resource.actions.create;
    const page = await (form.layout === "wizard" ? wizard : formPage)(resource, resource.actions.create, { done: leave, leave });
    return [breadcrumbs(...list, [form.title]), page];
  }
  const page = await detailPage(resource, id, { navigate, isAlive });
  return [breadcrumbs(...list, [page.querySelector("h1").textContent]), page];
}

const labelOfEntry = (product, kind) =>
  product.navigation.flatMap((group) => group.entries).find((entry) => entry.kind === kind)?.label ?? schema.console.texts[kind] ?? "";

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/console']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  navigate(link.getAttribute("href"));
});
addEventListener("popstate", draw);

configure({ expired: sayExpired });
await loadSchema();
const address = new URL(location.href);
if (address.searchParams.has("lang")) {
  address.searchParams.delete("lang");
  history.replaceState(null, "", address);
}
shell = makeShell(moved);
await draw();
