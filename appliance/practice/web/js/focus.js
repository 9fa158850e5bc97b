// Keeps the keyboard where it is while a part of the page is drawn anew.

const keyOf = (element) => [
  element.tagName, element.closest("[data-id]")?.dataset.id, element.getAttribute("aria-label") ?? element.textContent,
].join("|");

/** Draw `box` anew with `redraw`; what stands for the focused element afterwards has the focus. */
export function keepingFocus(box, redraw) {
  const before = document.activeElement;
  const isInside = before !== box && box.contains(before);
  const key = isInside && keyOf(before);
  redraw();
  if (!isInside || document.activeElement === before) return;
  const same = before.isConnected ? before : [...box.querySelectorAll(before.tagName)].find((element) => keyOf(element) === key);
  same?.focus({ preventScroll: true });
}
