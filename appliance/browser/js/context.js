// What surrounds a control: dialogs, landmarks, sections, groups, rows, columns, notices.
const DIALOGS = 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true],.modal.in,.modal.show,.ui-dialog,'
  + '.ant-modal,.el-dialog,.el-message-box,.next-dialog,.next-drawer,.mat-dialog-container';
const TITLES = '.modal-title,.ant-modal-title,.el-dialog__title,.next-dialog-header,.ui-dialog-title,'
  + 'h1,h2,h3,h4,h5,[role=heading],.modal-header';
const NOTICES = '[role=alert],[role=status],.alert,.toast,.toast-message,.messages,.flash,.ant-message-notice,'
  + '.ant-notification-notice,.messagelist,.el-message,.el-notification,.next-message,.notification,[aria-live=assertive],'
  + '[aria-live=polite]';
const REGIONS = new Set(['navigation', 'banner', 'main', 'complementary', 'contentinfo', 'search', 'form', 'menu',
  'menubar', 'toolbar', 'tablist', 'tabpanel', 'tree', 'listbox', 'region', 'group', 'radiogroup']);
const GROUPS = new Set(['listbox', 'region', 'group']); // of a navigation: its entries stay entries
const REGION_TAGS = { nav: 'navigation', main: 'main', aside: 'complementary', form: 'form' };

function isDialog(el) {
  return el.matches(DIALOGS) && isShownBox(el) && !el.matches('.modal-dialog') && !isEmptied(el);
}

// What a dialog was drawn in stays where it was, with all that it holds hidden.
function isEmptied(el) {
  if (!el.firstElementChild || shadowOf(el) || ownText(el).some((text) => text.trim())) return false;
  return ![...el.querySelectorAll('*')].some((inner) => isShown(inner) || inner.localName === 'iframe');
}

// A modal's wrapper may have no box of its own; what it holds has.
function isShownBox(el) {
  if (!el.checkVisibility(SEEN)) return false;
  const rect = rectOf(el);
  return (rect.width >= PX && rect.height >= PX) || someChild(el, isShown);
}

function dialogTitle(el) {
  const own = referenced(el, 'aria-labelledby') || fold(attr(el, 'aria-label'));
  if (own) return own;
  for (const title of el.querySelectorAll(TITLES)) {
    const text = isShown(title) ? textOf(title, closes) : '';
    if (text) return cap(text, 200);
  }
  const inner = el.querySelector('[role=dialog][aria-label],[role=document][aria-label]');
  if (inner) return fold(attr(inner, 'aria-label'));
  const head = [...el.querySelectorAll('[class*=title i]')].find((part) => isShown(part) && !closes(part));
  return head ? cap(textOf(head, closes), 200) : '';
}
const closes = (el) => el.matches('button,.close');

// Every element that is an open dialog, or a part of one that says so too.
function shownDialogs() {
  const found = [];
  for (const root of roots()) {
    const some = root === document ? likelyDialogs() : root.querySelectorAll(DIALOGS);
    for (const el of some) if (isDialog(el)) found.push(el);
  }
  unsaid = unsaidDialog(found);
  if (unsaid) found.push(unsaid);
  return found;
}
let unsaid = null; // as it was last looked for

// Lists that the browser itself keeps up to date.
const DIALOG_LISTS = [document.getElementsByTagName('dialog'), ...['modal', 'ui-dialog', 'ant-modal', 'el-dialog', 'el-message-box',
  'next-dialog', 'next-drawer', 'mat-dialog-container'].map((name) => document.getElementsByClassName(name))];

// All that may match `DIALOGS`, in the order of the document. Asking for one thing at a time is several times
// faster than for all at once.
function likelyDialogs() {
  const found = new Set(document.querySelectorAll('[role$=dialog]'));
  for (const el of document.querySelectorAll('[aria-modal=true]')) found.add(el);
  for (const list of DIALOG_LISTS) for (let i = 0; i < list.length; i++) found.add(list[i]);
  return [...found].sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}

// Open dialogs that keep the rest of the page from being used, topmost last.
function openDialogs(found = shownDialogs()) {
  return found.filter((el) => !found.some((other) => other !== el && within(other, el) && sameDialog(other, el)));
}

// `.modal > [role=dialog]` and the like: one dialog, two elements.
function sameDialog(inner, outer) {
  const a = rectOf(inner);
  const b = rectOf(outer);
  return dialogTitle(inner) === dialogTitle(outer) || (a.width * a.height > 0.5 * b.width * b.height);
}

