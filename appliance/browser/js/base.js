// Ids, styles, geometry and the composed tree: what the other parts stand on.
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

// What an element is at first sight; the bits say which attributes there are that matter.
const HAS_CLASS = 1;
const HAS_ROLE = 2;
const HAS_TOGGLE = 4;
const HAS_HANDLER = 8;
const HAS_LIVE = 16;
const HAS_EDIT = 32;
const HAS_INERT = 64;
const HAS_ID = 128;
const HAS_STYLE = 256;
const HAS_ARIA = 512;
const HAS_TITLE = 1024;
const HAS_LABEL = 2048; // the one kind of `aria-` attribute that many elements have
const HAS_PLACEHOLDER = 4096;
const HAS_DISABLED = 8192;
const MAY_OPEN = 16384; // a menu, a list, a part of the page
const HAS_ERROR = 32768;
const MARKS = new Map([['class', HAS_CLASS], ['role', HAS_ROLE], ['data-toggle', HAS_TOGGLE], ['data-bs-toggle', HAS_TOGGLE],
  ['btn-radio', HAS_TOGGLE], ['uib-btn-radio', HAS_TOGGLE], ['btn-checkbox', HAS_TOGGLE], ['uib-btn-checkbox', HAS_TOGGLE],
  ['onclick', HAS_HANDLER], ['ng-click', HAS_HANDLER], ['ondrop', HAS_HANDLER], ['onmousedown', HAS_HANDLER], ['onpointerdown', HAS_HANDLER],
  ['draggable', HAS_HANDLER], ['aria-live', HAS_LIVE | HAS_ARIA], ['contenteditable', HAS_EDIT], ['inert', HAS_INERT], ['id', HAS_ID],
  ['style', HAS_STYLE], ['title', HAS_TITLE], ['data-original-title', HAS_TITLE], ['data-bs-original-title', HAS_TITLE],
  ['aria-label', HAS_LABEL], ['aria-labelledby', HAS_LABEL], ['placeholder', HAS_PLACEHOLDER], ['disabled', HAS_DISABLED],
  ['aria-errormessage', HAS_ARIA | HAS_ERROR], ['aria-invalid', HAS_ARIA | HAS_ERROR]]);

const NAMES_KEPT = 500;

function markOf(name) {
  const mark = name.startsWith('aria-') ? HAS_ARIA : 0;
  if (MARKS.size < NAMES_KEPT) MARKS.set(name, mark);
  return mark;
}

// Which part of a table or a list an element is, or of the page.
const TABLE = 1;
const ROW = 2;
const CELL = 4;
const HEADER = 8;
const LISTED = 16;
const AROUND = 32; // it may be a landmark, or a group
const PART_OF_TAG = new Map([['table', TABLE], ['tr', ROW], ['td', CELL], ['ul', LISTED], ['li', LISTED],
  ...['nav', 'main', 'aside', 'form', 'header', 'footer', 'fieldset'].map((tag) => [tag, AROUND])]);
const PART_OF_ROLE = new Map([['table', TABLE], ['grid', TABLE], ['treegrid', TABLE], ['row', ROW], ['columnheader', HEADER],
  ['gridcell', CELL], ['cell', CELL], ['rowheader', CELL]]);

function partOf(el, tag, role) {
  const said = PART_OF_ROLE.get(role) || 0;
  if (tag === 'th') return said | (said & HEADER || el.getAttribute('scope') !== 'row' ? HEADER : CELL);
  const part = PART_OF_TAG.get(tag) || 0;
  if (part & (CELL | LISTED | AROUND)) return part | said;
  return part === TABLE && role !== 'presentation' && role !== 'none' ? TABLE | said : said;
}

// What is asked for many times in one observation is read once and not kept longer: one computed property
// costs half a microsecond, a box two, and a page has thousands of elements. What nearly all are asked for is
// read at once; the rest when first asked for. All fields are there from the start: objects of one shape are
// read several times faster. Functions of the walk are handed the look, since to find it anew costs as much
// as a property.
class Look {
  constructor(el) {
    this.el = el;
    this.tag = el.localName;
    this.marks = this.part = 0;
    this.role = '';
    this.cls = '';
    this.about = NO_CLASS;
    this.root = shadowOf(el);
    this.isSlotted = this.root !== null || this.tag === 'slot';
    this.computed = computedOf(el);
    this.display = this.computed.display;
    this.position = this.computed.position;
    this.a = this.b = this.c = this.d = this.e = this.f = this.g = undefined;
    this.text = this.cell = this.group = this.crowded = this.fields = this.off = undefined;
    if (el.hasAttributes()) this.read(el);
    this.part |= this.role === '' && this.tag !== 'th' ? PART_OF_TAG.get(this.tag) : partOf(el, this.tag, this.role);
    this.isField = FIELD_TAGS.has(this.tag) ? el.type !== 'hidden' : this.marks & (HAS_EDIT | HAS_ROLE) ? el.matches(FIELDS) : false;
  }

