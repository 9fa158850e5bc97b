// Where a click reaches an element, whether it is still the one that was seen, and that it is hit.
// Nothing here waits: documents without scripts run no timers, and Python asks again.
function prepare(id, scroll, arms = false) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  forget();
  const boxed = boxedOf(el);
  const moved = scroll && scrollTo(boxed, el);
  forget();
  const hit = aim(boxed, el);
  armed = arms && hit.ok ? { boxed, el, ok: null, on: '', isAsSealed: el.matches(DOES) ? unturned(el) : null } : null;
  return { disabled: isDisabled(el), under: el.matches(':hover'), rendered: isRendered(paintedOf(boxed)), ...hit, box: boxAt(id), calm: !moved && isCalm(boxed),
    tag: el.localName, type: el.type || '', kind: kindOfField(el), readonly: el.readOnly === true || is(el, 'aria-readonly') };
}

// Nothing moves it, and no script has touched the page a moment ago.
const CALM_MS = 100;
const isCalm = (el) => performance.now() - lastChange > CALM_MS
  && document.getAnimations().every((one) => one.playState !== 'running' || !touches(one.effect?.target, el));
const touches = (moving, el) => moving instanceof Element && within(el, moving);

const labelOf = (el) => labelsOf(el).find(isShown) || null;
// A code editor's own field is tiny or unseen; the editor is what is clicked.
const boxedOf = (el) => editorAround(el) || (rectOf(el).width >= PX && isShown(el) ? el : standIn(el) || labelOf(el) || el);

// What is drawn of it: an image map's area is a part of its image.
const paintedOf = (el) => (el.localName === 'area' && imageOf(el)) || el;

const boxAt = (id) => inPixels(rectOf(boxedOf(nodeOf(id))));

// Whether it had to be scrolled.
function scrollTo(boxed, el) {
  const rect = rectOf(boxed);
  const outside = rect.top < 0 || rect.left < 0 || rect.bottom > innerHeight * PX || rect.right > innerWidth * PX;
  if (!outside && aim(boxed, el).ok) return false;
  // Headers that stick to the top and bars that stick to the bottom lie over what is scrolled there.
  for (const block of ['center', 'end', 'start']) {
    paintedOf(boxed).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    forget();
    if (aim(boxed, el).ok) break;
  }
  return true;
}

// A point of the element at which a click would reach it.
function aim(el, target) {
  const rects = [...el.getClientRects()].map(plainRect).filter((r) => r.width >= PX && r.height >= PX);
  const rect = rects[0] || rectOf(el);
  let cover = null;
  for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5]]) {
    const x = (rect.left + rect.width * fx) / PX;
    const y = (rect.top + rect.height * fy) / PX;
    const hit = deepFromPoint(x, y);
    if (hit && reaches(hit, el, target)) return { ok: true, x, y };
    cover = cover || hit;
  }
  const x = (rect.left + rect.width / 2) / PX;
  const y = (rect.top + rect.height / 2) / PX;
  return { ok: false, x, y, cover: cover ? cap(describeNode(cover), 80) : 'nothing' };
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

// Where a point of a child frame lies here, scrolled into view, and whether the frame is hit there:
// scrollers around it may cut it off, and something else may lie over it.
function showPoint(id, x, y) {
  const frame = nodeOf(id);
  if (!frame) return null;
  forget();
  const at = () => {
    const box = frameBox(id, false);
    return [box.x + x, box.y + y];
  };
  const isHit = () => deepFromPoint(...at()) === frame;
  if (!isHit()) for (let up = parentOf(frame); up; up = parentOf(up)) bringIn(up, at());
  const hit = deepFromPoint(...at());
  const [left, top] = at();
  return { x: left, y: top, ok: hit === frame, cover: hit ? cap(describeNode(hit), 80) : 'nothing' };
}

