// One walk over a frame's composed tree that lists what can be acted on and what can be read.
const LISTENS = new WeakSet();
addEventListener('__TELL__', (event) => {
  event.stopImmediatePropagation();
  const told = event.changedTouches?.[0]?.target;
  if (told instanceof ShadowRoot) adoptRoot(told.host, told);
  else if (told) LISTENS.add(told);
}, true);

const ASKING = new Event('__ASK__');

function observe(options) {
  forget();
  dispatchEvent(ASKING);
  const known = shadowRoots.size;
  let result = walk(options || {});
  // A dialog in a shadow root that was met only now decides what can be reached at all.
  if (shadowRoots.size > known && shownDialogs().length > result.opened) result = walk(options || {});
  delete result.opened;
  forget();
  return result;
}

function walk(options) {
  lookThrough();
  const shown = shownDialogs();
  const dialogs = openDialogs(shown);
  const modal = dialogs.filter(isModal).pop() || null;
  const state = { elements: [], texts: [], frames: {}, folds: [], suspects: [], done: new Set(), modal, path: pathOf(modal),
    shown: new Set(shown), overlays: [], rowsLeft: FAR_ROWS, rows: new Map(),
    isCovered: false, unfold: options.unfold || {} };
  const scope = { heading: '' };
  const all = document.body || document.documentElement; // a picture may be a document
  const start = { ...START, off: isOffWithin(styleOf(document.documentElement)), sight: sightThrough(null, null) };
  if (all) visit(all, start, scope, state);
  markCovered(state);
  if (alarmed || document.querySelector('[id$="error" i],:user-invalid')) for (const { told, field } of state.elements) if (field) told.error = errorOf(field) || undefined;
  return {
    url: location.href, document: DOCUMENT, title: document.title, language: document.documentElement.lang || '',
    elements: merge(state).map((entry) => entry.told), texts: state.texts, rows: [...state.rows.keys()], folds: state.folds, frames: state.frames,
    dialogs: dialogs.map(dialogTitle), suspects: state.suspects,
    width: view.width / PX, height: view.height / PX, scroll: [view.x / PX, view.y / PX],
    pageHeight: document.scrollingElement?.scrollHeight ?? view.height / PX, opened: shown.length,
  };
}

function pathOf(modal) {
  const path = new Set();
  for (let at = modal; at; at = parentOf(at)) path.add(at);
  return path;
}

// What a place in the tree inherits from those around it.
const START = { dialog: null, region: '', group: '', around: '', row: null, rowNode: null, column: null, columns: null,
  clip: null, scroller: null, sight: null, faint: false, veil: null, off: false, inControl: null, owner: null, quiet: false, pointer: false,
  inModal: false, fold: 0, far: null };

function below(ctx) {
  return { dialog: ctx.dialog, region: ctx.region, group: ctx.group, around: ctx.around, row: ctx.row, rowNode: ctx.rowNode,
    column: ctx.column, columns: ctx.columns, clip: ctx.clip, scroller: ctx.scroller,
    sight: ctx.sight, faint: ctx.faint, veil: ctx.veil, off: ctx.off, inControl: ctx.inControl, owner: ctx.owner, quiet: ctx.quiet, pointer: ctx.pointer,
    inModal: ctx.inModal, fold: ctx.fold, far: ctx.far };
}

const SILENT_SUBTREES = new Set(['script', 'style', 'noscript', 'template', 'head', 'option', 'optgroup', 'datalist']);
const UNRENDERED = new Set(['input', 'area']); // which a label or an image shows

// Descends unless the subtree is hidden; emits controls and texts in reading order.
function visit(el, outer, scope, state) {
  const style = styleOf(el);
  const { tag, root } = style;
  if (SILENT_SUBTREES.has(tag)) return;
  if (root !== null) watchRoot(root);
  if (style.display === 'none' && !UNRENDERED.has(tag) && !(tag === 'map')) return;
  const ctx = contextFor(el, style, outer, state);
  if (!ctx) return;
  const inner = opensScope(style, ctx, outer) ? { heading: scope.heading } : scope;
  if (tag === 'iframe' || tag === 'frame') {
    if (offered(el, ctx, state)) framed(el, ctx, state);
    return;
  }
  if (emit(el, style, ctx, inner, state)) return;
  descend(el, style, ctx, inner, state);
  // The first heading of a page also titles what follows its own container.
  if (inner !== scope && !scope.heading && ctx.dialog === outer.dialog) scope.heading = inner.heading;
}

