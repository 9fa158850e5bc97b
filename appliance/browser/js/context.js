// What surrounds a control: dialogs, landmarks, sections, groups, rows, columns, notices.
const DIALOGS = 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true],.modal.in,.modal.show,.ui-dialog,'
  + '.ant-modal,.el-dialog,.el-message-box,.next-dialog,.next-drawer,.mat-dialog-container';
const TITLES = '.modal-title,.ant-modal-title,.el-dialog__title,.next-dialog-header,.ui-dialog-title,'
  + 'h1,h2,h3,h4,h5,[role=heading],.modal-header';
const NOTICES = '[role=alert],[role=status],.alert,.toast,.toast-message,.messages,.flash,.ant-message-notice,'
  + '.ant-notification-notice,.el-message,.el-notification,.next-message,.notification,[aria-live=assertive],'
  + '[aria-live=polite]';
const REGIONS = new Set(['navigation', 'banner', 'main', 'complementary', 'contentinfo', 'search', 'form', 'menu',
  'menubar', 'toolbar', 'tablist', 'tabpanel', 'tree', 'listbox', 'region', 'group', 'radiogroup']);
const REGION_TAGS = { nav: 'navigation', main: 'main', aside: 'complementary', form: 'form' };
const CARD = /(^|\s)(card|panel|well|widget|accordion|accordion-item|transfer-section|tab-pane|modal-footer|modal-body|col-(xs|sm|md|lg|xl)-\d+|col)(\s|$)/;

function isDialog(el) {
  return el.matches(DIALOGS) && isShownBox(el) && !el.matches('.modal-dialog');
}

// A modal's wrapper may have no box of its own; what it holds has.
function isShownBox(el) {
  if (!isRendered(el) || styleOf(el).opacity === '0') return false;
  const rect = el.getBoundingClientRect();
  if (rect.width >= 1 && rect.height >= 1) return true;
  return [...el.children].some((child) => isShown(child));
}

function dialogTitle(el) {
  const own = referenced(el, 'aria-labelledby') || fold(attr(el, 'aria-label'));
  if (own) return own;
  for (const title of el.querySelectorAll(TITLES)) {
    const text = isShown(title) ? textOf(title, (x) => x.matches('button,.close')) : '';
    if (text) return cap(text, 200);
  }
  const inner = el.querySelector('[role=dialog][aria-label],[role=document][aria-label]');
  return inner ? fold(attr(inner, 'aria-label')) : '';
}

// Open dialogs that keep the rest of the page from being used, topmost last.
function openDialogs() {
  const found = [];
  for (const root of roots()) {
    for (const el of root.querySelectorAll(DIALOGS)) if (isDialog(el)) found.push(el);
  }
  return found.filter((el) => !found.some((other) => other !== el && within(other, el) && sameDialog(other, el)));
}

// `.modal > [role=dialog]` and the like: one dialog, two elements.
function sameDialog(inner, outer) {
  const a = inner.getBoundingClientRect();
  const b = outer.getBoundingClientRect();
  return dialogTitle(inner) === dialogTitle(outer) || (a.width * a.height > 0.5 * b.width * b.height);
}

