// Embedded frames, seen from the page around them. `frame.js` is what runs inside.
import { h } from "./dom.js";
import { call, currentRegion, schema } from "./cloud.js";
import { notify } from "./notices.js";

const SLACK_PX = 8;

/** The frame of a tab; `changed()` is called after its form was sent. */
export async function embedded(resource, tab, item, { changed, isShown }) {
  const { token, origins } = await call("POST", "/ui/frame-token", {});
  const origin = new URL(origins[tab.origin]).origin;
  const query = new URLSearchParams({ token, lang: schema.language, region: currentRegion().id });
  const address = `${origin}/frame/${resource.service}/${resource.collection}/${item.id}/${tab.action}?${query}`;
  const frame = h("iframe", { title: tab.label, src: address, class: "embedded" });
  function heard(event) {
    if (!isShown()) return removeEventListener("message", heard);
    if (event.origin !== origin || event.source !== frame.contentWindow) return;
    const { kind, height, text } = event.data ?? {};
    if (kind === "practice-size") frame.style.height = `${Number(height) + SLACK_PX}px`;
    if (kind === "practice-done") { notify(String(text)); changed(); }
  }
  addEventListener("message", heard);
  return frame;
}
