// Tables of audit events.
import { h } from "./dom.js";
import { call, t } from "./cloud.js";
import { when } from "./format.js";

const SHOWN = 50;

/** The latest events, of one service or one item where given. */
export async function activityTable({ service = "", target = "", most = SHOWN } = {}) {
  const { events } = await call("GET", `/api/audit?${new URLSearchParams({ service, target })}`);
  const latest = events.slice(-most).reverse();
  if (!latest.length) return h("p", { class: "empty" }, t("no_events"));
  const heads = ["event_time", "event_name", "event_target", "event_actor", "event_outcome"];
  return h("div", { class: "scroll" }, h("table", { "aria-label": t("recent") },
    h("thead", {}, h("tr", {}, heads.map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", {}, latest.map((event) => h("tr", {},
      h("td", {}, h("time", { datetime: event.time }, when(event.time))),
      h("td", {}, h("code", {}, event.name)),
      h("td", {}, event.target_name || t("nothing")),
      h("td", {}, event.actor),
      h("td", {}, h("span", { class: `state ${event.outcome === "success" ? "good" : "bad"}` }, h("span", { class: "dot", "aria-hidden": "true" }), t(event.outcome), event.error_code && ` (${event.error_code})`)))))));
}
