// What actions need to know of an element at the moment of acting, and the few things done from within.
async function prepare(id, scroll) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  forget();
  const role = controlRole(el);
  const boxed = rectOf(el).width >= 1 && isShown(el) ? el : standIn(el) || labelOf(el) || el;
  if (scroll) scrollTo(boxed);
  await still(boxed);
  forget();
  const hit = aim(boxed, el);
  return { disabled: isDisabled(el), rendered: isRendered(boxed), ...hit, tag: el.localName, type: el.type || '',
    role, editable: el.isContentEditable, readonly: el.readOnly === true };
}

const labelOf = (el) => [...(el.labels || [])].find(isShown) || null;

function scrollTo(el) {
  const rect = el.getBoundingClientRect();
  const outside = rect.top < 0 || rect.left < 0 || rect.bottom > innerHeight || rect.right > innerWidth;
  if (outside || !aim(el, el).ok) el.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
}

// Waits until the element stands still (dialogs slide in), at most a second.
async function still(el) {
  let before = el.getBoundingClientRect();
  for (let i = 0; i < 40; i++) {
    await wait(25);
    const now = el.getBoundingClientRect();
    if (now.x === before.x && now.y === before.y && now.width === before.width && now.height === before.height) return;
    before = now;
  }
}

// A point of the element at which a click would reach it.
function aim(el, target) {
  const rects = [...el.getClientRects()].filter((r) => r.width >= 1 && r.height >= 1);
  const rect = rects[0] || el.getBoundingClientRect();
  let cover = null;
  for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5]]) {
    const x = rect.left + rect.width * fx;
    const y = rect.top + rect.height * fy;
    const hit = deepFromPoint(x, y);
    if (hit && reaches(hit, el, target)) return { ok: true, x, y };
    cover = cover || hit;
  }
  const x = rect.left + rect.width / 2;
  const y = rect.top + rect.height / 2;
  return { ok: false, x, y, cover: cover ? cap(describeNode(cover), 80) : 'nothing' };
}

// Another thing lies over all of it: a menu, a panel, a pop-up.
function isCovered(boxed, el) {
  if (el.ownerSVGElement) return false;
  const { ok, cover } = aim(boxed, el);
  return !ok && cover !== 'nothing';
}

function reaches(hit, el, target) {
  if (within(hit, el) || within(hit, target)) return true;
  const label = closest(hit, 'label');
  if (label && label.control === target) return true;
  return styleOf(target).events === 'none' && within(target, hit);
}

function describeNode(el) {
  const text = textOf(el);
  return `<${el.localName}${el.id ? `#${el.id}` : ''}>${text ? ` "${text}"` : ''}`;
}

function state(id) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  forget();
  const role = controlRole(el);
  const value = isSecret(el) ? '•'.repeat(el.value.length) : el.isContentEditable ? el.innerText : el.value ?? null;
  return { value, states: statesOf(el, role || 'button'), focused: el.getRootNode().activeElement === el };
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

// Date, time, colour and range fields have no text to type into.
function setValue(id, text) {
  const el = nodeOf(id);
  el.focus();
  el.value = text;
  fire(el);
  return el.value;
}

function fire(el) {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

const squash = (text) => fold(text).toLowerCase().replace(/[\s ]+/g, '');

// The index of the text: exact first, then without regard to case and space; -1 when none or several.
function match(labels, wanted) {
  const exact = labels.findIndex((label) => fold(label) === fold(wanted));
  if (exact >= 0) return exact;
  const loose = labels.map((label, i) => (squash(label) === squash(wanted) ? i : -1)).filter((i) => i >= 0);
  return loose.length ? loose[0] : -1;
}

// How the element's options are chosen, and for a native drop-down the choice itself.
function choose(id, wanted) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  forget();
  const box = closest(el, '.themable-select');
  if (box) return { how: 'menu' };
  lookBefore();
  if (el.localName !== 'select') return { how: el.localName === 'input' ? 'typeahead' : 'popup' };
  const labels = [...el.options].map((o) => o.label || o.text);
  const values = [...el.options].map((o) => o.value);
  const parts = el.multiple && match(labels, wanted) < 0 ? wanted.split(/\s*[,\n;]\s*/) : [wanted];
  const picks = parts.map((part) => (match(labels, part) >= 0 ? match(labels, part) : values.indexOf(part)));
  if (picks.includes(-1)) return { how: 'none', options: labels.map(fold) };
  if (picks.some((i) => el.options[i].disabled)) return { how: 'disabled' };
  el.focus();
  if (el.multiple) [...el.options].forEach((o, i) => { o.selected = picks.includes(i); });
  else el.selectedIndex = picks[0];
  fire(el);
  return { how: 'done' };
}

