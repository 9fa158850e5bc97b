// What is around every page: top bar, room for the side navigation and the page, breadcrumbs.
import { h, icon } from "./dom.js";
import { call, schema, t } from "./cloud.js";
import { megaMenu } from "./mega.js";
import { menuButton } from "./menu.js";
import { regionMenu } from "./session.js";

const LANGUAGES = { en: "English", zh: "中文" };

/** The frame; `main`, `side` and `above` are filled by the pages. `moved` is called in another region. */
export function makeShell(moved) {
  const main = h("main", { id: "main", tabindex: "-1" });
  const above = h("div", { class: "above" });
  const side = h("div", { class: "side" });
  const app = document.getElementById("app");
  app.replaceChildren(topBar(moved), h("div", { class: "frame" }, side, h("div", { class: "middle" }, above, main)));
  return { main, above, side, app };
}

function topBar(moved) {
  const mega = megaMenu();
  const language = LANGUAGES[schema.language];
  return h("header", { class: "top" },
    h("a", { class: "brand", href: "/console", "aria-label": t("home") }, h("img", { src: "/web/logo.svg", alt: "", width: 24, height: 24 }), h("span", {}, t("brand"))),
    mega.trigger, mega.panel,
    h("div", { class: "spacer" }),
    regionMenu(moved),
    menuButton(language, () => Object.entries(LANGUAGES).map(([code, label]) => ({ label, checked: code === schema.language, onclick: () => speak(code) })), { class: "button top-button", "aria-label": `${t("language")}: ${language}` }, icon("globe")),
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

/** Where the page stands: `[label, address]` pairs, the last is the page itself. */
export const breadcrumbs = (...crumbs) =>
  h("nav", { class: "crumbs", "aria-label": t("breadcrumbs") }, h("ol", {}, crumbs.map(([label, address], number) =>
    h("li", {}, number < crumbs.length - 1 ? h("a", { href: address }, label) : h("span", { "aria-current": "page" }, label)))));