function descend(el, style, ctx, scope, state) {
  const list = style.isSlotted ? childrenOf(el) : null;
  if (list === null && el.firstElementChild === null) return void suspect(el, style, state);
  if ((ctx.inControl === el || (ctx.inControl !== null && style.tag === 'svg')) && !holdsMore(el, style.root)) return;
  if (style.tag === 'details' && !el.open) return visitSummary(el, ctx, scope, state);
  if (list !== null) {
    for (const child of list) if (child.nodeType === 1) visit(child, ctx, scope, state);
    return;
  }
  suspect(el, style, state);
  if (visitRows(el, ctx, scope, state)) return;
  for (let child = el.firstElementChild; child; child = child.nextElementSibling) visit(child, ctx, scope, state);
}

function visitSummary(details, ctx, scope, state) {
  const summary = [...details.children].find((child) => child.localName === 'summary');
  if (summary) visit(summary, ctx, scope, state);
}

const NESTED = 'a,button,input,select,textarea,label,summary,iframe,slot,[role],[contenteditable]';

// Whether a control holds others: most hold a text and an icon, and need not be walked.
function holdsMore(el, root) {
  if (root || el.querySelector(NESTED)) return true;
  for (const inner of el.getElementsByTagName('*')) if (shadowOf(inner)) return true;
  return false;
}

const ATTACHABLE = new Set(['article', 'aside', 'blockquote', 'div', 'footer', 'header', 'main', 'nav', 'p', 'section', 'span']);

// What has a box and nothing in it that could be seen may have a closed shadow root of its own.
function suspect(el, style, state) {
  const { tag } = style;
  const own = tag.includes('-');
  if (!own && (el.firstChild || !ATTACHABLE.has(tag))) return;
  if (style.root !== null || state.suspects.length >= 200 || (own && [...el.children].slice(0, 5).some(isRendered))) return;
  const { rect } = style;
  if (rect.width >= 8 * PX && rect.height >= 8 * PX) state.suspects.push(idOf(el));
}

const SECTIONS = new Set(['section', 'article', 'aside', 'nav', 'form', 'fieldset', 'table', 'td']);

function opensScope(style, ctx, outer) {
  return ctx.dialog !== outer.dialog || ctx.region !== outer.region || ctx.rowNode !== outer.rowNode
    || SECTIONS.has(style.tag) || style.about.isCard;
}

function contextFor(el, style, outer, state) {
  if (style.marks & HAS_INERT) return null;
  const ctx = below(outer);
  if (!ctx.off && style.marks & HAS_ARIA && saysOff(el)) ctx.off = true;
  style.off = ctx.off;
  if (el === state.modal) ctx.inModal = true;
  if (ctx.inControl) return ctx.columns && style.part & (ROW | CELL) ? tabled(el, style, ctx) : ctx;
  if (!ctx.far) boundsFor(el, style, ctx, state); // what is far from view neither covers nor is covered
  if (state.shown.size !== 0 && state.shown.has(el)) dialogFor(el, ctx, outer);
  if (style.part & AROUND) surround(el, style, ctx);
  return style.part ? tabled(el, style, ctx) : ctx;
}

function surround(el, style, ctx) {
  ctx.region = regionOf(el, style, ctx.region) || ctx.region;
  const group = groupOf(el, style);
  if (!group) return;
  ctx.around = style.role === 'listbox' ? ctx.group : '';
  ctx.group = group;
}

function dialogFor(el, ctx, outer) {
  const title = dialogTitle(el);
  ctx.dialog = title || ctx.dialog || '';
  if (ctx.dialog !== outer.dialog) Object.assign(ctx, { region: 'dialog', row: null, rowNode: null, column: null, columns: null, group: '' });
}

