// Drop-downs of bare boxes: no role, no focus, no label, and yet a person takes them for what they are:
// a bordered line under a caption in a form, which opens a list when it is clicked.
const FORMS = 'form,fieldset,dialog,[role=dialog],[role=form]';
const captionOf = (el) => textOf(el, (x) => isControl(x) || x.matches('.help-icon,.tooltip'));

// The caption of a bare drop-down; empty for everything else that listens for clicks.
function bareCaption(el) {
  if (!/^(div|span)$/.test(el.localName) || attr(el, 'role') || attr(el, 'draggable') === 'true' || !closest(el, FORMS)) return '';
  const said = textOf(el);
  if (!said || said.length > 80 || el.querySelector(`${FIELDS},table,ul,ol,p,h1,h2,h3,h4,h5,h6,img`)) return '';
  const frame = bordered(el);
  if (!frame || isOneOfMany(el) || isOneOfMany(frame)) return '';
  return captionBefore(frame);
}

// The box that looks like a field: one line high, a border all around.
function bordered(el) {
  for (let at = el, up = 0; at && up < 3; at = parentOf(at), up++) {
    const rect = rectOf(at);
    if (rect.height > 64 * PX || rect.height < 18 * PX || rect.width < 60 * PX) return null;
    const style = styleOf(at).computed;
    if (parseFloat(style.borderTopWidth) > 0 && parseFloat(style.borderBottomWidth) > 0) return at;
  }
  return null;
}

// Cards, tiles and the buttons of a bar come in numbers; a drop-down stands alone in its field.
const isOneOfMany = (el) => [...(el.parentElement?.children || [])].filter((x) => x.localName === el.localName && classOf(x) === classOf(el)).length > 1
  && !!classOf(el);

function captionBefore(el) {
  for (let at = el, up = 0; at && up < 3; at = parentOf(at), up++) {
    for (let prev = at.previousSibling; prev; prev = prev.previousSibling) {
      if (prev.nodeType === 1 && (isField(prev) || prev.querySelector(FIELDS) || headingLevel(prev) || !isShown(prev))) return '';
      const text = prev.nodeType === 3 ? fold(prev.data) : prev.nodeType === 1 ? captionOf(prev) : '';
      if (text) return text.length <= 80 ? text : '';
    }
    if (at.matches(FORMS)) return '';
  }
  return '';
}

const EMPTY_LOOK = /(^|[\s_-])(placeholder|blank|empty|unset)($|[\s_-])/i;

function bareSelect(el, style, ctx, scope, state) {
  const caption = bareCaption(el);
  const { told } = pushElement(el, style, 'combobox', ctx, scope, state, el);
  told.name = unstar(caption);
  told.value = EMPTY_LOOK.test(classOf(el)) ? '' : textOf(el);
  told.options = undefined;
  if (/[*＊]\s*[:：]?\s*$/.test(caption)) told.states.push('required');
  told.text = undefined;
}

// Horizon's drop-down: a hidden select and a menu that mirrors it are one control.
function themable(el, ctx, scope, state) {
  const toggle = el.querySelector('.dropdown-toggle');
  const select = el.querySelector('select');
  if (!toggle) return true;
  const style = styleOf(toggle);
  if (hiddenHere(toggle, style, ctx)) return true;
  if (offered(toggle, ctx, state)) {
    const entry = pushElement(toggle, style, 'combobox', ctx, scope, state, toggle);
    const { told } = entry;
    entry.field = select;
    told.name = nameOf(select, 'combobox') || groupText(el) || nearText(el);
    told.value = textOf(el.querySelector('.dropdown-title') || toggle);
    told.options = [...el.querySelectorAll('[data-select-value]')].map((a) => fold(a.textContent));
    told.tag = 'select';
    told.description = describe(select, told.name) || undefined;
    told.group = ctx.group || undefined;
    told.states = [...new Set([...statesOf(select, 'combobox'), ...statesOf(toggle, 'combobox')])];
    told.text = undefined;
  }
  const menu = el.querySelector('.dropdown-menu');
  if (menu && isShown(menu)) {
    for (const item of menu.querySelectorAll('[data-select-value]')) {
      if (isShown(item)) pushElement(item, styleOf(item), 'option', { ...ctx, region: 'listbox' }, scope, state, item);
    }
  }
  return true;
}

// What was in sight before a list was opened: what comes after it are its entries.
let before = new WeakSet();

function lookBefore() {
  before = new WeakSet();
  for (const root of roots()) for (const el of root.querySelectorAll('*')) if (isRendered(el)) before.add(el);
}

// Entries of a list without any roles: what has come, can be clicked, and holds nothing that can be.
function bareOptions() {
  dispatchEvent(ASKING);
  const come = roots().flatMap((root) => [...root.querySelectorAll('div,span,li,a')])
    .filter((el) => !before.has(el) && (LISTENS.has(el) || styleOf(el).cursor === 'pointer') && isShown(el) && textOf(el));
  const entries = come.filter((el) => !come.some((other) => other !== el && within(other, el)));
  return entries.length === 1 ? entriesIn(entries[0]) : entries;
}

// A list may listen for all its entries: several of one make, each with a text.
function entriesIn(el) {
  let at = el;
  while (at.childElementCount === 1 && textOf(at.firstElementChild) === textOf(at)) at = at.firstElementChild;
  const parts = [...at.children].filter((part) => isShown(part) && textOf(part));
  const isList = parts.length > 1 && parts.every((part) => part.localName === parts[0].localName && DRAWN_AS_LINE.test(styleOf(part).display))
    && fold(parts.map((part) => textOf(part)).join(' ')) === textOf(at);
  return isList ? parts : [el];
}

const DRAWN_AS_LINE = /^(block|flex|grid|list-item)$/;
