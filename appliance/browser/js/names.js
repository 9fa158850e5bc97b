// Roles, accessible names and values of controls.
const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button',
  checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox',
};
const ROLES = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem',
  'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem', 'combobox', 'textbox', 'searchbox',
  'slider', 'spinbutton']);
const NAMED_BY_CONTENT = new Set(['button', 'link', 'tab', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'treeitem', 'checkbox', 'radio', 'switch']);
const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
const FIELDS = 'input:not([type=hidden]),select,textarea,[contenteditable=true],[role=textbox],[role=combobox]';
const FORM_GROUP = '.form-group,.form-row,.form-item,.field,.control-group,.form-field,.ant-form-item,'
  + '.el-form-item,.next-form-item,.mat-form-field,[class*=form-field],[class*=FormField],[class*=formField]';
// The role of a native or ARIA control; null for everything else.
function controlRole(el, style = styleOf(el)) {
  if (listBehind(el)) return 'combobox';
  if (style.role) {
    const explicit = /\s/.test(style.role) ? style.role.split(/\s/, 1)[0] : style.role;
    if (ROLES.has(explicit)) return explicit;
    if (explicit === 'listbox' && is(el, 'aria-multiselectable') && !popupOwner(el)) return 'listbox';
    if (explicit === 'img' && el.tabIndex >= 0 && el.hasAttribute('tabindex')) return 'img';
  }
  return (style.marks & HAS_TOGGLE && toggleRole(el)) || nativeRole(el, style);
}

function toggleRole(el) {
  const toggle = el.getAttribute('data-toggle') || el.getAttribute('data-bs-toggle');
  if (toggle === 'tab' || toggle === 'pill') return 'tab';
  if (el.hasAttribute('btn-radio') || el.hasAttribute('uib-btn-radio')) return 'radio';
  return el.hasAttribute('btn-checkbox') || el.hasAttribute('uib-btn-checkbox') ? 'checkbox' : '';
}

function nativeRole(el, { tag, marks }) {
  switch (tag) {
    case 'a': case 'area': return el.hasAttribute('href') || el.hasAttribute('xlink:href') ? 'link' : editedRole(el, marks);
    case 'button': return 'button';
    case 'summary': return 'button';
    case 'textarea': return 'textbox';
    case 'select': return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    case 'input':
      if (el.type === 'hidden') return null;
      if (el.list || opensList(el)) return 'combobox';
      return INPUT_ROLES[el.type] || 'textbox';
    default:
      return editedRole(el, marks);
  }
}

// A field that nobody can type into, within what opens a list: it shows what is chosen there.
const opensList = (el) => el.readOnly && !!closest(el.parentElement || el, '[aria-haspopup=listbox]');

const editedRole = (el, marks) => (marks & HAS_EDIT && el.isContentEditable && !el.parentElement?.isContentEditable
  ? 'textbox' : null);

// The control that opens a list: then the list is no control of its own.
function popupOwner(el) {
  return el.id ? document.querySelector(`[aria-controls~="${CSS.escape(el.id)}"],[aria-owns~="${CSS.escape(el.id)}"]`) : null;
}

const FIELD_TAGS = new Set(['input', 'select', 'textarea']);
const isField = (el) => styleOf(el).isField;
const isControl = (el) => controlRole(el) !== null;

// To ask a field for its labels would search the whole document once for each field.
function labelsOf(field) {
  const root = field.getRootNode();
  let known = labels.get(root);
  if (known === undefined) labels.set(root, known = labelsIn(root));
  return known.get(field) || NONE;
}

function labelsIn(root) {
  const found = new Map();
  for (const label of root === document ? document.getElementsByTagName('label') : root.querySelectorAll('label')) {
    const { control } = label;
    if (!found.has(control)) found.set(control, []);
    found.get(control).push(label);
  }
  return found;
}

function labelText(label) {
  return unstar(textOf(label, (el) => (isControl(el) ? embedded(el, label) : el.matches('.help-icon,.tooltip'))));
}

// "Delete after [5] days": what stands in a field within the label of another belongs to the name.
function embedded(el, label) {
  if (el === label.control || !label.control || !CHECKABLE.has(controlRole(label.control))) return true;
  return isField(el) && !isSecret(el) && !CHECKABLE.has(controlRole(el)) ? valueOf(el, controlRole(el)) || true : true;
}

function referenced(el, attribute, { marks } = styleOf(el), isLeftOut = () => false) {
  const said = marks & (HAS_ARIA | HAS_LABEL) ? attr(el, attribute) : '';
  if (!said) return '';
  const found = said.split(/\s+/).map((id) => byId(el, id)).filter((ref) => ref && !isLeftOut(ref));
  return fold(found.map((ref) => refText(ref, el)).join(' '));
}