function isModal(el) {
  if (el.matches('[aria-modal=true]') || (el.localName === 'dialog' && el.matches(':modal'))) return true;
  if (document.querySelector('.modal-backdrop,.ui-widget-overlay,.ant-modal-mask,.v-modal,.next-overlay-backdrop')) return true;
  for (let at = el; at && at !== document.body; at = parentOf(at)) {
    const rect = at.getBoundingClientRect();
    if (styleOf(at).position === 'fixed' && rect.width >= innerWidth * 0.95 && rect.height >= innerHeight * 0.95) return true;
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
const shadowRoots = new Set();

function deepFromPoint(x, y) {
  let el = document.elementFromPoint(x, y);
  while (el?.shadowRoot) {
    const inner = el.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
}

function regionOf(el) {
  const role = attr(el, 'role');
  if (role === 'tablist' && !el.querySelector('[role=tab],[data-toggle=tab]')) return '';
  if (REGIONS.has(role)) return role;
  if (REGION_TAGS[el.localName]) return REGION_TAGS[el.localName];
  const isPart = !!closest(el.parentElement || el, 'main,article,section,aside,nav,form,dialog,[role=dialog],.modal');
  if (el.localName === 'header') return isPart ? '' : 'banner';
  if (el.localName === 'footer') return isPart ? '' : 'contentinfo';
  const classes = ` ${classOf(el)} `;
  if (/ (navbar|navbar-collapse|sidebar|nav-sidebar|side-nav|wizard-nav) /.test(classes) || el.id === 'sidebar') return 'navigation';
  if (/ dropdown-menu /.test(classes)) return 'menu';
  if (/ (table_actions|btn-toolbar|toolbar|actions_column) /.test(classes)) return 'toolbar';
  if (/ nav-tabs /.test(classes)) return 'tablist';
  return '';
}

// What can be folded away belongs to the control that folds it.
function foldTitle(el) {
  const id = CSS.escape(el.id);
  const toggle = document.querySelector(`[data-target="#${id}"],[data-bs-target="#${id}"],a[href="#${id}"],[aria-controls="${id}"]`);
  return toggle && isShown(toggle) ? textOf(toggle) : '';
}

function groupOf(el) {
  if (el.localName === 'fieldset') {
    const legend = [...el.children].find((child) => child.localName === 'legend');
    return legend && isShown(legend) ? labelText(legend) : '';
  }
  if (/^(group|radiogroup|listbox)$/.test(attr(el, 'role'))) {
    return referenced(el, 'aria-labelledby') || fold(attr(el, 'aria-label'));
  }
  return el.id && el.matches('.collapse') ? foldTitle(el) : '';
}

// A radio button's question: the label of its form group that belongs to no other control.
function choiceGroup(el) {
  let group = closest(el, FORM_GROUP);
  for (let up = 0; group && up < 3; up++) {
    const label = [...group.querySelectorAll('label,.control-label,legend')]
      .find((x) => !x.control && !within(el, x) && !isChoice(x) && isShown(x) && labelText(x));
    if (label) return labelText(label);
    group = closest(parentOf(group), FORM_GROUP);
  }
  return '';
}
const isChoice = (el) => el.matches('.btn,[btn-radio],[uib-btn-radio],[btn-checkbox],[uib-btn-checkbox]');

// Titles that are not marked up as headings.
const TITLED = /(^|\s)(transfer-heading|panel-title|card-title|panel-heading|card-header|section-title|modal-title)(\s|$)/;
const headingText = (el) => textOf(el, (x) => x.matches('.badge,.help-text,.pull-right,button,input'));
const headingLevel = (el) => {
  const tag = /^h([1-6])$/.exec(el.localName);
  if (tag && !/^(presentation|none)$/.test(attr(el, 'role'))) return Number(tag[1]);
  const look = /(?:^|\s)h([1-6])(?:\s|$)/.exec(classOf(el));
  if (look) return Number(look[1]);
  if (attr(el, 'role') === 'heading') return Number(attr(el, 'aria-level')) || 2;
  return TITLED.test(classOf(el)) && !el.querySelector('h1,h2,h3,h4,h5,h6,table') ? 5 : 0;
};

function toneOf(el) {
  const said = `${classOf(el)} ${attr(el, 'data-type')} ${[...el.querySelectorAll('[class]')].slice(0, 6).map(classOf).join(' ')}`;
  const text = textOf(el).slice(0, 24);
  if (/danger|error|fail/i.test(said) || /^(error|danger|失败|错误)\b/i.test(text)) return 'error';
  if (/warn/i.test(said) || /^(warning|警告)/i.test(text)) return 'warning';
  if (/success/i.test(said) || /^(success|成功)/i.test(text)) return 'success';
  if (/info/i.test(said) || /^(info|提示)/i.test(text)) return 'info';
  return attr(el, 'role') === 'alert' ? 'error' : '';
}

// A notice with text that holds no smaller notice.
function isNotice(el) {
  if (!el.matches(NOTICES) || el.matches(DIALOGS) || !textOf(el)) return false;
  // Whole tables and lists are made live regions too; they are not notices.
  if (/^(table|tbody|thead|tr|td|ul|ol|main|form|body)$/.test(el.localName)) return false;
  if (el.querySelector('input:not([type=hidden]),select,textarea,table,tr,[role=row]')) return false;
  return ![...el.querySelectorAll(NOTICES)].some((inner) => isShown(inner) && textOf(inner));
}

// Tables and grids.
const isTable = (el) => (el.localName === 'table' && !/^(presentation|none)$/.test(attr(el, 'role')))
  || /^(table|grid|treegrid)$/.test(attr(el, 'role'));
const isRow = (el) => (el.localName === 'tr' && !attr(el, 'role')) || attr(el, 'role') === 'row';
const isHeaderCell = (el) => (el.localName === 'th' && attr(el, 'scope') !== 'row') || attr(el, 'role') === 'columnheader';
const isCell = (el) => el.localName === 'td' || (el.localName === 'th' && !isHeaderCell(el))
  || /^(gridcell|cell|rowheader)$/.test(attr(el, 'role'));

function columnsOf(table) {
  const headers = [];
  const rows = [...table.querySelectorAll('tr,[role=row]')].filter((row) => closest(row.parentElement, 'table,[role=table],[role=grid],[role=treegrid]') === table);
  const row = rows.slice(0, 6).filter((r) => [...r.children].filter(isHeaderCell).length > 1
    || (r.closest('thead') && [...r.children].some(isHeaderCell))).pop();
  for (const cell of row ? row.children : []) {
    const text = unstar(textOf(cell) || fold(attr(cell, 'title')));
    for (let i = 0; i < (cell.colSpan || 1); i++) headers.push(text);
  }
  return headers;
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

const isButtonLike = (el) => el.matches('button,[role=button],.btn,.dropdown-menu,[role=menu],.btn-group');
const rowCell = (cell) => textOf(cell, isButtonLike);

function rowText(row) {
  const cells = [...row.children].filter((cell) => isCell(cell) || isHeaderCell(cell));
  const parts = (cells.length ? cells : [row]).map(rowCell).filter(Boolean);
  return cap(parts.join(' | '), 400);
}
