// What can be acted on: which elements are controls, whether a person can reach them, and how they are told.
const behind = (el, ctx, state) => state.modal !== null && !ctx.inModal && !state.path.has(el);

// Whether a person can reach it: what lies behind a modal must show through at its middle.
function offered(el, ctx, state, box = el) {
  if (state.modal === null || ctx.inModal) return true;
  const hit = hitInTheMiddle(rectOf(box));
  return !!hit && (within(hit, box) || (hit !== document.body && within(box, hit) && !within(state.modal, hit)
    && rectOf(hit).width < view.width * 0.5));
}

// What a click in the middle would hit; null out of view.
function hitInTheMiddle(rect) {
  const x = rect.left + rect.width / 2;
  const y = rect.top + rect.height / 2;
  return x < 0 || y < 0 || x >= view.width || y >= view.height ? null : deepFromPoint(x / PX, y / PX);
}

// Whether there is nothing to be seen where it lies.
function isOut({ rect }, ctx) {
  if (ctx.faint || rect.width < PX || rect.height < PX) return true;
  const clip = ctx.clip;
  if (clip && (rect.right <= clip.left || rect.left >= clip.right || rect.bottom <= clip.top || rect.top >= clip.bottom)) return true;
  return !ctx.scroller && (rect.right + view.x <= 0 || rect.bottom + view.y <= 0);
}

function hiddenHere(el, style, ctx) {
  if (isOut(style, ctx)) return true;
  return style.tag === 'area' ? !isShown(imageOf(el)) : style.visibility !== 'visible' || isClipped(style);
}

// As above, but what it lies in may be transparent, too.
function unseenHere(el, style, ctx) {
  if (isOut(style, ctx)) return true;
  return style.tag === 'area' ? !isShown(imageOf(el)) : isClipped(style) || !el.checkVisibility(SEEN);
}

// Returns whether the subtree has been dealt with.
function emit(el, style, ctx, scope, state) {
  if (style.about.isThemable && el.querySelector('select')) return themable(el, ctx, scope, state);
  if (style.tag === 'label') labelled(el, ctx, scope, state);
  const role = controlRole(el, style);
  if (role) {
    control(el, style, role, ctx, scope, state);
    ctx.inControl = el;
    ctx.pointer = true;
    return style.isField && style.tag !== 'div';
  }
  if (!ctx.inControl) clickable(el, style, ctx, scope, state);
  readable(el, style, ctx, scope, state);
  return false;
}

function control(el, style, role, ctx, scope, state) {
  if (state.done.has(el)) return;
  const isUnseen = unseenHere(el, style, ctx);
  const place = isUnseen && REVEALED.test(role) ? revealedIn(el, style, ctx) : null;
  const box = editorShown(el) || (isUnseen && !place ? standIn(el) : el);
  if (!box) return;
  state.done.add(el);
  if (!offered(box, ctx, state)) return;
  ctx.owner = pushElement(el, style, role, place ? { ...ctx, ...place } : ctx, scope, state, box);
  if (box !== el && role === 'combobox' && !el.value) ctx.owner.told.value = textOf(box);
}

const REVEALED = /^(button|link|menuitem)$/;

// The row or card of what is transparent until the pointer comes near that: a click reaches it all the same.
function revealedIn(el, style, { veil, row, rowNode }) {
  if (!veil || style.visibility !== 'visible' || style.events === 'none') return null;
  if (style.rect.width < PX || style.rect.height < PX || !isRevealed(veil)) return null;
  const hit = hitInTheMiddle(style.rect);
  const card = row === null ? parentOf(veil) : rowNode;
  if (!hit || !within(hit, el) || !card || !isShown(card) || isHuge(rectOf(card))) return null;
  const text = cardText(card, veil);
  return text ? { row: row ?? cap(text, 400), rowNode: card } : null;
}

// As a row's: its parts, so that what it is about stands first.
function cardText(card, veil) {
  const parts = [...card.children].filter((part) => !within(veil, part)).map((part) => textOf(part)).filter(Boolean);
  return parts.length > 1 ? parts.join(' | ') : textOf(card, (inner) => inner === veil);
}

const DEEP = 4; // rules within rules

// Whether a style sheet shows it while the pointer is near: what stays transparent nobody sees.
function isRevealed(veil) {
  revealing ??= [...document.styleSheets, ...document.adoptedStyleSheets].flatMap((sheet) => hovering(sheet, DEEP));
  return revealing.some((selector) => veil.matches(selector));
}

// CSS.supports() takes no lists.
function isSelector(text) {
  try { document.documentElement.matches(text); } catch { return false; }
  return true;
}