function bringIn(scroller, [x, y]) {
  const whole = scroller === document.scrollingElement;
  if (!whole && !/auto|scroll|hidden/.test(styleOf(scroller).overflow)) return;
  const rect = scroller.getBoundingClientRect();
  const [left, top, right, bottom] = whole ? [0, 0, innerWidth, innerHeight] : [rect.left, rect.top, rect.right, rect.bottom];
  const by = (at, low, high) => (at < low + 8 || at > high - 8 ? at - (low + high) / 2 : 0);
  scroller.scrollBy({ left: by(x, left, right), top: by(y, top, bottom), behavior: 'instant' });
}

// Between aiming and clicking a page may draw something else at that place: such a click is swallowed
// before any of the page's scripts hear of it, and is aimed anew.
let armed = null;
for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu']) {
  addEventListener(type, guard, { capture: true });
}

// What does something when it is clicked; what opens a list may well say something else at once.
const DOES = ':is(button,a,[role=button],[role=menuitem],[role=link]):not([aria-haspopup],[aria-expanded],[role=combobox])';

// The words on a control: under the mouse it may become another one.
function unturned(el) {
  const said = wordsOn(el);
  return () => (forget(), wordsOn(el)) === said;
}

const wordsOn = (el) => JSON.stringify([textOf(el), el.getAttribute('aria-label') || '', el.title || '']);

// What a click that must not go wrong rests on: the control's words, its row, its dialog, and that no other
// row is ticked than were; its own may be, by the click itself.
function seal(id, role) {
  const el = nodeOf(id);
  if (!el || !armed) return;
  const says = () => {
    forget();
    const dialog = openDialogs().pop();
    return JSON.stringify([namesOf(el, role), rowsAround(el), dialog ? textOf(dialog) : '', el.href || '',
      location.href, document.querySelector('h1')?.textContent || '']);
  };
  const ticked = () => [...document.querySelectorAll('input[type=checkbox]:checked,[aria-checked=true],[aria-selected=true]')]
    .map((one) => rowsAround(one)[0]).filter(Boolean);
  const said = says();
  const known = new Set([...ticked(), rowsAround(el)[0]]);
  armed.isAsSealed = () => says() === said && ticked().every((row) => known.has(row));
}

function guard(event) {
  if (!armed || !event.isTrusted) return;
  if (armed.isAsSealed && armed.ok !== false && !armed.isAsSealed()) {
    armed.ok = false;
    armed.on = 'another text';
  }
  if (armed.ok === null) {
    forget();
    const top = event.composedPath()[0];
    const hit = closedRoots.has(top) ? deepFromPoint(event.clientX, event.clientY) : top; // it tells nothing of what is within
    const node = hit instanceof Element ? hit : hit?.parentElement;
    armed.ok = !!node && reaches(node, armed.boxed, armed.el);
    armed.on = node ? cap(describeNode(node), 80) : 'nothing';
  }
  if (armed.ok) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// Whether the click reached its element; `null` when it was not seen at all.
function landed() {
  const { ok, on } = armed || { ok: null, on: '' };
  armed = null;
  return { ok, on };
}

// Whether the node still says what it said when it was seen. In doubt it does not: then the page is
// looked at again, which is exact.
function same(id, role, name, row) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  forget();
  const shown = isRendered(paintedOf(boxedOf(el)));
  return { same: shown && namesOf(el, role).includes(name) && (row === null || rowsAround(el).includes(row)) };
}

function namesOf(el, role) {
  const names = [nameOf(el, role)];
  const themed = closest(el, '.themable-select');
  if (themed) names.push(nameOf(themed.querySelector('select') || el, 'combobox') || groupText(themed) || nearText(themed));
  if (role === 'combobox' && !isField(el)) names.push(unstar(bareCaption(el)));
  if (role === 'row') names.push(rowText(el));
  for (let at = parentOf(el), up = 0; at && up < 2; at = parentOf(at), up++) {
    if (controlRole(at) === role) names.push(nameOf(at, role));
  }
  return names;
}

function rowsAround(el) {
  const rows = [];
  for (let at = el; at; at = parentOf(at)) {
    if (isRow(at)) rows.push(rowText(at));
    else if (at.localName === 'li') rows.push(cap(rowCell(at), 400));
    else if (at.matches('ul.btn-group')) rows.push(textOf(at.querySelector('.display_name,.member') || at));
  }
  return rows;
}
