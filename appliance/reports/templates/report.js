"use strict";
// Without this script the page is whole; with it, it filters, enlarges, copies and prints all.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const isShown = (element) => !element.closest("[hidden]");

// Filter by verdict.
const filters = all("[data-filter]");
const show = (verdict) => {
  for (const button of filters) {
    button.setAttribute("aria-pressed", String(button.dataset.filter === verdict));
  }
  for (const item of all("[data-verdict]")) {
    item.hidden = Boolean(verdict) && item.dataset.verdict !== verdict;
  }
  for (const part of all(".document, #findings, #open, #procedures")) {
    part.hidden = false;
    const items = all("[data-verdict]", part);
    part.hidden = items.length > 0 && items.every((item) => item.hidden);
  }
  document.querySelector(".nothing").hidden = all("main > section").some((part) => !part.hidden);
};
for (const button of filters) {
  button.addEventListener("click", () => {
    const isPressed = button.getAttribute("aria-pressed") === "true";
    show(isPressed ? "" : button.dataset.filter);
  });
}

// A link into something folded or filtered away opens it.
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (!isShown(target)) show("");
  const inside = target.matches(".procedure") ? target.querySelector("details") : null;
  if (inside) inside.open = true;
  for (let node = target; node; node = node.parentElement) {
    if (node instanceof HTMLDetailsElement) node.open = true;
  }
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();

// j and k walk through the findings.
for (const hint of all(".keys")) hint.hidden = false;
const walk = (by) => {
  const findings = all(".finding").filter(isShown);
  if (!findings.length) return;
  const at = findings.indexOf(document.activeElement?.closest(".finding"));
  const next = findings[at < 0 ? 0 : Math.min(Math.max(at + by, 0), findings.length - 1)];
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
};

// Screenshots, enlarged.
const light = document.getElementById("light");
let gallery = [];
let place = 0;
const enlarge = (at) => {
  place = (at + gallery.length) % gallery.length;
  const button = gallery[place];
  const caption = button.parentElement.querySelector("figcaption").textContent;
  light.querySelector(".picture").replaceChildren(button.querySelector("svg").cloneNode(true));
  light.querySelector(".caption").textContent =
    gallery.length > 1 ? `${place + 1} of ${gallery.length}: ${caption}` : caption;
  light.querySelector(".more").hidden = gallery.length < 2;
};
for (const button of all(".shot")) {
  button.addEventListener("click", () => {
    gallery = all(".shot", button.closest("[data-gallery]"));
    enlarge(gallery.indexOf(button));
    light.showModal();
  });
}
light.querySelector(".previous").addEventListener("click", () => enlarge(place - 1));
light.querySelector(".next").addEventListener("click", () => enlarge(place + 1));
light.addEventListener("click", (event) => {
  if (event.target === light || event.target.closest(".picture")) light.close();
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (light.open && event.key === "ArrowRight") enlarge(place + 1);
  else if (light.open && event.key === "ArrowLeft") enlarge(place - 1);
  else if (!light.open && event.key === "j") walk(1);
  else if (!light.open && event.key === "k") walk(-1);
});

// Commands, copied.
for (const button of all(".copy")) {
  const label = button.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
    setTimeout(() => (button.textContent = label), 1500);
  });
}

// Paper shows every procedure.
addEventListener("beforeprint", () => {
  for (const details of all(".procedure details:not([open])")) {
    details.open = true;
    details.dataset.closeAgain = "";
  }
});
addEventListener("afterprint", () => {
  for (const details of all("details[data-close-again]")) {
    details.open = false;
    delete details.dataset.closeAgain;
  }
});
