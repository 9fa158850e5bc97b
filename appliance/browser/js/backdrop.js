// A dialog that does not say that it is one: what stands before a backdrop, which dims the whole window.
const WHOLE = 0.95; // of the window, both ways
const GRID = [0.06, 0.18, 0.3, 0.42, 0.5, 0.58, 0.7, 0.82, 0.94];
const CORNERS = [[4, 4], [-4, 4], [4, -4], [-4, -4]]; // CSS pixels from the edges
const CONTROLS = 'a[href],button,input,select,textarea,[role=button],[tabindex]:not([tabindex="-1"])';
const MOST_BEHIND = 200; // controls of the page that are asked whether they lie behind it

function unsaidDialog(found) {
  const backdrop = findBackdrop();
  const panel = backdrop && panelBefore(backdrop);
  if (!panel || found.some((one) => within(one, panel) || within(panel, one))) return null;
  return [...panel.querySelectorAll(CONTROLS)].some(isRendered) && hidesControls(backdrop, panel) ? panel : null;
}

function findBackdrop() {
  for (const [dx, dy] of CORNERS) {
    const hit = deepFromPoint(dx < 0 ? innerWidth + dx : dx, dy < 0 ? innerHeight + dy : dy);
    for (let at = hit; at && fillsWindow(at); at = parentOf(at)) if (isTranslucent(at)) return at;
  }
  return null;
}

function fillsWindow(el) {
  if (el === document.body || el === document.documentElement) return false;
  const { width, height } = el.getBoundingClientRect();
  return width >= innerWidth * WHOLE && height >= innerHeight * WHOLE;
}

function isTranslucent(el) {
  const { backgroundColor, opacity, backdropFilter } = getComputedStyle(el);
  const [, alpha] = /[,/]\s*([\d.]+)\)$/.exec(backgroundColor.startsWith('rgb(') ? '' : backgroundColor) || [0, 1];
  const dims = Number(alpha) * Number(opacity);
  return (dims > 0.05 && dims < 0.98) || (backdropFilter || 'none') !== 'none';
}

// Everything that is hit and not the backdrop lies before it: what is hit most often is the panel.
function panelBefore(backdrop) {
  const hits = new Map();
  for (const fx of GRID) {
    for (const fy of GRID) {
      const hit = deepFromPoint(innerWidth * fx, innerHeight * fy);
      const part = hit && !fillsWindow(hit) ? partBefore(backdrop, hit) : null;
      if (part) hits.set(part, (hits.get(part) || 0) + 1);
    }
  }
  return [...hits].sort((a, b) => b[1] - a[1])[0]?.[0] || null;
}

// The outermost part around it that holds neither the backdrop nor the whole window.
function partBefore(backdrop, hit) {
  let part = hit;
  for (let at = hit; at && at !== backdrop && !within(backdrop, at); at = parentOf(at)) if (!fillsWindow(at)) part = at;
  return part;
}

function hidesControls(backdrop, panel) {
  let left = MOST_BEHIND;
  for (const el of document.querySelectorAll(CONTROLS)) {
    if (!left--) return false;
    if (within(el, panel) || within(el, backdrop) || !isRendered(el)) continue;
    const { left: x, top: y, width, height } = el.getBoundingClientRect();
    const hit = deepFromPoint(x + width / 2, y + height / 2);
    if (hit && (within(hit, backdrop) || within(hit, panel))) return true;
  }
  return false;
}