// What a reference is called; what is hidden is read too when it is pointed at.
function refText(ref, el) {
  if (ref !== el && attr(ref, 'aria-label')) return attr(ref, 'aria-label');
  if (ref !== el && isField(ref)) return valueOf(ref, controlRole(ref)) || fieldName(ref);
  return textOf(ref, null, true) || attr(ref, 'aria-label') || imageName(ref) || (isRendered(ref) ? '' : fold(ref.textContent));
}

function contentName(el, role) {
  const skip = role === 'treeitem' || role === 'menuitem' ? (x) => x.matches('ul,ol,[role=group],[role=menu]') : null;
  const text = textOf(el, skip);
  if (text || (!el.firstChild && !styleOf(el).isSlotted)) return text || drawnWords(el);
  return textOf(el, skip, true) || imageName(el) || drawnWords(el);
}

// Text that only the style sheet says.
function drawnText(el) {
  if (styleOf(el).isSlotted) return '';
  const said = ['::before', '::after'].map((part) => /^"(.*)"$/.exec(getComputedStyle(el, part).content)?.[1] || '');
  return fold(said.join(' '));
}

// One character is a letter of an icon font: a sign, and no word.
function drawnWords(el) {
  const said = drawnText(el);
  return said.length > 1 ? said : '';
}

function imageName(el) {
  for (const image of el.querySelectorAll('img[alt],svg,[aria-label],[title],[data-original-title]')) {
    const name = attr(image, 'alt') || attr(image, 'aria-label') || attr(image, 'title')
      || attr(image, 'data-original-title') || fold(image.querySelector('title')?.textContent || '');
    if (fold(name)) return fold(name);
  }
  return '';
}

// What a page only says of an icon while the mouse rests on it. A link may be drawn anew, and is the same by its address.
const tips = new WeakMap(), tipsOfLinks = new Map();
const TIP = '[role=tooltip],[id*=tooltip i],[class*=tooltip i],[class*=tippy i]';

const tipOf = (el) => tips.get(el) || tipsOfLinks.get(el.href) || '';

// The tips that are shown; with those of before the mouse came, what the new one says is the element's name from now on.
function tip(id, before) {
  const el = nodeOf(id);
  const shown = [...document.querySelectorAll(TIP)].filter((at) => !el || (!at.contains(el) && !el.contains(at)));
  const said = shown.filter(isShownNow).map((at) => fold(at.innerText)).filter((text) => text && text.length <= TIP_LONGEST);
  if (!before) return said;
  const news = said.find((text) => !before.includes(text)) || '';
  if (el && news) tips.set(el, news);
  return { text: news, address: news && el?.localName === 'a' ? el.href : '' };
}

// Also told to every later document.
const knowTip = (address, text) => tipsOfLinks.set(address, text);

const TIP_LONGEST = 60; // characters: what is longer explains, and is no name
const isShownNow = (el) => el.checkVisibility(SEEN) && el.getClientRects().length > 0;

const LABELLED = new Set(['button', 'area', 'meter', 'output', 'progress']); // besides fields

function fieldName(el, { tag } = styleOf(el)) {
  const said = labelsOf(el).map(labelText).filter(Boolean);
  if (said.length) return said.join(' ');
  if (tag === 'input' && /^(button|submit|reset)$/.test(el.type)) {
    return fold(el.value) || { submit: 'Submit', reset: 'Reset' }[el.type] || '';
  }
  return tag === 'area' || (tag === 'input' && el.type === 'image') ? fold(attr(el, 'alt')) : '';
}

function hintName(el, { marks } = styleOf(el)) {
  return !(marks & HAS_TITLE) ? '' : fold(attr(el, 'title') || attr(el, 'data-original-title') || attr(el, 'data-bs-original-title'));
}

// The box that holds a field with its label, hints and errors; false where there is none.
function formGroup(el, style = el && styleOf(el)) {
  if (!el) return false;
  return style.group ??= style.about.likeGroup && el.matches(FORM_GROUP) ? el : formGroup(parentOf(el));
}

const CROWD = 400; // elements: what holds more is no group of a few fields
const isCrowded = (group) => styleOf(group).crowded ??= group.getElementsByTagName('*')[CROWD] !== undefined;
const fieldsIn = (group) => styleOf(group).fields ??= isCrowded(group) ? CROWD : group.querySelectorAll(FIELDS).length;

// A caption that opens a menu is a button itself.
const captionText = (label) => labelText(label) || (label.querySelector(FIELDS) ? '' : unstar(textOf(label)));

// The text that labels a field without saying so: in its form group, or in the table cell before it.
function groupText(el) {
  const group = formGroup(el);
  if (group) {
    const first = [...group.querySelectorAll('label,.control-label,.field-label,legend,dt')]
      .find((label) => (!label.control || label.control === el) && captionText(label));
    if (first && fieldsIn(group) <= 3) return captionText(first);
    const above = fieldsIn(group) === 1 ? nearText(el, group) : '';
    if (above) return above;
  }
  const cell = closest(el, 'td,dd,[role=gridcell]');
  const before = cell?.previousElementSibling;
  if (cell && before && !before.querySelector(FIELDS) && textOf(before)) return unstar(cap(textOf(before), 80));
  return '';
}

