// Keeps a page true while something runs: when it hears of an event, it reads itself again and
// takes over the parts that are marked with data-live. Without it, reloading does the same.
"use strict";
const parts = [...document.querySelectorAll("[data-live]")];
// A page that follows nothing of its own still hears when somebody is asked or has answered.
const own = parts.map((part) => part.dataset.live).find(Boolean);
const address = own ?? (parts.length ? "/events" : undefined);
const wait = 400; // ms: events come in bursts
let timer = null;
// Somebody goes to another page: to reload this one then would take him back.
let isLeaving = false;
addEventListener("beforeunload", () => { isLeaving = true; });

async function refresh() {
  timer = null;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    if (other === null || other.innerHTML === part.innerHTML) continue;
    const focused = part.contains(document.activeElement) ? describe(document.activeElement) : null;
    part.innerHTML = other.innerHTML;
    if (focused) part.querySelector(focused)?.focus();
  }
}

function describe(element) {
  const link = element.getAttribute("href");
  return link ? `a[href="${CSS.escape(link)}"]` : element.localName;
}

// A stream begins with a snapshot: what happened before it was listened to is not missed.
const asked = ["snapshot", "person_asked", "person_answered"];
const names = !own ? asked : [...asked, "run_started", "procedure_started",
  "attempt_started", "step_finished", "resource_progressed", "procedure_finished",
  "sweep_progressed", "run_finished"];
let source = null;

// A page that nobody looks at listens to nothing: browsers open few connections to one server.
function listen() {
  if (document.hidden) {
    source?.close();
    source = null;
  } else if (address && source === null) {
    source = new EventSource(address);
    for (const name of names) {
      source.addEventListener(name, () => { timer ??= setTimeout(() => refresh().catch(() => {}), wait); });
    }
    source.addEventListener("end", () => { source.close(); setTimeout(() => isLeaving || location.reload(), wait); });
  }
}

// Of what another process does no event tells: the page is read again every so many seconds.
const every = Math.min(...parts.map((part) => Number(part.dataset.every) || Infinity));
if (every < Infinity) setInterval(() => { if (!document.hidden) refresh().catch(() => {}); }, 1000 * every);

document.addEventListener("visibilitychange", listen);
listen();