function isModal(el) {
  if (el === unsaid || el.matches('[aria-modal=true]') || (el.localName === 'dialog' && el.matches(':modal'))) return true;
  if (document.querySelector('.modal-backdrop,.ui-widget-overlay,.ant-modal-mask,.v-modal,.next-overlay-backdrop')) return true;
  for (let at = el; at && at !== document.body; at = parentOf(at)) {
    const rect = rectOf(at);
    if (styleOf(at).position === 'fixed' && rect.width >= view.width * 0.95 && rect.height >= view.height * 0.95) return true;
  }
  return false;
}

function roots() {
  const all = [document];
  for (const ref of shadowRoots) {
    const root = ref.deref();
    if (root?.host.isConnected) all.push(root);
    else shadowRoots.delete(ref);
  }
  return all;
}

function deepFromPoint(x, y) {
  let el = document.elementFromPoint(x, y);
  for (let root; el && (root = shadowOf(el));) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
}

const isPart = (el) => !!closest(el.parentElement || el, 'main,article,section,aside,nav,form,dialog,[role=dialog],.modal');

function regionOf(el, { role, tag, marks, about }, around) {
  if (role === 'tablist' && !el.querySelector('[role=tab],[data-toggle=tab]')) return '';
  if (role && REGIONS.has(role)) return around === 'navigation' && GROUPS.has(role) ? around : role;
  if (REGION_TAGS[tag]) return REGION_TAGS[tag];
  if (tag === 'header') return isPart(el) ? '' : 'banner';
  if (tag === 'footer') return isPart(el) ? '' : 'contentinfo';
  return about.region !== 'navigation' && marks & HAS_ID && el.id === 'sidebar' ? 'navigation' : about.region;
}

// What can be folded away belongs to the control that folds it.
function foldTitle(el) {
  const id = CSS.escape(el.id);
  const toggle = document.querySelector(`[data-target="#${id}"],[data-bs-target="#${id}"],a[href="#${id}"],[aria-controls="${id}"]`);
  return toggle && isShown(toggle) ? textOf(toggle) : '';
}

function groupOf(el, { tag, role, cls }) {
  if (tag === 'fieldset') {
    const legend = [...el.children].find((child) => child.localName === 'legend');
    return legend && isShown(legend) ? labelText(legend) : '';
  }
  if (role === 'group' || role === 'radiogroup' || role === 'listbox') {
    return referenced(el, 'aria-labelledby') || fold(attr(el, 'aria-label'));
  }
  return cls.includes('collapse') && el.id && el.matches('.collapse') ? foldTitle(el) : '';
}

// A radio button's question: the label of its form group that belongs to no other control.
function choiceGroup(el, style) {
  let group = formGroup(el, style);
  for (let up = 0; group && up < 3; up++) {
    const label = [...group.querySelectorAll('label,.control-label,legend')]
      .find((x) => !x.control && !within(el, x) && !isChoice(x) && isShown(x) && labelText(x));
    if (label) return labelText(label);
    group = formGroup(parentOf(group));
  }
  return '';
}
const isChoice = (el) => el.matches('.btn,[btn-radio],[uib-btn-radio],[btn-checkbox],[uib-btn-checkbox]');

const headingText = (el) => textOf(el, (x) => x.matches('.badge,.help-text,.pull-right,button,input'));
const headingLevel = (el, { tag, role, about } = styleOf(el)) => {
  if (tag.length === 2 && /^h[1-6]$/.test(tag) && role !== 'presentation' && role !== 'none') return Number(tag[1]);
  if (about.level) return about.level;
  if (role === 'heading') return Number(attr(el, 'aria-level')) || 2;
  return about.isTitle && !el.querySelector('h1,h2,h3,h4,h5,h6,table') ? 5 : 0;
};

function toneOf(el) {
  const said = `${classOf(el)} ${attr(el, 'data-type')} ${[...el.querySelectorAll('[class]')].slice(0, 6).map(classOf).join(' ')}`;
  const text = textOf(el).slice(0, 24);
  if (/danger|error|fail|negative/i.test(said) || /^(error|danger|失败|错误)\b/i.test(text)) return 'error';
  if (/warn/i.test(said) || /^(warning|警告)/i.test(text)) return 'warning';
  if (/success|positive/i.test(said) || /^(success|成功)/i.test(text)) return 'success';
  if (/info/i.test(said) || /^(info|提示)/i.test(text)) return 'info';
  return attr(el, 'role') === 'alert' ? 'error' : '';
}

// As "message--success" by itself, or a list of messages with a "success" in it.
function hasTone(el, about) {
  if (!about.likeNotice || about.isToned) return about.likeNotice;
  return someChild(el, (child) => {
    const own = aboutClass(classOf(child));
    return own.isToned && !own.likeNotice;
  });
}