// What holds nothing but the field is named for it.
function aroundText(el) {
  for (let at = parentOf(el), up = 0; at && up < 3 && fieldsIn(at) === 1; at = parentOf(at), up++) {
    const said = referenced(at, 'aria-labelledby');
    if (said) return unstar(said);
  }
  return '';
}

const SAYS = /[\p{L}\p{N}]/u; // bars and dots between the tools of an editor say nothing

// The text that stands just before a field; with a group around it, as far up as that.
function nearText(el, group = null) {
  for (let at = el, up = 0; at && (group ? at !== group : up < 3); at = parentOf(at), up++) {
    for (let prev = at.previousSibling; prev; prev = prev.previousSibling) {
      if (prev.nodeType === 1 && (isField(prev) || prev.querySelector(FIELDS))) return '';
      if (prev.nodeType === 1 && headingLevel(prev)) return '';
      const text = prev.nodeType === 3 ? fold(prev.data) : prev.nodeType === 1 && isShown(prev) ? textOf(prev) : '';
      if (SAYS.test(text)) return text.length <= 80 ? unstar(text) : '';
    }
    if (at.matches('td,th,form,fieldset,[role=dialog],section')) return '';
  }
  return '';
}

// A code editor stands in the place of a field that is not shown, and is called as that one is.
function editorName(el) {
  const box = editorAround(el);
  if (!box) return '';
  let replaced = null;
  for (let at = box, up = 0; at && up < 3 && !replaced; at = parentOf(at), up++) {
    if (at.previousElementSibling?.localName === 'textarea') replaced = at.previousElementSibling;
  }
  const label = replaced && labelsOf(replaced).find(isShown);
  return (label && labelText(label)) || (replaced && fold(attr(replaced, 'aria-label'))) || nearText(replaced || box);
}

// A bare search field is called by the button beside it.
function besideText(el) {
  const next = el.nextElementSibling;
  return next && el.localName === 'input' && !CHECKABLE.has(controlRole(el)) && next.matches('button,input[type=submit]')
    && isShown(next) ? nameOf(next, 'button') : '';
}

// A file field is called by its caption; what is written in its drop zone says what to do there.
function fileName(el) {
  for (const id of attr(el, 'aria-labelledby').split(/\s+/)) {
    const text = id && byId(el, id) ? textOf(byId(el, id), null, true) : '';
    if (text) return unstar(text);
  }
  const zone = isShown(el) ? null : labelsOf(el).find(isShown);
  return zone && !attr(el, 'aria-label') ? groupText(el) || nearText(zone) : '';
}

function nameOf(el, role, style = styleOf(el)) {
  const list = listBehind(el);
  if (list && drawnListName(el, list)) return drawnListName(el, list);
  if (role === 'columnheader') return textOf(el) || fold(attr(el, 'aria-label'));
  if (style.tag === 'input' && el.type === 'file' && fileName(el)) return fileName(el);
  const aria = style.marks & HAS_LABEL ? referenced(el, 'aria-labelledby', style) || fold(attr(el, 'aria-label')) : '';
  if (aria) return unstar(aria);
  const native = style.isField || LABELLED.has(style.tag) ? fieldName(el, style) : '';
  if (native) return native;
  if (role === 'listbox' && !style.isField) return nearText(el);
  const content = style.isField ? '' : contentName(el, role);
  if (content) return cap(content, 300);
  const hint = hintName(el, style);
  if (hint) return hint;
  if (!style.isField) return tipOf(el) || iconName(el) || drawnText(el);
  const edited = editorName(el);
  if (edited) return edited;
  return groupText(el) || aroundText(el) || fold(attr(el, 'placeholder') || attr(el, 'aria-placeholder')) || nearText(el) || besideText(el);
}

const secrets = new WeakSet();
const isSecret = (el) => (el.localName === 'input' && el.type === 'password') || secrets.has(el);

function valueOf(el, role, { tag } = styleOf(el)) {
  if (isSecret(el)) return el.value ? '••••' : '';
  const list = listBehind(el);
  if (list) return valueOf(list, role);
  if (tag === 'select') return fold([...el.selectedOptions].map((o) => o.label || o.text).join(', '));
  if (tag === 'input') {
    if (el.type === 'file') return [...el.files].map((file) => file.name).join(', ');
    if (!el.value && opensList(el)) return textOf(closest(el, '[aria-haspopup=listbox]'), (x) => x.localName === 'label');
    return CHECKABLE.has(role) || role === 'button' ? null : el.value;
  }
  if (tag === 'textarea') {
    const box = editorAround(el);
    return box ? cap(editorText(box), 5000) : el.value;
  }
  if (role === 'textbox' || role === 'searchbox') return cap(el.innerText ?? textOf(el), 5000);
  if (role === 'combobox') return textOf(el, (x) => x.matches('[role=listbox]')); // that hangs open within it
  if (role === 'slider' || role === 'spinbutton') return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
  return null;
}