// The selectors, without the pointer, of rules that give something opacity under it.
function hovering(of, depth) {
  let rules;
  try { rules = of.cssRules; } catch { return []; } // of another origin
  const found = [];
  for (const rule of rules || []) {
    if (rule.selectorText?.includes(':hover') && Number(rule.style?.opacity || 0) > 0) {
      const bare = rule.selectorText.replace(/:(hover|focus-within|focus-visible|focus)/g, '');
      if (isSelector(bare)) found.push(bare);
    }
    if (rule.cssRules?.length && depth) found.push(...hovering(rule, depth - 1));
  }
  return found;
}

// A code editor's own field is tiny, unseen or far wider than it.
function editorShown(el) {
  const editor = editorAround(el);
  return editor && isShown(editor) ? editor : null;
}

// The visible thing that acts for a hidden input: its label, or the box drawn in its place.
function standIn(el) {
  if (el.localName !== 'input') return null;
  if (el.type === 'range') return isShown(parentOf(el)) ? parentOf(el) : null; // the handle drawn for it
  if (!/^(checkbox|radio|file)$/.test(el.type)) return fieldBox(el);
  const label = labelsOf(el).find(isShown);
  if (label) return label;
  const style = styleOf(el);
  if (style.display === 'none') return null;
  const rect = rectOf(el);
  if (rect.width >= 4 * PX && rect.height >= 4 * PX && style.visibility === 'visible') return el;
  const parent = el.parentElement;
  return parent && isShown(parent) && parent.querySelectorAll('input').length === 1 ? parent : null;
}

// A drop-down drawn around an input that nobody sees, but that takes the keys.
function fieldBox(el) {
  if (attr(el, 'role') !== 'combobox' || !isRendered(el)) return null;
  let box = null;
  for (let at = parentOf(el), up = 0; at && up < 4; at = parentOf(at), up++) {
    if (!isShown(at)) continue;
    if (at.querySelectorAll(FIELDS).length > 1 || rectOf(at).height > 120 * PX) break;
    box = at;
    if (textOf(at)) break; // what is chosen, or what to choose, is written in it
  }
  return box;
}

// A label whose input is not rendered at all stands for it.
function labelled(label, ctx, scope, state) {
  const input = label.control;
  if (!input || state.done.has(input) || controlRole(input) === null) return;
  if (isRendered(input) || !isShown(label) || !/^(checkbox|radio|file)$/.test(input.type)) return;
  state.done.add(input);
  if (offered(label, ctx, state)) pushElement(input, styleOf(input), controlRole(input), ctx, scope, state, label);
}

// Pointer cursor or a click listener makes a control of what is neither native nor ARIA, when innermost.
function clickable(el, style, ctx, scope, state) {
  const pointed = style.cursor === 'pointer';
  const starts = pointed && !ctx.pointer;
  ctx.pointer = pointed;
  if (!starts && !listens(el, style)) return;
  if (state.done.has(el) || isNoControl(el, style)) return;
  if (unseenHere(el, style, ctx) || isHuge(style.rect)) return;
  if (style.events === 'none' || !offered(el, ctx, state)) return;
  if (holdsControls(el, pointed)) {
    if ((pointed || takesFocus(el)) && (style.part & ROW ? listens(el, style) : isHolder(el))) holder(el, style, ctx, scope, state);
    return;
  }
  const name = nameOf(el, 'button', style);
  const caption = name ? '' : cardCaption(el);
  if ((!pointed || isNameless(el, style) || isMarginOfBox(el)) && !name && !caption) return;
  state.done.add(el);
  ctx.inControl = el;
  if (bareCaption(el)) return void bareSelect(el, style, ctx, scope, state);
  const role = style.part & HEADER ? 'columnheader' : style.tag === 'a' && expandedState(el, style) === null ? 'link' : 'button';
  ctx.owner = pushElement(el, style, role, ctx, scope, state, el);
  if (caption && ctx.owner) ctx.owner.told.name = caption;
}

// A picture of a card that is clicked for all of it: the words beside it are its name.
function cardCaption(el) {
  const rect = rectOf(el);
  if (rect.width < PICTURE || rect.height < PICTURE) return '';
  const card = el.parentElement;
  const box = card ? rectOf(card) : rect;
  if (!card || box.width * box.height > 2 * rect.width * rect.height || card.querySelector(HOLDS)) return '';
  const text = textOf(card);
  return text.length <= 60 ? text : '';
}
const PICTURE = 40; // CSS pixels: icons have no captions
const HOLDS = 'a,button,input,select,textarea,label,[tabindex]';