  read(el) {
    const names = el.getAttributeNames();
    for (let i = 0; i < names.length; i++) this.marks |= MARKS.get(names[i]) ?? markOf(names[i]);
    if (this.marks & HAS_ROLE) this.role = el.getAttribute('role').trim();
    if (this.marks & HAS_CLASS) this.about = aboutClass(this.cls = el.getAttribute('class'));
    if (this.about.likeError || this.marks & HAS_ERROR || this.role === 'alert') alarmed = true;
    if (this.marks & HAS_ID || this.about.surrounds || REGIONS.has(this.role)) this.part = AROUND;
    if (this.marks & (HAS_ARIA | HAS_TOGGLE) || this.about.isToggle || this.role === 'listbox') this.marks |= MAY_OPEN;
  }

  get rect() { return this.a ??= measure(this.el, this); }
  get visibility() { return this.b ??= this.computed.visibility; }
  get opacity() { return this.c ??= this.computed.opacity; }
  get cursor() { return this.d ??= this.computed.cursor; }
  get events() { return this.e ??= this.computed.pointerEvents; }
  get clipPath() { return this.f ??= this.computed.clipPath; }
  get overflow() { return this.g ??= this.computed.overflow; }
}

// A computed style follows its element: it is made once.
const computed = new WeakMap();

function computedOf(el) {
  let style = computed.get(el);
  if (style === undefined) computed.set(el, style = getComputedStyle(el));
  return style;
}

let looks = new Map();
let labels = new Map(); // of the fields, by the root that they are in
let revealing = null; // selectors of what shows while the pointer is near
let iconLooks = new Map(); // of what has no words
let drawnLists = null; // native lists by what is drawn for them
let alarmed = false; // whether anything looked at says that something is wrong
function forget() {
  looks = new Map();
  labels = new Map();
  iconLooks = new Map();
  drawnLists = null;
  alarmed = false;
  revealing = null;
}

function styleOf(el) {
  let look = looks.get(el);
  if (!look) looks.set(el, look = new Look(el));
  return look;
}

// Closed shadow roots, which the hook or the protocol has handed over; our world reads them like any other.
const closedRoots = new WeakMap();
const shadowRoots = new Set();
const shadowOf = (el) => el.shadowRoot || closedRoots.get(el) || null;

function adoptRoot(host, root) {
  closedRoots.set(host, root);
  watchRoot(root);
}

function childrenOf(node) {
  const root = shadowOf(node);
  if (root) return root.childNodes;
  if (node.localName === 'slot') {
    const assigned = node.assignedNodes();
    if (assigned.length) return assigned;
  }
  return node.childNodes;
}

function parentOf(node) {
  return (shadowRoots.size && node.assignedSlot) || node.parentElement || hostOf(node);
}

