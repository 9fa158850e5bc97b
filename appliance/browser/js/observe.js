// One walk over a frame's composed tree that lists what can be acted on and what can be read.
const ROW_CAP = 300;
const LISTENS = new WeakSet();
addEventListener('__TELL__', (event) => {
  LISTENS.add(event.composedPath()[0]);
  event.stopImmediatePropagation();
}, true);

function observe() {
  forget();
  dispatchEvent(new CustomEvent('__ASK__'));
  const dialogs = openDialogs();
  const modal = dialogs.filter(isModal).pop() || null;
  const state = { elements: [], texts: [], frames: {}, done: new Set(), modal, dialogs: [], found: new Map() };
  const start = { dialog: null, region: '', group: '', around: '', row: null, rowNode: null, column: null, columns: null,
    clip: null, faint: false, inControl: null, quiet: false, pointer: false, scroller: null, inert: false };
  const scope = { heading: '' };
  if (document.body) visit(document.body, start, scope, state);
  const titles = dialogs.map(dialogTitle);
  const result = {
    url: location.href, document: DOCUMENT, title: document.title, language: document.documentElement.lang || '',
    elements: merge(state), texts: state.texts, frames: state.frames, dialogs: titles,
    width: innerWidth, height: innerHeight, scroll: [scrollX, scrollY],
    pageHeight: document.scrollingElement?.scrollHeight ?? innerHeight,
  };
  forget();
  return result;
}

// Descends unless the subtree is hidden; emits controls and texts in reading order.
function visit(el, outer, scope, state) {
  if (el.shadowRoot) watchRoot(el.shadowRoot);
  const style = styleOf(el);
  if (style.display === 'none' || SILENT_SUBTREES.has(el.localName)) {
    if (el.localName !== 'input') return;
  }
  const ctx = contextFor(el, style, outer, scope, state);
  if (!ctx) return;
  const inner = opensScope(el, ctx, outer) ? { heading: scope.heading } : scope;
  if (el.localName === 'iframe' || el.localName === 'frame') {
    if (offered(el, ctx, state)) embedded(el, ctx, state);
    return;
  }
  const stop = emit(el, style, ctx, inner, state);
  if (stop) return;
  if (ctx.rowsOf) visitRows(el, ctx, inner, state);
  else if (el.localName === 'details' && !el.open) visitSummary(el, ctx, inner, state);
  else for (const child of childrenOf(el)) if (child.nodeType === 1) visit(child, ctx, inner, state);
  // The first heading of a page also titles what follows its own container.
  if (inner !== scope && !scope.heading && ctx.dialog === outer.dialog) scope.heading = inner.heading;
}
const SILENT_SUBTREES = new Set(['script', 'style', 'noscript', 'template', 'head', 'option', 'optgroup', 'datalist']);

function visitSummary(details, ctx, scope, state) {
  const summary = [...details.children].find((child) => child.localName === 'summary');
  if (summary) visit(summary, ctx, scope, state);
}

// Long tables are cut; what is left out is said.
function visitRows(body, ctx, scope, state) {
  const rows = [...childrenOf(body)].filter((child) => child.nodeType === 1);
  for (const row of rows.slice(0, ROW_CAP)) visit(row, ctx, scope, state);
  if (rows.length > ROW_CAP) {
    pushText(state, ctx, 'text', `… ${rows.length - ROW_CAP} more rows are not listed (${rows.length} in all)`, body);
  }
}

function opensScope(el, ctx, outer) {
  return ctx.dialog !== outer.dialog || ctx.region !== outer.region || ctx.rowNode !== outer.rowNode
    || /^(section|article|aside|nav|form|fieldset|table|td)$/.test(el.localName) || CARD.test(classOf(el));
}

function contextFor(el, style, outer, scope, state) {
  const ctx = { ...outer, rowsOf: false };
  if (style.opacity === '0' || (style.position === 'absolute' && isClipped(el, el.getBoundingClientRect()))) ctx.faint = true;
  if (el.inert) return null;
  clipFor(el, style, ctx);
  if (isDialog(el)) {
    const title = dialogTitle(el);
    ctx.dialog = title || ctx.dialog || '';
    if (ctx.dialog !== outer.dialog) Object.assign(ctx, { region: 'dialog', row: null, rowNode: null, column: null, columns: null, group: '' });
    scope = null;
  }
  ctx.region = regionOf(el) || ctx.region;
  const group = groupOf(el);
  if (group && attr(el, 'role') === 'listbox') ctx.around = ctx.group;
  else if (group) ctx.around = '';
  ctx.group = group || ctx.group;
  tableFor(el, ctx);
  return ctx;
}