const isHuge = ({ width, height }) => width * height > view.width * view.height * 0.4;

const HANDLERS = ['onclick', 'ng-click', 'ondrop', 'onmousedown', 'onpointerdown'];

function listens(el, { marks }) {
  if (LISTENS.has(el)) return true;
  if (!(marks & HAS_HANDLER)) return false;
  return HANDLERS.some((name) => el.hasAttribute(name)) || attr(el, 'draggable') === 'true';
}

const NO_CONTROLS = new Set(['html', 'body', 'main', 'form', 'table', 'tbody', 'thead']);

function isNoControl(el, { tag, part }) {
  if (tag === 'label' && el.control) return true;
  if (NO_CONTROLS.has(tag)) return true;
  if (part & HEADER && is(el, 'aria-disabled')) return true;
  if (closest(el, EDITORS)) return true; // the field of it is the control
  const around = closest(el, '.no_results,label');
  return around !== null && (around.localName !== 'label' || around.control !== null);
}

// A slice of a chart, an empty corner of a table: only worth a number when it says what it is.
function isNameless(el, { part }) {
  return (part & HEADER) !== 0 || (!!el.ownerSVGElement && el.parentNode.childElementCount > 12);
}

// What widens a check box for fingers (Material) is no control beside it.
const isMarginOfBox = (el) => el.firstChild === null && is(el, 'aria-hidden') && el.parentNode.querySelector(TICKED) !== null;
const TICKED = 'input[type=checkbox],input[type=radio]';

const takesFocus = (el) => el.hasAttribute('tabindex') && el.tabIndex >= 0;

// One that holds a single control and no words is the box that this is drawn in.
function isHolder(el) {
  if (!LISTENS.has(el) || shadowOf(el)) return false;
  const held = [...el.querySelectorAll(CLICKABLE)].filter((inner) => isControl(inner) && isShown(inner));
  return held.length > 1 || (takesFocus(el) && SAYS.test(textOf(el, isControl)));
}

// A row, a card or a tab that does something itself when it is clicked beside the controls it holds.
function holder(el, style, ctx, scope, state) {
  const isOneRow = (style.part & ROW) !== 0;
  const name = cap(isOneRow ? rowText(el) : rowCell(el) || textOf(el), 120);
  if (!name || el.closest('thead')) return;
  state.done.add(el);
  const { told } = pushElement(el, style, isOneRow ? 'row' : 'group', ctx, scope, state, el);
  told.name = name;
  told.text = undefined;
}

const CLICKABLE = 'a,button,input,select,textarea,label,[role],[tabindex],[ng-click],[onclick],[contenteditable]';
const MANY = 200; // descendants looked at for the pointer: what holds more is no control

function holdsControls(el, pointed) {
  if (shadowOf(el)) return true;
  if (!el.firstElementChild) return false;
  for (const inner of el.querySelectorAll(CLICKABLE)) {
    if ((isControl(inner) || inner.hasAttribute('ng-click') || inner.hasAttribute('onclick')) && isRendered(inner)) return true;
  }
  return !pointed && delegates(el);
}

// It listens for what happens to its parts: they are what is clicked.
function delegates(el) {
  let left = MANY;
  for (const inner of el.getElementsByTagName('*')) {
    if (styleOf(inner).cursor === 'pointer' && isRendered(inner)) return true;
    if (!left--) return true;
  }
  return false;
}

const OPENS = /^(combobox|listbox|button|link)$/;
const OPENERS = new Set(['select', 'input', 'summary']);
const LEADS = new Set(['link', 'menuitem']);
const CHOICE = /^(radio|checkbox)$/;
const STEPPED = /^(slider|spinbutton)$/;

