// What an action changes: noted before it, compared after it, and only the differences told.
const LIVE = 'input:not([type=hidden]),select,textarea,[contenteditable=true],details,[aria-expanded],[aria-checked],'
  + '[aria-selected],[aria-pressed],[aria-valuenow],[aria-current]';
const LIVE_CAP = 3000;
let glanced = null;

const liveNodes = () => roots().flatMap((root) => [...root.querySelectorAll(LIVE)]).slice(0, LIVE_CAP);
const disabledNodes = () => new Set(roots().flatMap((root) => [...root.querySelectorAll(':disabled,[aria-disabled=true]')]).slice(0, LIVE_CAP));

function held(el) {
  if (el.localName === 'select') return `${el.selectedIndex}/${el.selectedOptions.length}`;
  if (el.localName === 'input' || el.localName === 'textarea') return el.value;
  return el.isContentEditable ? el.textContent : attr(el, 'aria-valuenow');
}

// The states that words are made of; `null` where a control has no such state.
const STATES = [
  [(el) => (el.localName === 'input' && /^(checkbox|radio)$/.test(el.type) ? el.checked : el.getAttribute('aria-checked')), 'checked', 'unchecked'],
  [(el) => (el.localName === 'details' ? el.open : el.getAttribute('aria-expanded')), 'expanded', 'collapsed'],
  [(el) => el.getAttribute('aria-selected'), 'selected', 'not selected'],
  [(el) => el.getAttribute('aria-pressed'), 'pressed', 'not pressed'],
  [(el) => el.getAttribute('aria-current'), 'current', 'not current'],
];
const markOf = (el) => ({ held: held(el), states: STATES.map(([read]) => String(read(el))) });

function glance(isFirst) {
  forget();
  const now = { url: location.href, title: document.title, dialogs: openDialogs().map(dialogTitle), document: DOCUMENT };
  if (isFirst) {
    glanced = { marks: new Map(liveNodes().map((el) => [el, markOf(el)])), disabled: disabledNodes(), active: deepActive() };
    return now;
  }
  const before = glanced;
  glanced = null;
  return before ? { ...now, ...differences(before) } : now;
}

function differences(before) {
  const values = [];
  const states = [];
  for (const [el, was] of before.marks) {
    if (!el.isConnected) continue;
    const is = markOf(el);
    if (is.held !== was.held) values.push([idOf(shownFor(el)), cap(String(valueOf(el, controlRole(el)) ?? is.held), 200)]);
    STATES.forEach(([, yes, no], i) => {
      if (is.states[i] !== was.states[i]) states.push([idOf(shownFor(el)), isYes(is.states[i]) ? yes : no]);
    });
  }
  const disabled = disabledNodes();
  for (const el of before.disabled) if (!disabled.has(el) && el.isConnected) states.push([idOf(el), 'enabled']);
  for (const el of disabled) if (!before.disabled.has(el)) states.push([idOf(el), 'disabled']);
  const active = deepActive();
  const moved = active && active !== before.active && !active.matches('body,iframe,frame');
  return { values, states, focus: moved ? [idOf(active), cap(nameOf(active, controlRole(active) || 'button'), 80)] : null };
}

const isYes = (value) => value !== 'false' && value !== 'null' && value !== '';
// Changes of a wrapped field are told of the control that stands for it.
const shownFor = (el) => (closest(el, '.themable-select')?.querySelector('.dropdown-toggle')) || el;
