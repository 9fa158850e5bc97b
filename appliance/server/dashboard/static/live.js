// Keeps a page true while something runs: when it hears of an event, it reads itself again and
// takes over the parts that are marked with data-live. Without it, reloading does the same.
"use strict";
const parts = [...document.querySelectorAll("[data-live]")];
const address = parts.map((part) => part.dataset.live).find(Boolean);
const wait = 400; // ms: events come in bursts
let timer = null;

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

if (address) {
  const source = new EventSource(address);
  const heard = () => { timer ??= setTimeout(() => refresh().catch(() => {}), wait); };
  for (const name of ["snapshot", "run_started", "procedure_started", "attempt_started", "step_finished",
    "resource_progressed", "procedure_finished", "sweep_progressed", "run_finished"]) {
    source.addEventListener(name, heard);
  }
  source.addEventListener("end", () => { source.close(); setTimeout(() => location.reload(), wait); });
}