function clipFor(el, style, ctx) {
  if (style.position === 'fixed') ctx.clip = ctx.scroller = null;
  if (style.position === 'absolute' && ctx.clip && !ctx.clip.positioned) ctx.clip = null;
  if (style.overflow === 'visible' || el === document.body) return;
  const rect = el.getBoundingClientRect();
  const box = { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom,
    positioned: style.position !== 'static' };
  if (/auto|scroll/.test(style.overflow)) ctx.scroller = box;
  else ctx.clip = box;
}

function tableFor(el, ctx) {
  if (isTable(el)) Object.assign(ctx, { columns: columnsOf(el), row: null, rowNode: null, column: null });
  else if (ctx.columns && isRow(el)) {
    const data = [...el.children].some(isCell);
    Object.assign(ctx, { row: data ? rowText(el) : null, rowNode: el, column: null });
  } else if (ctx.rowNode && isRow(ctx.rowNode) && isCell(el)) {
    ctx.column = ctx.columns?.[columnIndex(el)] || null;
  } else if (el.matches('ul.btn-group') && el.querySelector('.display_name,.member')) {
    Object.assign(ctx, { row: textOf(el.querySelector('.display_name,.member')), rowNode: el, group: membershipOf(el) || ctx.group });
  } else if (el.localName === 'li' && !/^(menu|menubar|tablist|navigation|tree|listbox)$/.test(ctx.region) && ctx.row === null) {
    const text = rowCell(el);
    if (text && el.querySelector('a,button,input,select,[role]')) Object.assign(ctx, { row: cap(text, 400), rowNode: el });
  }
  ctx.rowsOf = el.localName === 'tbody' || (/^(rowgroup|grid|table)$/.test(attr(el, 'role')) && el.children.length > ROW_CAP);
}

// Whether a person can reach it: what lies behind a modal must show through at its middle.
function offered(el, ctx, state, box = el) {
  if (!state.modal || within(el, state.modal)) return true;
  const rect = box.getBoundingClientRect();
  const hit = deepFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
  return !!hit && (within(hit, box) || (hit !== document.body && within(box, hit) && !within(state.modal, hit)
    && hit.getBoundingClientRect().width < innerWidth * 0.5));
}

// An embedded page: where it lies, and what of it a person sees.
function embedded(el, ctx, state) {
  const { x, y, width, height } = frameBox(idOf(el), false);
  if (width < 1 || height < 1) return;
  const clips = [{ left: 0, top: 0, right: innerWidth, bottom: innerHeight }, ctx.clip, ctx.scroller].filter(Boolean);
  const clip = [Math.max(x, ...clips.map((c) => c.left)), Math.max(y, ...clips.map((c) => c.top)),
    Math.min(x + width, ...clips.map((c) => c.right)), Math.min(y + height, ...clips.map((c) => c.bottom))];
  state.frames[idOf(el)] = { dialog: ctx.dialog, box: [x, y, width, height], clip };
}

function hiddenHere(el, ctx, rect) {
  if (ctx.faint || rect.width < 1 || rect.height < 1 || styleOf(el).visibility !== 'visible') return true;
  if (isClipped(el, rect)) return true;
  const clip = ctx.clip;
  if (clip && (rect.right <= clip.left || rect.left >= clip.right || rect.bottom <= clip.top || rect.top >= clip.bottom)) return true;
  return !ctx.scroller && (rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0);
}

// Returns whether the subtree has been dealt with.
function emit(el, style, ctx, scope, state) {
  if (el.matches('.themable-select') && el.querySelector('select')) return themable(el, ctx, scope, state);
  if (el.localName === 'label') labelled(el, ctx, scope, state);
  const role = controlRole(el);
  if (role) {
    control(el, role, ctx, scope, state);
    ctx.inControl = el;
    ctx.pointer = true;
    return isField(el) && el.localName !== 'div';
  }
  clickable(el, style, ctx, scope, state);
  return readable(el, style, ctx, scope, state);
}

