// Goes through the steps of a procedure one by one, by buttons and by ← and →: what was done, with
// the page before and after it. Without this file all of them stand below one another.
(() => {
  "use strict";
  const steps = document.getElementById("steps");
  const bar = document.getElementById("player");
  if (!steps || !bar) return;
  const frames = [...steps.children].flatMap((step) => {
    const moves = [...step.querySelectorAll(".move")];
    return (moves.length ? moves : [null]).map((move) => ({ step, move }));
  });
  const button = (name) => bar.querySelector(`[data-play="${name}"]`);
  const told = bar.querySelector("[role=status]");
  let at = -1; // none: all of them are shown

  function show(to) {
    at = to;
    const isPlaying = at >= 0;
    steps.classList.toggle("playing", isPlaying);
    for (const one of steps.querySelectorAll(".current")) one.classList.remove("current");
    button("start").hidden = isPlaying;
    for (const name of ["previous", "next", "stop"]) button(name).hidden = !isPlaying;
    told.textContent = isPlaying ? told.dataset.at.replace("{n}", at + 1).replace("{of}", frames.length) : "";
    if (!isPlaying) return;
    const { step, move } = frames[at];
    step.classList.add("current");
    if (move) move.classList.add("current");
    button("previous").disabled = at === 0;
    button("next").disabled = at === frames.length - 1;
    for (const image of frames[at + 1]?.move?.querySelectorAll("img") ?? []) image.loading = "eager";
    bar.scrollIntoView({ block: "start" });
  }

  const go = (by) => show(Math.min(Math.max(at + by, 0), frames.length - 1));
  const deeds = { start: () => show(0), previous: () => go(-1), next: () => go(1), stop: () => show(-1) };
  const keys = { ArrowRight: () => go(1), ArrowLeft: () => at >= 0 && go(-1), Escape: () => show(-1) };

  bar.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-play]");
    if (pressed) deeds[pressed.dataset.play]();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
    if (event.target.matches("input, select, textarea, [contenteditable]")) return;
    if (!keys[event.key] || (event.key !== "ArrowRight" && at < 0)) return;
    event.preventDefault();
    keys[event.key]();
  });

  // `#step-3` of an address opens the player there.
  const wanted = frames.findIndex(({ step }) => `#${step.id}` === decodeURIComponent(location.hash));
  bar.hidden = false;
  if (wanted >= 0) show(wanted);
})();
