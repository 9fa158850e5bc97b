// What an action changes: noted before it, compared after it, and only the differences told. It runs with
// every action on pages of any size, so nothing is searched for: fields come from the browser's own live
// lists, and states from the changes of attributes in between.
const FIELD_CAP = 3000;
const STATES = { 'aria-checked': ['checked', 'unchecked'], 'aria-expanded': ['expanded', 'collapsed'],
  'aria-selected': ['selected', 'not selected'], 'aria-pressed': ['pressed', 'not pressed'],
  'aria-current': ['current', 'not current'], 'aria-disabled': ['disabled', 'enabled'],
  disabled: ['disabled', 'enabled'], open: ['expanded', 'collapsed'] };
let glanced = null;

function glance(isFirst, id) {
  forget();
  const now = { url: location.href, title: document.title, dialogs: openDialogs().map(dialogTitle), document: DOCUMENT };
  const before = glanced;
  const records = before ? before.take() : [];
  before?.observer.disconnect();
  glanced = isFirst ? { marks: markFields(id), active: deepActive(), ...watchStates() } : null;
  return isFirst || !before ? now : { ...now, ...differences(before, records) };
}

function markFields(id) {
  const marks = new Map();
  const mark = (el) => el && marks.size < FIELD_CAP && marks.set(el, [held(el), el.checked]);
  // What is acted upon, and what is being typed into, come first and need not be a native field.
  [id ? nodeOf(id) : null, deepActive()].forEach(mark);
  for (const root of roots()) {
    const lists = root === document ? ['input', 'select', 'textarea'].map((tag) => document.getElementsByTagName(tag))
      : [root.querySelectorAll('input,select,textarea')];
    for (const list of lists) for (let i = 0; i < list.length && marks.size < FIELD_CAP; i++) mark(list[i]);
  }
  return marks;
}

function held(el) {
  if (el.localName === 'select') return `${el.selectedIndex}/${el.selectedOptions.length}`;
  if (el.localName === 'input' || el.localName === 'textarea') return el.value;
  return el.isContentEditable ? el.textContent : '';
}

function watchStates() {
  const records = [];
  const observer = new MutationObserver((more) => { if (records.length < FIELD_CAP) records.push(...more); });
  const what = { subtree: true, attributeOldValue: true, attributeFilter: [...Object.keys(STATES), 'aria-valuenow'] };
  for (const root of roots()) observer.observe(root, what);
  return { observer, take: () => [...records, ...observer.takeRecords()] };
}

function differences(before, records) {
  const values = [];
  const states = [];
  for (const [el, [was, checked]] of before.marks) {
    if (!el.isConnected) continue;
    if (held(el) !== was) values.push([idOf(shownFor(el)), valueText(el)]);
    if (el.checked !== checked) states.push([idOf(shownFor(el)), el.checked ? 'checked' : 'unchecked']);
  }
  const seen = new Map();
  for (const { target, attributeName, oldValue } of records) {
    if (!seen.has(target)) seen.set(target, {});
    seen.get(target)[attributeName] ??= { oldValue };
  }
  for (const [el, changed] of seen) if (el.isConnected) attributesOf(el, changed, values, states);
  const active = deepActive();
  const moved = active && active !== before.active && !active.matches('body,iframe,frame');
  return { values, states, focus: moved ? [idOf(active), cap(nameOf(active, controlRole(active) || 'button'), 80)] : null };
}

function attributesOf(el, changed, values, states) {
  for (const [name, { oldValue }] of Object.entries(changed)) {
    const now = el.getAttribute(name);
    if (name === 'aria-valuenow') {
      if (now !== oldValue && !isField(el)) values.push([idOf(el), cap(attr(el, 'aria-valuetext') || now || '', 200)]);
    } else if ((name !== 'open' || el.localName === 'details') && isYes(name, now) !== isYes(name, oldValue)) {
      states.push([idOf(el.localName === 'details' ? el.querySelector('summary') || el : el), STATES[name][isYes(name, now) ? 0 : 1]]);
    }
  }
}

const isYes = (name, value) => value !== null && (!name.startsWith('aria-') || (value !== 'false' && value !== ''));
const valueText = (el) => cap(String(valueOf(el, controlRole(el)) ?? held(el)), 200);
// Changes of a wrapped field are told of the control that stands for it.
const shownFor = (el) => (closest(el, '.themable-select')?.querySelector('.dropdown-toggle')) || el;
