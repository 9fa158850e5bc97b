// What a field holds and how it takes a value.
const VALUED = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);
const NOT_TYPED = new Set(['checkbox', 'radio', 'file', 'submit', 'button', 'reset', 'image']);
const EDITORS = '.CodeMirror,.cm-editor,.monaco-editor,.ace_editor';
const LINES = '.CodeMirror-line,.cm-line,.view-line,.ace_line';

// The code editor that a field of its own belongs to.
const editorAround = (el) => (el.localName === 'textarea' ? closest(el, EDITORS) : null);
const editorOf = (el) => closest(el, EDITORS) || el.querySelector(EDITORS);

function kindOfField(el) {
  if (el.localName === 'select') return 'select';
  if (el.localName === 'input') return VALUED.has(el.type) ? 'valued' : NOT_TYPED.has(el.type) ? 'none' : 'text';
  if (editorOf(el)) return 'editor';
  if (el.localName === 'textarea' || el.isContentEditable) return 'text';
  const role = controlRole(el);
  if (role === 'slider' || role === 'spinbutton') return 'stepped';
  const inner = innerField(el);
  return inner ? 'outer' : 'none';
}

// A box around the one field that takes the text: `div[role=combobox] > input`.
function innerField(el) {
  const inner = [...el.querySelectorAll('input:not([type=hidden]),textarea,[contenteditable=true]')].filter(isShown);
  return inner.length === 1 && kindOfField(inner[0]) === 'text' ? inner[0] : null;
}

function inner(id) {
  const el = nodeOf(id);
  const found = el && innerField(el);
  return found ? idOf(found) : null;
}

function state(id) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  forget();
  const role = controlRole(el);
  const box = el.localName === 'input' ? null : editorOf(el);
  const value = isSecret(el) ? '•'.repeat(el.value.length) : box ? editorText(box)
    : el.isContentEditable ? el.innerText : el.value ?? null;
  return { value, secret: isSecret(el), states: statesOf(el, role || 'button'), focused: el.getRootNode().activeElement === el,
    numeric: el.type === 'number' };
}

// What an editor shows: the lines it has drawn, in their order on the screen.
function editorText(box) {
  const lines = [...box.querySelectorAll(LINES)].filter(isRendered).map((line) => [line.getBoundingClientRect().top, line.textContent]);
  lines.sort((a, b) => a[0] - b[0]);
  return lines.map(([, text]) => text.replace(/\u00a0/g, ' ').replace(/\u200b/g, '')).join('\n');
}

function focusOn(id) {
  const el = nodeOf(id);
  if (el && el.getRootNode().activeElement !== el) el.focus({ preventScroll: false });
  return !!el;
}

function selectAll(id) {
  const el = nodeOf(id);
  if (!el) return false;
  if (typeof el.select === 'function') el.select();
  else {
    const range = document.createRange();
    range.selectNodeContents(el);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }
  return true;
}

// Date, time, colour and range fields have no text to type into. What they refuse changes nothing.
function setValue(id, text) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  const before = el.value;
  el.focus();
  el.value = text;
  const held = el.value;
  const took = el.type === 'range' ? Number(held) === Number(text) : held === text || held.startsWith(text) || sameColor(el, text);
  if (!took || (text && !held)) {
    el.value = before;
    return { took: false, held, min: el.min, max: el.max, step: el.step };
  }
  if (held !== before) fire(el);
  return { took: true, held };
}

const sameColor = (el, text) => el.type === 'color' && el.value.toLowerCase() === text.trim().toLowerCase();

function fire(el) {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

// A paste, for editors that do not take a text as it is typed.
function paste(id, text) {
  const el = nodeOf(id);
  const box = el && editorOf(el);
  const at = box && (box.contains(deepActive()) ? deepActive() : box.querySelector('textarea,[contenteditable=true]'));
  if (!at) return false;
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  at.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }));
  return true;
}

function deepActive() {
  let at = document.activeElement;
  while (at && shadowOf(at)?.activeElement) at = shadowOf(at).activeElement;
  return at;
}

// Where a slider or stepper stands, and where on its track the ends are.
function stepped(id) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  const number = (name, other) => (el.hasAttribute(name) ? Number(attr(el, name)) : other);
  const thumb = el.getBoundingClientRect();
  const upright = attr(el, 'aria-orientation') === 'vertical';
  let track = el;
  for (let up = 0; up < 4 && track && long(track, upright) < 3 * Math.min(thumb.width, thumb.height); up++) track = parentOf(track);
  const rect = (track || el).getBoundingClientRect();
  return { now: number('aria-valuenow', null), min: number('aria-valuemin', null), max: number('aria-valuemax', null),
    upright, track: [rect.left, rect.top, rect.width, rect.height],
    thumb: track === el ? null : [thumb.left + thumb.width / 2, thumb.top + thumb.height / 2] };
}

const long = (el, upright) => el.getBoundingClientRect()[upright ? 'height' : 'width'];

// A file as if a person had dragged it here from the desktop; whether the page took it.
function dropFiles(id, files) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  const dataTransfer = new DataTransfer();
  for (const { name, type, data } of files) {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], name, { type }));
  }
  const { left, top, width, height } = el.getBoundingClientRect();
  const at = { bubbles: true, cancelable: true, composed: true, dataTransfer, clientX: left + width / 2, clientY: top + height / 2 };
  el.dispatchEvent(new DragEvent('dragenter', at));
  const taken = !el.dispatchEvent(new DragEvent('dragover', at));
  if (taken) el.dispatchEvent(new DragEvent('drop', at));
  else el.dispatchEvent(new DragEvent('dragleave', at));
  return { taken };
}

// The file input that a label or a drop zone wraps.
function fileInput(id) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  const label = closest(el, 'label');
  const found = label?.control || el.querySelector('input[type=file]');
  return { input: found?.type === 'file' ? idOf(found) : null, many: found?.multiple ?? true };
}
