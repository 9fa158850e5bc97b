// What stands in the way or above the pages of a product: the pop-up of the first visit, the announcement.
import { button, h, icon, newId } from "./dom.js";
import { schema, t } from "./cloud.js";

/** The announcement of a product, until it is closed in this session; else nothing. */
export function announcement(service) {
  const { banner } = schema.products[service];
  const stored = `banner-${service}`;
  if (!banner || sessionStorage.getItem(stored)) return [];
  const box = h("div", { class: "banner", role: "region", "aria-label": t("announcement") },
    icon("info"), h("p", {}, banner),
    h("button", { type: "button", class: "plain", "aria-label": t("close_announcement"), onclick: () => { sessionStorage.setItem(stored, "closed"); box.remove(); } }, icon("close")));
  return [box];
}

let open = null;

/** Greet at the first visit of a session, over everything; away from the product the greeting goes. */
export function welcome(service) {
  open?.remove();
  open = null;
  const { onboarding } = schema.products[service] ?? {};
  const stored = `onboarding-${service}`;
  if (!onboarding || sessionStorage.getItem(stored)) return;
  const [title, text] = [newId("title"), newId("text")];
  const dismiss = button(onboarding.dismiss, close, { class: "button primary" });
  const box = h("div", { role: "dialog", "aria-modal": "true", class: "onboarding", "aria-labelledby": title, "aria-describedby": text, onkeydown: keys },
    h("h2", { id: title }, onboarding.title), h("p", { id: text }, onboarding.text), h("footer", {}, dismiss));
  const app = document.getElementById("app");
  const backdrop = h("div", { class: "backdrop middle" }, box);
  open = { remove: () => { backdrop.remove(); app.removeAttribute("inert"); } };
  app.setAttribute("inert", "");
  document.body.append(backdrop);
  dismiss.focus();
  function close() {
    sessionStorage.setItem(stored, "seen");
    open.remove();
    open = null;
    document.getElementById("main").focus({ preventScroll: true });
  }
  function keys(event) {
    if (event.key === "Escape") close();
    if (event.key === "Tab") event.preventDefault(); // its button is all there is
  }
}