function control(el, role, ctx, scope, state) {
  if (state.done.has(el)) return;
  const rect = rectOf(el);
  if (!hiddenHere(el, ctx, rect)) {
    state.done.add(el);
    if (offered(el, ctx, state)) pushElement(el, role, ctx, scope, state, el);
    return;
  }
  const stand = standIn(el);
  if (!stand) return;
  state.done.add(el);
  if (offered(stand, ctx, state)) pushElement(el, role, ctx, scope, state, stand);
}

// The visible thing that acts for a hidden input: its label, or the box drawn in its place.
function standIn(el) {
  if (el.localName !== 'input' || !/^(checkbox|radio|file)$/.test(el.type)) return null;
  const label = [...(el.labels || [])].find(isShown);
  if (label) return label;
  if (styleOf(el).display === 'none') return null;
  const rect = el.getBoundingClientRect();
  if (rect.width >= 4 && rect.height >= 4 && styleOf(el).visibility === 'visible') return el;
  const parent = el.parentElement;
  return parent && isShown(parent) && parent.querySelectorAll('input').length === 1 ? parent : null;
}

// A label whose input is not rendered at all stands for it.
function labelled(label, ctx, scope, state) {
  const input = label.control;
  if (!input || state.done.has(input) || controlRole(input) === null) return;
  if (isRendered(input) || !isShown(label) || !/^(checkbox|radio|file)$/.test(input.type)) return;
  state.done.add(input);
  if (offered(label, ctx, state)) pushElement(input, controlRole(input), ctx, scope, state, label);
}

// Horizon's drop-down: a hidden select and a menu that mirrors it are one control.
function themable(el, ctx, scope, state) {
  const toggle = el.querySelector('.dropdown-toggle');
  const select = el.querySelector('select');
  if (!toggle || hiddenHere(toggle, ctx, rectOf(toggle))) return true;
  if (offered(toggle, ctx, state)) {
    const own = { ...ctx, options: [...el.querySelectorAll('[data-select-value]')].map((a) => fold(a.textContent)) };
    const entry = pushElement(toggle, 'combobox', own, scope, state, toggle);
    entry.name = nameOf(select, 'combobox') || groupText(el) || nearText(el);
    entry.value = textOf(el.querySelector('.dropdown-title') || toggle);
    entry.options = own.options;
    entry.tag = 'select';
    entry.description = describe(select, entry.name);
    entry.error = errorOf(select);
    entry.group = ctx.group;
    entry.states = [...new Set([...statesOf(select, 'combobox'), ...statesOf(toggle, 'combobox')])];
    delete entry.text;
  }
  const menu = el.querySelector('.dropdown-menu');
  if (menu && isShown(menu)) {
    for (const item of menu.querySelectorAll('[data-select-value]')) {
      if (isShown(item)) pushElement(item, 'option', { ...ctx, region: 'listbox' }, scope, state, item);
    }
  }
  return true;
}

// Pointer cursor or a click listener makes a control of what is neither native nor ARIA, when innermost.
function clickable(el, style, ctx, scope, state) {
  const starts = style.cursor === 'pointer' && !ctx.pointer;
  const listens = LISTENS.has(el) || attr(el, 'draggable') === 'true' || el.hasAttribute('ondrop') || el.hasAttribute('onclick') || el.hasAttribute('ng-click');
  ctx.pointer = style.cursor === 'pointer' || (ctx.pointer && style.cursor === 'pointer');
  if (ctx.inControl || (!starts && !listens) || state.done.has(el)) return;
  if (el.localName === 'label' && el.control) return;
  if ((isHeaderCell(el) && is(el, 'aria-disabled')) || closest(el, '.no_results')) return;
  if (el.matches('html,body,main,form,table,tbody,thead') || closest(el, 'label')?.control) return;
  const rect = rectOf(el);
  if (hiddenHere(el, ctx, rect) || rect.width * rect.height > innerWidth * innerHeight * 0.4) return;
  if (style.events === 'none' || (!starts && style.cursor !== 'pointer' && !nameOf(el, 'button'))) return;
  if (holdsControls(el) || !offered(el, ctx, state)) return;
  if ((el.ownerSVGElement || isHeaderCell(el)) && !nameOf(el, 'button')) return; // a slice of a chart, an empty corner
  state.done.add(el);
  ctx.inControl = el;
  if (bareCaption(el)) return void bareSelect(el, ctx, scope, state);
  const role = isHeaderCell(el) ? 'columnheader' : el.localName === 'a' && expandedState(el) === null ? 'link' : 'button';
  pushElement(el, role, ctx, scope, state, el);
}

