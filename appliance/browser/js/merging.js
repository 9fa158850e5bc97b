// After the walk: what lies under other things, and what is one control though it is several elements.
const POINTS = [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.2], [0.5, 0.8], [0.05, 0.1]];

// Asking the browser what lies at a point is dear on big pages (a tenth of a millisecond and more): it is
// only asked where the box of something positioned lies over the element's own.
function markCovered(state) {
  const covers = state.overlays.map(coverOf).filter(Boolean);
  if (!covers.length) return;
  for (const entry of state.elements) {
    const { el, drawn, part } = entry;
    if (part === null || el.ownerSVGElement || !isUnder(covers, part, drawn, el) || isReached(drawn, el, part)) continue;
    entry.states.push('covered');
  }
}

// Whether something that is no part of it lies over its middle: what lies elsewhere keeps nobody from clicking there.
function isUnder(covers, part, drawn, el) {
  const x = (part.left + part.right) / 2;
  const y = (part.top + part.bottom) / 2;
  for (let i = 0; i < covers.length; i++) {
    const area = covers[i];
    if (area.left <= x && x <= area.right && area.top <= y && y <= area.bottom
      && !within(drawn, area.el) && !within(area.el, drawn) && !within(area.el, el)) return true;
  }
  return false;
}

// What a positioned element may cover: its box and those of its children that have no place of their own; null when that is not in view.
function coverOf(style) {
  const { el, rect } = style;
  const area = { el, left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
  let left = 8;
  if (style.overflow === 'visible') {
    for (let child = el.firstElementChild; child && left--; child = child.nextElementSibling) {
      const inner = styleOf(child);
      if (inner.position === 'static') spread(area, inner.rect);
    }
  }
  return area.right > area.left && area.bottom > area.top && area.right > 0 && area.bottom > 0
    && area.left < view.width && area.top < view.height ? area : null;
}

function spread(area, rect) {
  if (rect.width < 1 || rect.height < 1) return;
  area.left = Math.min(area.left, rect.left);
  area.top = Math.min(area.top, rect.top);
  area.right = Math.max(area.right, rect.right);
  area.bottom = Math.max(area.bottom, rect.bottom);
}

// Whether a click somewhere on its visible part would reach it.
function isReached(box, el, part) {
  const rects = box.localName === 'area' ? [rectOf(box)] : [...box.getClientRects()].slice(0, 4);
  let asked = false;
  for (const rect of rects) {
    const left = Math.max(rect.left, part.left);
    const top = Math.max(rect.top, part.top);
    const width = Math.min(rect.right, part.right) - left;
    const height = Math.min(rect.bottom, part.bottom) - top;
    if (width < 1 || height < 1) continue;
    for (const [fx, fy] of POINTS) {
      const hit = deepFromPoint(left + width * fx, top + height * fy);
      if (!hit) continue;
      asked = true;
      if (reaches(hit, box, el)) return true;
    }
  }
  return !asked;
}

const COMPOSITE = /^(tab|menuitem|option|treeitem|combobox|button|link)$/;
const ROLE_OF_OUTER = /^(tab|menuitem|option|treeitem|combobox)$/;

// `li[role=tab] > a`: two elements, one control. The inner one is clicked, the outer one says what it is.
function merge(state) {
  const inner = new Map();
  for (const entry of state.elements) {
    for (let at = entry.owner; at; at = at.owner) inner.set(at, inner.has(at) ? null : entry);
  }
  const dropped = twins(state);
  for (const [outer, keep] of inner) {
    if (!keep || !COMPOSITE.test(outer.role) || dropped.has(keep)) continue;
    if (keep.name !== outer.name && keep.name && outer.role !== 'combobox') continue;
    if (ROLE_OF_OUTER.test(outer.role)) keep.role = outer.role;
    keep.name = outer.name || keep.name;
    keep.states = [...new Set([...outer.states, ...keep.states])];
    if (outer.options.length) keep.options = outer.options;
    dropped.add(outer);
  }
  return dropped.size ? state.elements.filter((entry) => !dropped.has(entry)) : state.elements;
}

// A header that stays in sight is drawn twice at the same place: the one that can be clicked is kept.
function twins(state) {
  const at = new Map();
  const dropped = new Set();
  if (!state.elements.some(isCopy)) return dropped;
  for (const entry of state.elements) {
    const key = `${entry.role} ${Math.round(entry.box[0])} ${Math.round(entry.box[1])} ${Math.round(entry.box[2])} ${entry.name}`;
    const other = at.get(key);
    if (other && other.row === entry.row && isTwin(entry, other)) dropped.add(isCopy(entry) ? entry : other);
    if (!other || dropped.has(other)) at.set(key, entry);
  }
  return dropped;
}

const isCopy = (entry) => entry.states.includes('covered');

function isTwin(entry, other) {
  const hidden = ({ el }) => closest(el, '[aria-hidden=true]') !== null;
  return (isCopy(entry) || isCopy(other)) && (hidden(entry) || hidden(other));
}
