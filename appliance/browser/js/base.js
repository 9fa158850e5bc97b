// Ids, styles, geometry and text: what the other parts stand on.
const DOCUMENT = String(performance.timeOrigin) + Math.random();
const ids = new WeakMap();
const nodes = new Map();
let nextId = 1;

function idOf(node) {
  let id = ids.get(node);
  if (!id) {
    id = nextId++;
    ids.set(node, id);
    nodes.set(id, new WeakRef(node));
  }
  return id;
}

function nodeOf(id) {
  const node = nodes.get(id)?.deref();
  return node && node.isConnected ? node : null;
}

// Computed styles and texts are asked for many times in one observation, and not kept longer.
let styles = new Map();
let texts = new Map();
function forget() {
  styles = new Map();
  texts = new Map();
}

function styleOf(el) {
  let style = styles.get(el);
  if (!style) {
    const computed = getComputedStyle(el);
    style = {
      display: computed.display,
      visibility: computed.visibility,
      opacity: computed.opacity,
      position: computed.position,
      cursor: computed.cursor,
      overflow: computed.overflowX === computed.overflowY
        ? computed.overflowX : `${computed.overflowX} ${computed.overflowY}`,
      events: computed.pointerEvents,
      clip: computed.clip,
      clipPath: computed.clipPath,
    };
    styles.set(el, style);
  }
  return style;
}

function childrenOf(node) {
  if (node.shadowRoot) return node.shadowRoot.childNodes;
  if (node.localName === 'slot') {
    const assigned = node.assignedNodes();
    if (assigned.length) return assigned;
  }
  return node.childNodes;
}

function parentOf(node) {
  if (node.assignedSlot) return node.assignedSlot;
  if (node.parentElement) return node.parentElement;
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

function within(node, ancestor) {
  for (let at = node; at; at = parentOf(at)) if (at === ancestor) return true;
  return false;
}

function closest(el, selector) {
  for (let at = el; at; at = parentOf(at)) if (at.matches(selector)) return at;
  return null;
}

function byId(el, id) {
  const root = el.getRootNode();
  return (root.getElementById ? root.getElementById(id) : null) || document.getElementById(id);
}

const attr = (el, name) => el.getAttribute(name) || '';
const is = (el, name) => el.getAttribute(name) === 'true';
const classOf = (el) => (typeof el.className === 'string' ? el.className : attr(el, 'class'));

function rectOf(el) {
  let rect = el.getBoundingClientRect();
  if (rect.width === 0 && rect.height === 0 && styleOf(el).display === 'contents') {
    const range = document.createRange();
    range.selectNodeContents(el);
    rect = range.getBoundingClientRect();
  }
  return rect;
}

// Visually hidden: there for screen readers, or the native half of a styled control.
function isClipped(el, rect) {
  const style = styleOf(el);
  if (style.clip !== 'auto' && /rect\(\s*[01]px[, ]+[01]px[, ]+[01]px[, ]+[01]px/.test(style.clip)) return true;
  if (/inset\((50|100)%\)/.test(style.clipPath)) return true;
  return (rect.width <= 1 || rect.height <= 1) && /hidden|clip/.test(style.overflow);
}

function isRendered(el) {
  return el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
}

// Rendered and seen by a sighted person, wherever on the page it lies.
function isShown(el) {
  if (!el || !isRendered(el)) return false;
  const rect = rectOf(el);
  if (rect.width < 1 || rect.height < 1 || isClipped(el, rect)) return false;
  for (let at = el; at; at = parentOf(at)) if (styleOf(at).opacity === '0') return false;
  return true;
}

// Icon fonts use the private use areas; zero-width characters are not read by anyone.
const GLYPHS = /[\u200b-\u200d\u2060\ufeff\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]/g;
const fold = (text) => text.replace(GLYPHS, '').replace(/\s+/g, ' ').trim();
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'canvas', 'iframe', 'object',
  'video', 'audio', 'datalist', 'head', 'select', 'textarea', 'input', 'option']);
const ICON = /(^|\s)(material-icons|material-symbols|mat-icon|glyphicon|icon-font)/;
const TEXT_CAP = 2000;

// The text a person reads in `el`. `skip` leaves out descendants; `unseen` also takes what is there
// for screen readers only.
function textOf(el, skip = null, unseen = false) {
  const cached = !skip && !unseen ? texts.get(el) : undefined;
  if (cached !== undefined) return cached;
  const out = { text: '' };
  gather(el, skip, unseen, out);
  const text = fold(out.text);
  if (!skip && !unseen) texts.set(el, text);
  return text;
}

function gather(el, skip, unseen, out) {
  for (const child of childrenOf(el)) {
    if (out.text.length > TEXT_CAP) return;
    if (child.nodeType === 3) out.text += child.data;
    else if (child.nodeType === 1) gatherElement(child, skip, unseen, out);
  }
}

function gatherElement(child, skip, unseen, out) {
  if (SILENT.has(child.localName) || (skip && skip(child))) {
    out.text += ' ';
    return;
  }
  const style = styleOf(child);
  if (style.display === 'none' || style.visibility === 'collapse') return;
  if (ICON.test(classOf(child))) return;
  if (!unseen && style.position === 'absolute' && isClipped(child, rectOf(child))) return;
  if (child.localName === 'br') out.text += ' ';
  const inline = style.display === 'inline' || style.display === 'contents';
  if (!inline) out.text += ' ';
  if (style.visibility === 'hidden') {
    const inner = { text: '' };
    for (const sub of childrenOf(child)) if (sub.nodeType === 1) gatherElement(sub, skip, unseen, inner);
    out.text += inner.text;
  } else {
    gather(child, skip, unseen, out);
  }
  if (!inline) out.text += ' ';
}

const cap = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
const unstar = (text) => text.replace(/^\s*[*＊]\s*|\s*[*＊]\s*$/g, '').replace(/\s*[:：]\s*$/, '').trim();