function hostOf(node) {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

function within(node, ancestor) {
  if (!shadowRoots.size) return ancestor.contains(node);
  for (let at = node; at; at = parentOf(at)) if (at === ancestor) return true;
  return false;
}

function closest(el, selector) {
  if (!el || !shadowRoots.size) return el && el.closest(selector);
  for (let at = el; at; at = parentOf(at)) if (at.matches(selector)) return at;
  return null;
}

function byId(el, id) {
  if (!id) return null;
  const root = el.getRootNode();
  return (root.getElementById ? root.getElementById(id) : null) || document.getElementById(id);
}

function someChild(el, holds) {
  for (let child = el.firstElementChild; child !== null; child = child.nextElementSibling) if (holds(child)) return true;
  return false;
}

const NONE = Object.freeze([]);
const attr = (el, name) => el.getAttribute(name) || '';
const is = (el, name) => el.getAttribute(name) === 'true';
const classOf = (el) => el.getAttribute('class') || '';

const rectOf = (el) => styleOf(el).rect;

function measure(el, look) {
  const rect = plainRect(look.tag === 'area' ? areaRect(el) : el.getBoundingClientRect());
  if (rect.width || rect.height || look.display !== 'contents') return rect;
  const range = document.createRange();
  range.selectNodeContents(el);
  return plainRect(range.getBoundingClientRect());
}

// Boxes are in whole tenths of a pixel. V8 makes a new object of every fraction that is read, and a box is asked for
// its sides some twenty times: that was a quarter of all memory that a look takes.
const PX = 10;

function plainRect(box) {
  const left = Math.round(box.x * PX) | 0; // -0 is a fraction to V8
  const top = Math.round(box.y * PX) | 0;
  const width = Math.round(box.width * PX) | 0;
  const height = Math.round(box.height * PX) | 0;
  return { left, top, right: left + width, bottom: top + height, width, height };
}

const inPixels = ({ left, top, width, height }) => [left / PX, top / PX, width / PX, height / PX];

// An image map's area has no box of its own: it lies on its image.
function areaRect(area) {
  const image = imageOf(area);
  if (!image) return new DOMRect();
  const whole = image.getBoundingClientRect();
  const [a, b, c, d] = attr(area, 'coords').split(/[\s,]+/).map(Number);
  const left = whole.left + image.clientLeft;
  const top = whole.top + image.clientTop;
  if (attr(area, 'shape') === 'circle' && c > 0) return new DOMRect(left + a - c, top + b - c, 2 * c, 2 * c);
  const xs = attr(area, 'coords').split(/[\s,]+/).map(Number).filter((_, i) => i % 2 === 0);
  const ys = attr(area, 'coords').split(/[\s,]+/).map(Number).filter((_, i) => i % 2 === 1);
  if (!(d >= 0)) return whole;
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return new DOMRect(left + x, top + y, Math.max(...xs) - x, Math.max(...ys) - y);
}

function imageOf(area) {
  const name = area.closest('map')?.name;
  return name ? area.getRootNode().querySelector(`img[usemap="#${CSS.escape(name)}"]`) : null;
}

// Visually hidden: there for screen readers, or the native half of a styled control.
function isClipped(style) {
  const { rect, position } = style;
  const small = rect.width <= PX || rect.height <= PX;
  const out = position === 'absolute' || position === 'fixed';
  if (!small && !out) return false;
  if (out && /rect\(\s*[01]px[, ]+[01]px[, ]+[01]px[, ]+[01]px/.test(style.computed.clip)) return true;
  if (style.clipPath !== 'none' && /inset\((50|100)%\)/.test(style.clipPath)) return true;
  return small && /hidden|clip/.test(style.overflow);
}

const RENDERED = { visibilityProperty: true, contentVisibilityAuto: false };
const SEEN = { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: false };

function isRendered(el) {
  return el.checkVisibility(RENDERED);
}

// Rendered and seen by a sighted person, wherever on the page it lies.
function isShown(el) {
  if (!el || !el.checkVisibility(SEEN)) return false;
  const style = styleOf(el);
  return style.rect.width >= PX && style.rect.height >= PX && !isClipped(style);
}

// The viewport of this observation, in tenths too: asking the window for it anew costs as much as a box.
let view = { width: 0, height: 0, x: 0, y: 0 };
function lookThrough() {
  view = { width: innerWidth * PX, height: innerHeight * PX, x: Math.round(scrollX * PX), y: Math.round(scrollY * PX) };
}

// The part of a box that can be seen through what clips it; null when there is none.
function visiblePart(rect, { sight }) {
  if (rect.bottom <= sight.top || rect.top >= sight.bottom || rect.right <= sight.left || rect.left >= sight.right) return null;
  if (rect.top >= sight.top && rect.bottom <= sight.bottom && rect.left >= sight.left && rect.right <= sight.right) {
    return rect.width > 0 && rect.height > 0 ? rect : null;
  }
  const part = overlap(rect, sight);
  const { left, top, right, bottom } = part;
  return right - left >= Math.min(2 * PX, rect.width) && bottom - top >= Math.min(2 * PX, rect.height) && right > left && bottom > top ? part : null;
}

const overlap = (one, other) => ({ left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom) });

const cap = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
const unstar = (text) => text.replace(/^\s*[*＊]\s*|\s*[*＊]\s*$/g, '').replace(/\s*[:：]\s*$/, '').trim();
