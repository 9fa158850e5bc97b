// The session of the console: the region it looks at, and its end.
import { h, icon } from "./dom.js";
import { configure, currentRegion, schema, t } from "./cloud.js";
import { openDialog } from "./dialog.js";
import { menuButton } from "./menu.js";

const REGION_COOKIE = "practice_region";
let isOver = false;

/** The menu of regions; `changed` is called after one was chosen. */
export function regionMenu(changed) {
  const entries = () => schema.console.regions.map(({ id, label }) => ({ label, checked: id === currentRegion().id, onclick: () => choose(id) }));
  const label = h("span", {}, currentRegion().label);
  const trigger = menuButton(label, entries, { class: "button top-button" }, icon("place"));
  const name = () => trigger.setAttribute("aria-label", `${t("region")}: ${currentRegion().label}`);
  function choose(id) {
    if (id === currentRegion().id) return;
    document.cookie = `${REGION_COOKIE}=${id}; path=/; samesite=lax`;
    configure({ region: id });
    label.replaceChildren(currentRegion().label);
    name();
    changed();
  }
  name();
  return trigger;
}

/** Say that the session has ended; the page behind can no longer be used. */
export function sayExpired() {
  if (isOver) return;
  isOver = true;
  const back = `/login?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`;
  const leave = () => location.assign(back);
  if (!schema.console) return leave(); // it ended before anything was there to be shown
  openDialog({
    title: t("session_expired"), content: h("p", {}, t("session_expired_text")), cancel: false, onclose: leave,
    submit: { label: t("sign_in_again"), onclick: () => true },
  });
}