function holdsControls(el) {
  if (el.shadowRoot) return true;
  for (const inner of el.querySelectorAll('a,button,input,select,textarea,label,[role],[tabindex],[ng-click],[onclick],[contenteditable]')) {
    if ((isControl(inner) || inner.hasAttribute('ng-click') || inner.hasAttribute('onclick')) && isRendered(inner)) return true;
  }
  return false;
}

function pushElement(el, role, ctx, scope, state, boxed) {
  const rect = boxed === el ? rectOf(el) : boxed.getBoundingClientRect();
  const name = nameOf(el, role);
  const near = nearestRow(el, ctx, name);
  const entry = {
    id: idOf(el), role, name, tag: el.localName, type: /^(input|button)$/.test(el.localName) ? el.type : '',
    value: valueOf(el, role), states: statesOf(el, role), options: /^(combobox|listbox|button|link)$/.test(role) ? optionsOf(el) : [],
    placeholder: fold(attr(el, 'placeholder')), description: describe(el, name), error: errorOf(el),
    box: [rect.left, rect.top, rect.width, rect.height], dialog: ctx.dialog, region: ctx.region,
    section: ctx.around || scope.heading, group: (role === 'listbox' ? ctx.around : ctx.group) || (/^(radio|checkbox)$/.test(role) ? choiceGroup(el) : ''),
    row: near, column: ctx.column, href: role === 'link' && el.href ? String(el.href.baseVal ?? el.href) : '',
    submit: isSubmit(el, ctx), seen: inView(rect, ctx),
  };
  if (entry.seen && isCovered(boxed, el)) entry.states.push('covered');
  const shown = isField(el) ? '' : textOf(el);
  if (shown && shown !== name) entry.text = cap(shown, 300);
  if (entry.group === name && CHECKABLE.has(role)) entry.group = '';
  state.elements.push(entry);
  state.found.set(entry, el);
  return entry;
}

function nearestRow(el, ctx, name) {
  if (ctx.row === null || (ctx.row === name && !isRow(ctx.rowNode))) return null;
  return ctx.row;
}

function isSubmit(el, ctx) {
  if (/^(submit|image)$/.test(el.type) && el.form && /^(input|button)$/.test(el.localName)) return true;
  if (ctx.dialog === null || !/^(button|a|input)$/.test(el.localName)) return false;
  return /(^|\s)(btn-primary|btn-danger|primary|ant-btn-primary|el-button--primary|next-btn-primary)(\s|$)/.test(classOf(el))
    && !!closest(el, '.modal-footer,footer,[class*=footer],[class*=Footer]');
}

function inView(rect, ctx) {
  const x = rect.left + rect.width / 2;
  const y = rect.top + Math.min(rect.height / 2, 20);
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  const clip = ctx.scroller;
  return !clip || (x >= clip.left && x <= clip.right && y >= clip.top && y <= clip.bottom);
}

// `li[role=tab] > a`: two elements, one control. The inner one is clicked, the outer one says what it is.
function merge(state) {
  const COMPOSITE = /^(tab|menuitem|option|treeitem|combobox|button|link)$/;
  const dropped = new Set();
  state.elements.forEach((outer, index) => {
    if (!COMPOSITE.test(outer.role)) return;
    const node = state.found.get(outer);
    const inner = [];
    for (const next of state.elements.slice(index + 1, index + 6)) {
      if (within(state.found.get(next), node)) inner.push(next);
    }
    if (inner.length !== 1 || (inner[0].name !== outer.name && inner[0].name && outer.role !== 'combobox')) return;
    const keep = inner[0];
    if (/^(tab|menuitem|option|treeitem|combobox)$/.test(outer.role)) keep.role = outer.role;
    keep.name = outer.name || keep.name;
    keep.states = [...new Set([...outer.states, ...keep.states])];
    if (outer.options.length) keep.options = outer.options;
    dropped.add(outer);
  });
  return state.elements.filter((entry) => !dropped.has(entry));
}