// `box` is what stands for it on the screen: mostly the element itself. What is `told` of it crosses the
// protocol, where nothing undefined goes.
function pushElement(el, style, role, ctx, scope, state, box) {
  const { tag, marks, isField } = style;
  const rect = box === el ? style.rect : rectOf(box);
  const part = visiblePart(rect, ctx);
  const name = nameOf(el, role, style);
  const text = isField ? '' : textOf(el, null, false, style) || (name && name === tipOf(el) ? iconName(el) : '');
  const group = (role === 'listbox' ? ctx.around : ctx.group) || (CHOICE.test(role) ? choiceGroup(el, style) : '');
  const inRow = ctx.row !== null && (ctx.row !== name || isRow(ctx.rowNode));
  const told = {
    id: idOf(el), role, name, tag, box: [rect.left, rect.top, rect.width, rect.height],
    type: tag === 'input' || tag === 'button' ? el.type : undefined,
    value: valueOf(el, role, style) ?? undefined,
    states: statesOf(el, role, style),
    options: OPENS.test(role) && (marks & MAY_OPEN || OPENERS.has(tag)) ? optionsOf(el, style) : undefined,
    placeholder: (marks & HAS_PLACEHOLDER && fold(attr(el, 'placeholder'))) || undefined,
    description: describe(el, name, style) || undefined,
    error: undefined, // told after the walk
    dialog: ctx.dialog ?? undefined, region: ctx.region || undefined, section: ctx.around || scope.heading || undefined,
    group: group === '' || (group === name && CHECKABLE.has(role)) ? undefined : group,
    row: inRow ? numbered(state.rows, ctx.row) : undefined, column: ctx.column || undefined,
    href: ((LEADS.has(role) || tag === 'a') && hrefOf(el)) || undefined, submit: isSubmit(el, tag, ctx) || undefined,
    wordless: (!isField && text === '' && isWordless(el, name, marks)) || undefined,
    look: (!isField && textOf(el, null, false, style) === '' && isSmall(rect) && lookOfIcon(el)) || undefined,
    bounds: isField || STEPPED.test(role) ? boundsOf(el) : undefined, fold: ctx.fold || undefined, text: text === '' || text === name ? undefined : cap(text, 300), off: part === null || undefined,
  };
  const entry = { told, el, drawn: box, part, owner: ctx.owner, field: isField ? el : null };
  state.elements[state.elements.length] = entry; // no `push`, as for `overlays`
  return entry;
}

const isSmall = ({ width, height }) => width <= 96 * PX && height <= 96 * PX;

function hrefOf(el) {
  const { href } = el; // each reading resolves it anew
  return href ? String(href.baseVal ?? href) : '';
}

// Whether no word says its name, if it has any: that is of the drawing.
const isWordless = (el, name, marks) => !(marks & (HAS_LABEL | HAS_TITLE))
  && (name === '' || (!tipOf(el) && (name === iconName(el) || name === drawnText(el))));
const SENDS = /^(submit|image)$/;

function isSubmit(el, tag, ctx) {
  if ((tag === 'button' || tag === 'input') && el.form && SENDS.test(el.type)) {
    // In a form around a whole dialog, every button sends it that does not say otherwise.
    const rivals = ctx.dialog === null ? [] : [...el.form.elements].filter((one) => SENDS.test(one.type));
    return rivals.length < 2 || isMain(el) || !rivals.some(isMain);
  }
  if (ctx.dialog === null || (tag !== 'button' && tag !== 'a' && tag !== 'input')) return false;
  if (tag === 'button' && isMain(el)) return true;
  return /(^|\s)(btn-primary|btn-danger|primary|ant-btn-primary|el-button--primary|next-btn-primary)(\s|$)/.test(classOf(el))
    && !!closest(el, '.modal-footer,footer,[class*=footer],[class*=Footer]');
}

// The one button of a dialog's bar that is filled, with colour or against the ground, where no class says which is the main one.
function isMain(el) {
  const bar = barOf(el);
  if (bar === null) return false;
  const ground = groundOf(bar);
  return isFilled(el, ground) && [...bar.querySelectorAll('button')].filter((one) => isFilled(one, ground)).length === 1;
}

function barOf(el) {
  for (let at = el.parentElement, up = 0; at && up < 2; at = at.parentElement, up++) {
    const count = at.querySelectorAll('button').length;
    if (count > 1) return count <= 4 && !at.querySelector(FIELDS) ? at : null;
  }
  return null;
}

const STRONG = 48; // of 255, between the strongest and the weakest of red, green and blue
const AGAINST = 128; // of 255, between the brightness of a button and of what it lies on
const fillOf = (el) => (styleOf(el).computed.backgroundColor.match(/[\d.]+/g) || []).map(Number);
const brightness = ([red, green, blue]) => (red + green + blue) / 3;

function groundOf(bar) {
  for (let at = bar; at; at = parentOf(at)) {
    const fill = fillOf(at);
    if ((fill[3] ?? 1) > 0.5) return brightness(fill);
  }
  return 255;
}

function isFilled(el, ground) {
  const [red, green, blue, alpha = 1] = fillOf(el);
  const isStrong = Math.max(red, green, blue) - Math.min(red, green, blue) >= STRONG;
  return alpha > 0.5 && (isStrong || Math.abs(brightness([red, green, blue]) - ground) >= AGAINST);
}

// A row's text stands in many entries, and crosses the protocol once.
function numbered(rows, text) {
  let number = rows.get(text);
  if (number === undefined) rows.set(text, number = rows.size);
  return number;
}
