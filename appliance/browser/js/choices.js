// Options of drop-downs: native ones, lists that open, lists that must be searched or scrolled.
const squash = (text) => fold(text).toLowerCase().replace(/[\s ]+/g, '');

// The indexes that the text names: exact ones, else those equal without regard to case and space.
function matches(labels, wanted) {
  const exact = indexesOf(labels, (label) => fold(label) === fold(wanted));
  return exact.length ? exact : indexesOf(labels, (label) => squash(label) === squash(wanted));
}

const indexesOf = (items, test) => items.map((item, i) => (test(item) ? i : -1)).filter((i) => i >= 0);

// The one option that a text names: `Group / Option` where several groups have one of that name.
function pick(options, wanted) {
  const found = matches(options.map((o) => o.label), wanted);
  const groups = [...new Set(found.map((i) => options[i].group))];
  if (found.length && groups.length < 2) return { index: found[0] };
  if (found.length) return { index: -1, groups };
  const whole = matches(options.map((o) => `${o.group} / ${o.label}`), wanted.replace(/\s*[>›»:：/]\s*/, ' / '));
  if (whole.length) return { index: whole[0] };
  // An option with a description below: its first line is its name.
  const said = indexesOf(options, (o) => o.parts?.some((part) => squash(part) === squash(wanted)));
  if (said.length === 1) return { index: said[0] };
  const begun = indexesOf(options, (o) => isBeginning(wanted, o.label));
  return { index: begun.length === 1 ? begun[0] : -1 };
}

// A long option as observations write it, cut: "Generic: a container that…".
function isBeginning(wanted, label) {
  const [, beginning] = /^(.{8,}?)\s*(?:…|\.\.\.)$/.exec(fold(wanted)) || [];
  return beginning !== undefined && fold(label).startsWith(beginning);
}

// How the element's options are chosen, and for a native drop-down the choice itself.
function choose(id, wanted) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  forget();
  if (closest(el, '.themable-select')) return { how: 'menu' };
  lookBefore();
  if (el.localName !== 'select') {
    return { how: el.localName === 'input' && !listBehind(el) && !opensList(el) ? 'typeahead' : 'popup' };
  }
  const options = [...el.options].map((o) => ({ label: fold(o.label || o.text), group: fold(o.closest('optgroup')?.label || ''),
    disabled: o.disabled || !!o.closest('optgroup')?.disabled }));
  const values = [...el.options].map((o) => o.value);
  const named = (text) => {
    const { index, groups } = pick(options, text);
    return groups ? { groups } : { index: index < 0 ? values.indexOf(text) : index };
  };
  const parts = el.multiple && !(named(wanted).index >= 0) ? wanted.split(/\s*[,，、\n;]\s*/).filter(Boolean) : [wanted];
  const picks = parts.map(named);
  const twice = picks.find((found) => found.groups);
  if (twice) return { how: 'ambiguous', groups: twice.groups };
  if (picks.some((found) => found.index < 0)) return { how: 'none', options: options.map((o) => o.label) };
  const chosen = picks.map((found) => found.index);
  if (chosen.some((i) => options[i].disabled)) return { how: 'disabled' };
  el.focus();
  if (el.multiple) [...el.options].forEach((o, i) => { o.selected = chosen.includes(i); });
  else el.selectedIndex = chosen[0];
  fire(el);
  return { how: 'done' };
}

// The option to click in an open menu or list.
function findOption(id, wanted) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  forget();
  const items = optionNodes(el).filter((item) => isRendered(item) && rectOf(item).height >= PX);
  const options = items.map((item) => ({ label: textOf(item) || fold(item.textContent), group: groupOfOption(item), parts: linesOf(item) }));
  const { index, groups } = pick(options, wanted);
  const item = items[index];
  const many = items.some((x) => closest(x, '[aria-multiselectable=true]'));
  return { option: item ? idOf(item) : null, options: options.slice(0, 200).map((o) => o.label), groups: groups || [], many,
    chosen: !!item && (is(item, 'aria-selected') || is(item, 'aria-checked')), disabled: !!item && isDisabled(item) };
}

function groupOfOption(item) {
  const group = closest(item, '[role=group],optgroup');
  if (!group) return '';
  return referenced(group, 'aria-labelledby') || fold(attr(group, 'aria-label') || attr(group, 'label'));
}

function linesOf(item) {
  const lines = [...item.querySelectorAll('*')].filter((x) => x.children.length === 0).map((x) => textOf(x)).filter(Boolean);
  return [...new Set([fold(attr(item, 'aria-label')), ...lines, ...ownText(item)])].filter(Boolean);
}
const ownText = (el) => [...el.childNodes].filter((x) => x.nodeType === 3).map((x) => fold(x.data));

const OPTIONS = '[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem],[data-select-value],'
  + '.dropdown-menu li > a,.dropdown-menu li > button,.dropdown-item,.el-select-dropdown__item,.ant-select-item-option,'
  + '.next-menu-item';

function optionNodes(el) {
  const box = closest(el, '.themable-select');
  if (box) return [...box.querySelectorAll('[data-select-value]')];
  const drawn = listBehind(el) ? drawnEntries(el) : NONE;
  if (drawn.length) return drawn;
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

// The field in which an open list is searched: it takes the focus, or stands beside the options.
function searchField(id) {
  const el = nodeOf(id);
  if (!el) return null;
  const takes = (x) => x && x !== el && kindOfField(x) === 'text' && !x.readOnly && isShown(x);
  const active = deepActive();
  if (takes(active) && !before.has(active)) return idOf(active);
  let at = optionNodes(el)[0];
  for (let up = 0; at && up < 4; at = parentOf(at), up++) {
    const found = [...at.querySelectorAll('input,[contenteditable=true]')].find(takes);
    if (found && !within(el, at)) return idOf(found);
  }
  return null;
}

// Scrolls an open list on: `false` at its end, or when there is nothing to scroll.
function scrollOptions(id, toTop) {
  const el = nodeOf(id);
  let at = el && optionNodes(el).find(isRendered);
  while (at && !(at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(at).overflowY))) at = parentOf(at);
  if (!at || at === document.documentElement || at === document.body) return false;
  const before = at.scrollTop;
  at.scrollTop = toTop ? 0 : before + at.clientHeight * 0.8;
  return at.scrollTop !== before;
}
