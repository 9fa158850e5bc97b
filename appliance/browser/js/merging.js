// After the walk: what lies under other things, and what is one control though it is several elements.
const POINTS = [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.2], [0.5, 0.8], [0.05, 0.1]];

// Asking the browser what lies at a point is dear on big pages (a tenth of a millisecond and more): it is
// only asked where the box of something positioned lies over the element's own.
function markCovered(state) {
  const covers = state.overlays.map(coverOf).filter(Boolean);
  if (!covers.length) return;
  const bands = bandsOf(covers);
  for (const entry of state.elements) {
    const { el, drawn, part } = entry;
    if (part === null || el.ownerSVGElement || !isUnder(bands, part, drawn, el) || isReached(drawn, el, part)) continue;
    entry.told.states.push('covered');
    state.isCovered = true;
  }
}

const BAND = 32 * PX;

// What may lie over others, by the band of the viewport that it reaches into: only what shares one is compared.
function bandsOf(covers) {
  const bands = Array.from({ length: Math.ceil(view.height / BAND) + 1 }, () => []);
  for (const area of covers) {
    const last = Math.min(Math.floor(area.bottom / BAND), bands.length - 1);
    for (let band = Math.max(Math.floor(area.top / BAND), 0); band <= last; band++) bands[band].push(area);
  }
  return bands;
}

// Whether something that is no part of it lies over its middle: what lies elsewhere keeps nobody from clicking there.
function isUnder(bands, part, drawn, el) {
  const x = (part.left + part.right) >> 1;
  const y = (part.top + part.bottom) >> 1;
  const band = bands[Math.floor(y / BAND)];
  for (let i = 0; i < band.length; i++) {
    const area = band[i];
    if (area.top <= y && y <= area.bottom && area.left <= x && x <= area.right
      && !within(drawn, area.el) && !within(area.el, drawn) && !within(area.el, el)) return true;
  }
  return false;
}

const FAR_OFF = 1e9;

// What a positioned element may cover: its box and those of its children that have no place of their own; null
// when that is not in view.
function coverOf(style) {
  const area = { el: style.el, left: FAR_OFF, top: FAR_OFF, right: -FAR_OFF, bottom: -FAR_OFF };
  spread(area, style.rect);
  let left = 8;
  if (style.overflow === 'visible') {
    for (let child = style.el.firstElementChild; child && left--; child = child.nextElementSibling) {
      const inner = styleOf(child);
      if (inner.position === 'static') spread(area, inner.rect);
    }
  }
  return area.right > 0 && area.bottom > 0 && area.left < view.width && area.top < view.height ? area : null;
}

function spread(area, rect) {
  if (rect.width < PX || rect.height < PX) return;
  if (rect.left < area.left) area.left = rect.left;
  if (rect.top < area.top) area.top = rect.top;
  if (rect.right > area.right) area.right = rect.right;
  if (rect.bottom > area.bottom) area.bottom = rect.bottom;
}

// Whether a click somewhere on its visible part would reach it.
function isReached(box, el, part) {
  const rects = box.localName === 'area' ? [rectOf(box)] : [...box.getClientRects()].slice(0, 4).map(plainRect);
  let asked = false;
  for (const rect of rects) {
    const left = Math.max(rect.left, part.left);
    const top = Math.max(rect.top, part.top);
    const width = Math.min(rect.right, part.right) - left;
    const height = Math.min(rect.bottom, part.bottom) - top;
    if (width < PX || height < PX) continue;
    for (const [fx, fy] of POINTS) {
      const hit = deepFromPoint((left + width * fx) / PX, (top + height * fy) / PX);
      if (!hit) continue;
      asked = true;
      if (reaches(hit, box, el)) return true;
    }
  }
  return !asked;
}

const COMPOSITE = /^(tab|menuitem|option|treeitem|combobox|button|link)$/;
const ROLE_OF_OUTER = /^(tab|menuitem|option|treeitem|combobox)$/;

const HOLDS_OTHERS = /^(menuitem|treeitem)$/;

// `li[role=tab] > a`: two elements, one control. The inner one is clicked, the outer one says what it is. An
// entry of a menu may hold those of the menu that it opens, too.
function merge(state) {
  const inner = new Map();
  for (const entry of state.elements) {
    for (let at = entry.owner; at; at = at.owner) inner.get(at)?.push(entry) ?? inner.set(at, [entry]);
  }
  const dropped = twins(state);
  for (const [outer, all] of inner) {
    const same = HOLDS_OTHERS.test(outer.told.role) ? all.filter((one) => one.told.name === outer.told.name) : [];
    const sole = [all, same].find((some) => some.length === 1)?.[0];
    if (!sole || !COMPOSITE.test(outer.told.role) || dropped.has(sole)) continue;
    const [said, kept] = [outer.told, sole.told];
    if (kept.name !== said.name && kept.name && said.role !== 'combobox') continue;
    if (ROLE_OF_OUTER.test(said.role)) kept.role = said.role;
    kept.name = said.name || kept.name;
    kept.value ??= said.value;
    kept.states = [...new Set([...said.states, ...kept.states])];
    if (said.options?.length) kept.options = said.options;
    dropped.add(outer);
  }
  return dropped.size ? state.elements.filter((entry) => !dropped.has(entry)) : state.elements;
}

// A header that stays in sight is drawn twice at the same place: the one that can be clicked is kept.
function twins(state) {
  const at = new Map();
  const dropped = new Set();
  if (!state.isCovered) return dropped;
  for (const entry of state.elements) {
    const { role, name, box: [x, y, width], row } = entry.told;
    const key = `${role} ${Math.round(x / 10)} ${Math.round(y / 10)} ${Math.round(width / 10)} ${name}`;
    const other = at.get(key);
    if (other && other.told.row === row && isTwin(entry, other)) dropped.add(isCopy(entry) ? entry : other);
    if (!other || dropped.has(other)) at.set(key, entry);
  }
  return dropped;
}

const isCopy = (entry) => entry.told.states.includes('covered');

function isTwin(entry, other) {
  const hidden = ({ el }) => closest(el, '[aria-hidden=true]') !== null;
  return (isCopy(entry) || isCopy(other)) && (hidden(entry) || hidden(other));
}