// What hides it: a box that clips, a parked place; and whether it may lie over others.
function boundsFor(el, style, ctx, state) {
  // Only what is styled by name is ever transparent.
  if (style.marks & (HAS_CLASS | HAS_STYLE | HAS_ID) && style.opacity === '0') {
    if (!ctx.faint) ctx.veil = el;
    ctx.faint = true;
  }
  const { position } = style;
  if (position !== 'static') {
    state.overlays[state.overlays.length] = style; // a `push` into a list that is still empty makes V8 drop compiled code
    if (position === 'absolute' && isClipped(style)) Object.assign(ctx, { faint: true, veil: null });
    if (position === 'fixed') seeThrough(ctx, null, null);
    else if (position === 'absolute' && ctx.clip && !ctx.clip.positioned) seeThrough(ctx, null, ctx.scroller);
  }
  if (style.display === 'inline' || style.tag === 'body' || (el.firstElementChild === null && style.root === null)) return;
  const { overflow } = style;
  if (overflow === 'visible') return;
  const { rect } = style;
  const isPositioned = position !== 'static';
  if (/auto|scroll/.test(overflow)) {
    // What clips the scroller cuts off what can be scrolled into it.
    seeThrough(ctx, null, clippedBy(clippedBy(rect, isPositioned, ctx.scroller), isPositioned, ctx.clip));
  } else seeThrough(ctx, clippedBy(rect, isPositioned, ctx.clip), ctx.scroller);
}

// A box that clips lies itself in one that does.
const clippedBy = (rect, isPositioned, outer) => ({ ...(outer ? overlap(rect, outer) : rect), positioned: isPositioned });

function seeThrough(ctx, clip, scroller) {
  ctx.clip = clip;
  ctx.scroller = scroller;
  ctx.sight = sightThrough(clip, scroller);
}

function sightThrough(clip, scroller) {
  const whole = { left: 0, top: 0, right: view.width, bottom: view.height };
  const part = clip ? overlap(whole, clip) : whole;
  return scroller ? overlap(part, scroller) : part;
}

function tabled(el, style, ctx) {
  const { tag, part } = style;
  const columns = part & TABLE ? columnsOf(el) : undefined;
  if (columns) Object.assign(ctx, { columns, row: null, rowNode: null, column: null });
  else if (columns === null) ctx.columns = null;
  else if (part & ROW && ctx.columns) {
    Object.assign(ctx, { row: someChild(el, isCell) ? rowText(el) : null, rowNode: el, column: null, far: farBox(style.rect, ctx) });
  } else if (part & CELL && ctx.columns && ctx.rowNode && isRow(ctx.rowNode)) {
    ctx.column = ctx.columns[columnIndex(el)] || null;
  } else if (tag === 'ul') {
    memberList(el, ctx);
  } else if (tag === 'li' && ctx.row === null && !/^(menu|menubar|tablist|navigation|tree|listbox)$/.test(ctx.region)) {
    const text = el.querySelector('a,button,input,select,[role]') && !isGroupOfLinks(el) ? rowCell(el) : '';
    if (text) Object.assign(ctx, { row: cap(text, 400), rowNode: el });
  }
  return ctx;
}

// An entry that only groups others, as in the side bar of an administration: each of them stands for itself.
const GROUPED = 4;
const isGroupOfLinks = (li) => li.querySelectorAll('li a[href]').length >= GROUPED
  && [...li.querySelectorAll('li a[href]')].filter(isShown).length >= GROUPED;

// Where a row is that is out of view: its cells need not be measured one by one.
function farBox(rect, ctx) {
  return rect.height >= PX && visiblePart(rect, ctx) === null ? rect : null;
}

function memberList(el, ctx) {
  const member = el.matches('ul.btn-group') && el.querySelector('.display_name,.member');
  if (member) Object.assign(ctx, { row: textOf(member), rowNode: el, group: membershipOf(el) || ctx.group });
}

// An embedded page: where it lies, and what of it a person sees.
function framed(el, ctx, state) {
  const box = frameBox(idOf(el), false);
  const { x, y, width, height } = box;
  const part = visiblePart(plainRect(box), ctx);
  if (width < 1 || height < 1 || !el.checkVisibility(SEEN)) return;
  const clip = part ? [part.left / PX, part.top / PX, part.right / PX, part.bottom / PX] : [x, y, x, y];
  state.frames[idOf(el)] = { dialog: ctx.dialog, box: [x, y, width, height], clip };
}
