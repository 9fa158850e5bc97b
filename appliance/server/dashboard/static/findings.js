// Keys for findings: in the list they act on the row in focus or on the ticked ones, on a
// finding's page on that finding. Without this file everything works by mouse and Tab.
(() => {
  "use strict";
  const list = document.querySelector('[data-keys="list"]');
  const help = document.getElementById("keys");
  const typing = (element) =>
    element.isContentEditable || element.matches("textarea, select, input:not([type=checkbox])");

  const rows = list ? [...list.querySelectorAll("[data-row]")] : [];
  const ticks = list ? [...list.querySelectorAll('input[name="id"]')] : [];
  const all = list && list.querySelector("[data-all]");
  const chosen = list && list.querySelector("[data-chosen]");
  const current = () => rows.findIndex((row) => row.contains(document.activeElement));

  function move(by) {
    if (!rows.length) return;
    const at = current();
    const to = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1);
    rows[to].querySelector(".main a").focus();
    rows[to].scrollIntoView({ block: "nearest" });
  }

  function count() {
    const number = ticks.filter((tick) => tick.checked).length;
    if (!all) return;
    all.checked = number > 0 && number === ticks.length;
    all.indeterminate = number > 0 && number < ticks.length;
    if (!chosen.dataset.none) chosen.dataset.none = chosen.textContent;
    chosen.textContent = number ? chosen.dataset.chosen.replace("{n}", number) : chosen.dataset.none;
  }

  // A key without a ticked row means the row in focus.
  function aim() {
    if (ticks.some((tick) => tick.checked)) return true;
    const at = current();
    if (at < 0) return false;
    ticks[at].checked = true;
    count();
    return true;
  }

  const button = (form, action) => form && form.querySelector(`button[value="${action}"]`);

  function press(form, action) {
    const found = button(form, action);
    if (found && (form !== list || aim())) found.click();
  }

  function enter(form, name) {
    const field = form && form.querySelector(`[name="${name}"]`);
    if (!field || (form === list && !aim())) return;
    field.focus();
    if (field.select) field.select();
  }

  const form = list || document.querySelector("form.decide");
  const follow = (key) => {
    const found = document.querySelector(`a[data-key="${key}"], button[data-key="${key}"]`);
    if (found) found.click();
  };
  const deeds = {
    j: () => (list ? move(1) : follow("j")),
    k: () => (list ? move(-1) : follow("k")),
    u: () => follow("u"),
    y: () => follow("y"),
    z: () => follow("z"),
    x: () => {
      const at = current();
      if (at >= 0 && ticks[at]) { ticks[at].checked = !ticks[at].checked; count(); }
    },
    c: () => press(form, "confirm"),
    r: () => press(form, "reject"),
    o: () => press(form, "reopen"),
    a: () => enter(form, "until"),
    s: () => enter(form, "assignee"),
    m: () => enter(form, "comment"),
    "/": () => { const search = document.getElementById("query"); if (search) search.focus(); },
    "?": () => help && help.togglePopover(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const deed = deeds[event.key];
    if (!deed || event.repeat && !"jk".includes(event.key)) return;
    event.preventDefault();
    deed();
  });

  // Enter in a field means the button beside it.
  for (const field of document.querySelectorAll(".join input")) {
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      field.parentElement.querySelector("button").click();
    });
  }
  if (all) {
    all.addEventListener("change", () => { for (const tick of ticks) tick.checked = all.checked; count(); });
    list.addEventListener("change", count);
    count();
  }
})();