// The option to click in an open menu or list.
function findOption(id, wanted) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  forget();
  const items = optionNodes(el).filter((item) => isRendered(item) && rectOf(item).height >= 1);
  const labels = items.map((item) => textOf(item) || fold(item.textContent));
  const index = match(labels, wanted);
  return { option: index < 0 ? null : idOf(items[index]), options: labels.slice(0, 200) };
}

const OPTIONS = '[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem],[data-select-value],'
  + '.dropdown-menu li > a,.dropdown-menu li > button,.dropdown-item,.el-select-dropdown__item,.ant-select-item-option,'
  + '.next-menu-item';

function optionNodes(el) {
  const box = closest(el, '.themable-select');
  if (box) return [...box.querySelectorAll('[data-select-value]')];
  const popup = byId(el, attr(el, 'aria-controls') || attr(el, 'aria-owns'))
    || (el.matches('[data-toggle=dropdown],[data-bs-toggle=dropdown],.dropdown-toggle') ? el.parentElement : null);
  const found = popup ? [...popup.querySelectorAll(OPTIONS)] : [];
  if (found.some(isShown)) return found;
  const come = (item) => isShown(item) && !before.has(item);
  const all = roots().flatMap((root) => [...root.querySelectorAll(OPTIONS)]);
  const fresh = all.filter(come);
  if (fresh.length) return fresh;
  const bare = bareOptions();
  // A list that stands open from the start belongs to this control only when nothing says whose it is.
  return bare.length || popup || attr(el, 'aria-controls') ? bare : all.filter((item) => isShown(item) && !closest(item, '[aria-multiselectable]'));
}

function markSecret(selector) {
  const el = document.querySelector(selector);
  if (!el) return null;
  secrets.add(el);
  return idOf(el);
}

// Boxes of what must not be seen in a picture.
function secretBoxes() {
  const found = roots().flatMap((root) => [...root.querySelectorAll('input')]);
  return found.filter((el) => isSecret(el) && el.value && isRendered(el)).map((el) => {
    const rect = el.getBoundingClientRect();
    return [rect.left, rect.top, rect.width, rect.height];
  });
}

function frameBox(id, show) {
  const iframe = nodeOf(id);
  if (!iframe) return null;
  const whole = iframe.getBoundingClientRect();
  if (show && (whole.top < 0 || whole.left < 0 || whole.bottom > innerHeight || whole.right > innerWidth)) {
    iframe.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  }
  const rect = iframe.getBoundingClientRect();
  const style = getComputedStyle(iframe);
  return { x: rect.left + iframe.clientLeft + parseFloat(style.paddingLeft),
    y: rect.top + iframe.clientTop + parseFloat(style.paddingTop), width: iframe.clientWidth, height: iframe.clientHeight };
}

function scrollBy(id, dx, dy) {
  let at = id ? nodeOf(id) : document.scrollingElement;
  while (at && at !== document.scrollingElement
    && !(at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY))) at = parentOf(at);
  (at || document.scrollingElement).scrollBy({ left: dx * innerWidth, top: dy * innerHeight, behavior: 'instant' });
}

const EXCERPT_CAP = 20000;

function excerpt(id) {
  const el = id ? nodeOf(id) : null;
  const dialog = openDialogs().pop();
  const around = el ? closest(el, `tr,[role=row],${FORM_GROUP}`) || closest(el, 'li,fieldset,form,[role=dialog],.modal,section')
    || el : dialog || document.querySelector('main,[role=main],#content_body') || document.body;
  if (!around) return '';
  const copy = around.cloneNode(true);
  for (const junk of copy.querySelectorAll('script,style,noscript,template,link,iframe[srcdoc]')) junk.remove();
  for (const field of copy.querySelectorAll('input[type=password],input[type=hidden],input[name*=token]')) field.setAttribute('value', '••••');
  const live = [around, ...around.querySelectorAll('input')];
  const copied = [copy, ...copy.querySelectorAll('input')];
  live.forEach((node, i) => secrets.has(node) && copied[i]?.setAttribute('value', '••••'));
  return cap(copy.outerHTML, EXCERPT_CAP);
}
