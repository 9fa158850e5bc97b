// Runs inside an embedded frame: the form of an edit action, sent with the token of the address.
import { h } from "./dom.js";
import { call, configure, loadSchema, resourceAt, schema, t } from "./cloud.js";
import { about } from "./creation.js";
import { alertBox } from "./dialog.js";
import { inlineEdit } from "./forms.js";

const root = document.getElementById("frame");
const around = new URL(document.referrer || location.href).origin;
const [, , service, collection, id, name] = location.pathname.split("/");
const query = new URLSearchParams(location.search);

/** Tell the console's page; any other page is told nothing. */
function tell(message) {
  if (root.dataset.origins.split(" ").includes(around)) parent.postMessage(message, around);
}

function ended() {
  // Before the texts have come there is no word for it but the number.
  root.replaceChildren(alertBox(schema.console ? t("session_expired") : "401"));
}

async function draw(notice = "") {
  const resource = resourceAt(service, collection);
  const item = await call("GET", `${resource.path}/${id}`);
  const form = await inlineEdit(resource, name, item, (changed) => {
    const text = about(resource.actions[name].success, changed);
    tell({ kind: "practice-done", text });
    return draw(text);
  }, { isQuiet: true });
  root.replaceChildren(notice && h("div", { class: "notice", role: "status" }, notice), form);
}

configure({ token: query.get("token") ?? "", region: query.get("region") ?? "", expired: ended });
new ResizeObserver(() => tell({ kind: "practice-size", height: root.offsetHeight })).observe(root);
await loadSchema(`/ui/schema?lang=${query.get("lang") === "zh" ? "zh" : "en"}`);
try {
  await draw();
} catch (refusal) {
  root.replaceChildren(alertBox(refusal.message));
}
