// What can be acted on in one frame, decided without any observer: run in the page's own world with
// the console's `getEventListeners`. `clip` is the part of the frame that can be seen; `roots` are
// its shadow roots, closed ones too. Answers and keeps the true controls, and matches nodes to them.
((clip, roots) => {
  const rootOf = new Map(roots.map((root) => [root.host, root]));
  const ROLES = /^(button|link|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|option|combobox|textbox|searchbox|slider|spinbutton|treeitem)$/;
  const NATIVE = 'a[href],area[href],button,select,textarea,input:not([type=hidden]),details>summary:first-of-type,audio[controls],video[controls]';
  const HEARD = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'];
  const view = { left: Math.max(0, clip.left), top: Math.max(0, clip.top),
    right: Math.min(innerWidth, clip.right), bottom: Math.min(innerHeight, clip.bottom) };

  const all = [];
  (function walk(root) {
    for (const el of root.querySelectorAll('*')) {
      all.push(el);
      if (rootOf.has(el)) walk(rootOf.get(el));
    }
  })(document);
  const parentOf = (node) => node.assignedSlot || node.parentElement
    || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const ancestors = function* (node) { for (let at = node; at; at = parentOf(at)) yield at; };
  const within = (node, outer) => { for (const at of ancestors(node)) if (at === outer) return true; return false; };
  const styles = new Map();
  const styleOf = (el) => styles.get(el) || (styles.set(el, getComputedStyle(el)), styles.get(el));
  const areaOf = (el) => { const r = el.getBoundingClientRect(); return r.width * r.height; };

  // Why something counts as a control: `native`, `role`, `listener` or `pointer`; null when it is none.
  function reason(el) {
    const tag = el.localName;
    if (el.matches(NATIVE) || (tag === 'a' && el.hasAttribute('xlink:href'))) return 'native';
    if (el.isContentEditable && !el.parentElement?.isContentEditable) return 'native';
    if (ROLES.test((el.getAttribute('role') || '').trim().split(/\s+/)[0])) return 'role';
    if (/^(html|body|label|iframe|option)$/.test(tag)) return null;
    const listeners = getEventListeners(el);
    if (HEARD.some((name) => listeners[name])) return 'listener';
    const parent = parentOf(el);
    return styleOf(el).cursor === 'pointer' && (!parent || styleOf(parent).cursor !== 'pointer') ? 'pointer' : null;
  }

  function isDisabled(el) {
    if (el.matches(':disabled')) return true;
    let steps = 0;
    for (const at of ancestors(el)) {
      if (at.hasAttribute('inert') || (steps++ < 3 && at.getAttribute('aria-disabled') === 'true')) return true;
    }
    return false;
  }

  const modals = all.filter((el) => el.matches('dialog:modal')
    || (el.getAttribute('aria-modal') === 'true' && el.checkVisibility({ visibilityProperty: true })));
  const isBehind = (el) => modals.length > 0 && !modals.some((modal) => within(el, modal));

  function under(x, y) {
    let root = document;
    let found = null;
    for (;;) {
      const next = root.elementFromPoint(x, y);
      if (!next || next === found) return found;
      found = next;
      if (!rootOf.has(next)) return found;
      root = rootOf.get(next);
    }
  }
  const boxOf = (el) => (el.localName === 'area'
    ? document.querySelector(`img[usemap="#${el.parentElement.name}"]`)?.getBoundingClientRect() : el.getBoundingClientRect());
  const POINTS = [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.2], [0.5, 0.8], [0.05, 0.1]];

  // Whether a click somewhere on what is in view of it would reach it.
  function isHit(el) {
    const boxes = el.localName === 'area' ? [boxOf(el)] : [...el.getClientRects()].slice(0, 4);
    for (const box of boxes) {
      const left = Math.max(box.left, view.left);
      const top = Math.max(box.top, view.top);
      const width = Math.min(box.right, view.right) - left;
      const height = Math.min(box.bottom, view.bottom) - top;
      if (width < 2 || height < 2) continue;
      for (const [fx, fy] of POINTS) {
        const at = under(left + width * fx, top + height * fy);
        if (at && (within(at, el) || at.closest('label')?.control === el)) return true;
      }
    }
    return false;
  }

  // `view`: can be acted on now; `away`: rendered, but not in view; null: not to be acted on.
  function stateOf(el) {
    const isArea = el.localName === 'area';
    if (!isArea && !el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return null;
    const box = boxOf(el);
    if (isDisabled(el) || !box || box.width < 2 || box.height < 2 || styleOf(el).pointerEvents === 'none') return null;
    if (el.localName !== 'input') for (const at of ancestors(el)) if (styleOf(at).opacity === '0') return null;
    if (isHit(el)) return 'view';
    if (isBehind(el)) return null;
    const isOut = box.right <= view.left || box.left >= view.right || box.bottom <= view.top || box.top >= view.bottom;
    return isOut && box.right + scrollX > 0 && box.bottom + scrollY > 0 ? 'away' : 'covered';
  }

  const why = new Map();
  for (const el of all) { const found = reason(el); if (found) why.set(el, found); }
  const state = new Map([...why.keys()].map((el) => [el, stateOf(el)]));
  const isLive = (el) => state.get(el) === 'view' || state.get(el) === 'away';
  const outer = new Map();
  const inner = new Map([...why.keys()].map((el) => [el, []]));
  for (const el of why.keys()) {
    for (const at of ancestors(parentOf(el))) if (why.has(at)) { outer.set(el, at); inner.get(at).push(el); break; }
  }

  // Of nested candidates one is the control: the button around an icon, the link in a wrapper.
  function isPart(el) {
    const reasonOf = why.get(el);
    const isDrawn = reasonOf === 'listener' || reasonOf === 'pointer';
    const around = outer.get(el);
    if (isDrawn && around && isLive(around) && /native|role/.test(why.get(around)) && around.localName !== 'tr') return true;
    const held = inner.get(el).filter(isLive);
    if (reasonOf === 'listener' && areaOf(el) > 0.5 * innerWidth * innerHeight) return true;
    if (reasonOf === 'pointer' && held.length) return true;
    const fills = held.length === 1 && areaOf(held[0]) > 0.6 * areaOf(el);
    if (fills && reasonOf !== 'native' && why.get(held[0]) === 'native') return true;
    return reasonOf === 'listener' && styleOf(el).cursor !== 'pointer' && (held.length > 1 || fills);
  }

  // Who only listens and does not show it to a person is no miss when left out.
  const isShown = (el) => why.get(el) !== 'listener' || styleOf(el).cursor === 'pointer';
  const controls = [...why.keys()].filter((el) => isLive(el) && !isPart(el));
  const numbers = new Map(controls.map((el, index) => [el, index]));
  const said = (el) => (el.getAttribute('aria-label') || el.innerText || el.value || el.placeholder || '').trim().slice(0, 40);

  // The control that a node stands for: itself, its label's, the one around it, the only one in it.
  function match(node) {
    if (numbers.has(node)) return numbers.get(node);
    if (node.localName === 'label' && numbers.has(node.control)) return numbers.get(node.control);
    for (const at of ancestors(node)) if (numbers.has(at)) return numbers.get(at);
    const held = controls.filter((el) => within(el, node));
    if (held.length !== 1) return null;
    const box = node.getBoundingClientRect();
    const target = held[0].getBoundingClientRect();
    const x = box.left + box.width / 2;
    const y = box.top + box.height / 2;
    return x >= target.left && x <= target.right && y >= target.top && y <= target.bottom ? numbers.get(held[0]) : null;
  }

  Object.defineProperty(globalThis, '__truth', { value: { match }, configurable: true });
  return {
    nodes: all.length,
    controls: controls.map((el) => ({ inView: state.get(el) === 'view', counts: isShown(el), tag: el.localName, why: why.get(el), said: said(el) })),
  };
})