// A notice with text that holds no smaller notice; a live region of buttons tells nothing.
function isNotice(el, { marks, about } = styleOf(el)) {
  if (!about.likeNotice && !(marks & (HAS_ROLE | HAS_LIVE))) return false;
  if (!(el.matches(NOTICES) || hasTone(el, about)) || el.matches(DIALOGS)) return false;
  if (!textOf(el, (x) => x.matches('button,[role=button]'))) return false;
  // Whole tables and lists are made live regions too; they are not notices.
  if (/^(table|tbody|thead|tr|td|main|form|body)$/.test(el.localName)) return false;
  if (/^[uo]l$/.test(el.localName) && !(el.matches('.messagelist') || hasTone(el, about))) return false;
  if (el.querySelector('input:not([type=hidden]),select,textarea,table,tr,[role=row]')) return false;
  return ![...el.querySelectorAll(NOTICES)].some((inner) => isShown(inner) && textOf(inner));
}

// Tables and grids.
const isRow = (el) => (styleOf(el).part & ROW) !== 0;
const isHeaderCell = (el) => (styleOf(el).part & HEADER) !== 0;
const isCell = (el) => (styleOf(el).part & CELL) !== 0;

const TABLES = 'table,[role=table],[role=grid],[role=treegrid]';

// The first rows of a table, those of tables within it left out.
function firstRows(table, count) {
  const rows = [];
  const walker = document.createTreeWalker(table, NodeFilter.SHOW_ELEMENT);
  for (let left = 2000; left > 0 && rows.length < count && walker.nextNode(); left--) {
    const at = walker.currentNode;
    if ((at.localName === 'tr' || attr(at, 'role') === 'row') && closest(at.parentElement, TABLES) === table) rows.push(at);
  }
  return rows;
}

// A table without headers that holds whole parts of a page only arranges them, and so does one of a single cell.
const PART_OF_PAGE = 'nav,[role=navigation],h1,h2,tr + tr';

function arranges(rows) {
  const holds = (what) => rows.some((row) => [...row.children].some((cell) => cell.querySelector(what)));
  const isOneColumn = rows.length > 0 && rows.every((row) => row.children.length === 1);
  return (isOneColumn && (rows.length === 1 || holds('table'))) || holds(PART_OF_PAGE);
}

// What its columns are called; null: it has no rows, since it lays the page out.
function columnsOf(table) {
  const headers = [];
  const rows = firstRows(table, 6);
  const row = rows.filter((r) => [...r.children].filter(isHeaderCell).length > 1
    || (r.closest('thead') && someChild(r, isHeaderCell))).pop();
  for (const cell of row ? row.children : []) {
    const text = unstar(textOf(cell) || fold(attr(cell, 'title')));
    for (let i = 0; i < (cell.colSpan || 1); i++) headers.push(text);
  }
  return !row && arranges(rows) ? null : headers;
}

function columnIndex(cell) {
  const aria = Number(attr(cell, 'aria-colindex'));
  if (aria) return aria - 1;
  let index = 0;
  for (let prev = cell.previousElementSibling; prev; prev = prev.previousElementSibling) index += prev.colSpan || 1;
  return index;
}

// Horizon's lists to move members between: two columns whose titles stand in a row above.
function membershipOf(el) {
  const widget = closest(el, '.membership');
  if (!widget) return null;
  const titles = [...widget.querySelectorAll('.members_title')].map((title) => textOf(title));
  return titles[closest(el, '.available_members') ? 0 : 1] || '';
}

const BUTTON_LIKE = 'button,[role=button],.btn,.dropdown-menu,[role=menu],.btn-group';
const isButtonLike = (el) => (styleOf(el).tag === 'button' || styleOf(el).marks & (HAS_CLASS | HAS_ROLE)) && el.matches(BUTTON_LIKE);
// A button that is written with what the row is called opens it: "i-4f2", or a link in a button's role.
const ID = /^\S+[\d@_.\/-]\S+$/;
const bearsName = (el) => (el.localName === 'a' ? !el.matches('.btn') : ID.test(el.textContent.trim()));
const isRowButton = (el) => isButtonLike(el) && !bearsName(el);
const rowCell = (cell) => styleOf(cell).cell ??= textOf(cell, hasButtons(cell) ? isRowButton : null);
const hasButtons = (el) => shadowRoots.size > 0 || (el.firstElementChild !== null && el.querySelector(BUTTON_LIKE) !== null);

function rowText(row) {
  const cells = [...row.children].filter((cell) => (styleOf(cell).part & (CELL | HEADER)) !== 0);
  const parts = (cells.length ? cells : [row]).map(rowCell).filter(Boolean);
  return cap(parts.join(' | '), 400);
}
