// Long tables and lists: the rows in view and those nearest to them are listed, the others only counted.
const LONG = 60; // rows up to which a table or list is listed in full where a part of it is in view
const NEAR = 30; // rows of a longer one besides those in view
const SHORT = 20; // siblings of one kind that are no list to be counted, wherever they are
const FAR_ROWS = 100; // rows of all those that are out of view, together
const FAR_LEAST = 10;
const ASKED = 100; // rows more that one may ask for
const ROW_ROLES = /^(row|option|listitem|treeitem|article|menuitem)$/;
const ROW_TAGS = /^(tr|li|dt|tbody)$/;

// Visits what a container holds, when it holds rows to be counted; returns whether it did.
function visitRows(el, ctx, scope, state) {
  if (ctx.inControl || el.childElementCount < 5 || isRow(el)) return false;
  const rows = rowsOf(el);
  if (rows.length < 5) return false;
  const unseen = virtualOf(el, rows, ctx);
  if (!unseen && rows.length <= SHORT) return false;
  if (unseen) return virtualRows(el, rows, unseen, ctx, scope, state);
  const shown = rendered(rows);
  if (!shown.length) return false;
  const [first, last] = inSight(shown, ctx.sight);
  const quota = first <= last ? (shown.length <= LONG ? LONG : last - first + 1 + NEAR) : Math.max(FAR_LEAST, state.rowsLeft);
  if (first > last) state.rowsLeft -= Math.min(quota, shown.length);
  if (shown.length <= quota) return false;
  const listed = nearest(shown, first, last, quota);
  for (const row of askedFor(state.unfold[idOf(el)] || [], shown, listed)) listed.add(row);
  if (behind(el, ctx, state)) return false;
  const fold = foldOf(el, rows[0], ctx, scope);
  Object.assign(fold, { total: shown.length, listed: listed.size, first: first <= last ? first + 1 : 0, last: first <= last ? last + 1 : 0 });
  state.folds.push(fold);
  visitListed(el, rows, listed, { ...below(ctx), fold: fold.id }, scope, state);
  return true;
}

// The children of the kind that there is most of; rows that are all headers are none.
function rowsOf(el) {
  const kinds = new Map();
  let best = null;
  for (let child = el.firstElementChild; child; child = child.nextElementSibling) {
    const kind = rowKind(child);
    let list = kinds.get(kind);
    if (!list) kinds.set(kind, list = []);
    list.push(child);
    if (!best || list.length > best.length) best = list;
  }
  if (!best || kinds.size > 12) return [];
  return best.length && isHeaderRow(best[0]) ? best.slice(1) : best;
}

function rowKind(el) {
  const role = el.getAttribute('role');
  if (role && ROW_ROLES.test(role)) return role;
  return ROW_TAGS.test(el.localName) ? el.localName : `${el.localName}.${el.getAttribute('class') || ''}`;
}

const isHeaderRow = (row) => someChild(row, isHeaderCell) && !someChild(row, isCell);

// Rows that a filter hides are not counted; in very long tables a sample tells whether there are any.
function rendered(rows) {
  const some = rows.length > 2000 ? sample(rows, 64) : rows;
  return some.every((row) => row.checkVisibility()) ? rows : rows.filter((row) => row.checkVisibility());
}

const sample = (rows, count) => Array.from({ length: count }, (_, i) => rows[Math.floor((i * (rows.length - 1)) / (count - 1))]);

// The first and last row in view; first > last when none is. Rows that follow each other downwards are
// searched by halves: measuring all of them would cost more than all the rest.
function inSight(rows, sight) {
  const some = sample(rows, 16).map((row) => rectOf(row).top);
  if (some.some((top, i) => i && top < some[i - 1])) return inSightOfAll(rows, sight);
  const first = firstWhere(rows, (row) => rectOf(row).bottom > sight.top + PX);
  return [first, firstWhere(rows, (row) => rectOf(row).top >= sight.bottom - PX) - 1];
}

function firstWhere(rows, holds) {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(rows[middle])) to = middle;
    else from = middle + 1;
  }
  return from;
}

function inSightOfAll(rows, sight) {
  const seen = rows.map((row) => rectOf(row).bottom > sight.top + PX && rectOf(row).top < sight.bottom - PX);
  return seen.includes(true) ? [seen.indexOf(true), seen.lastIndexOf(true)] : [0, -1];
}

// The rows in view, and as many as may be listed of those before and after them.
function nearest(rows, first, last, quota) {
  const seen = Math.max(0, last - first + 1);
  const more = Math.max(0, quota - seen);
  const at = Math.min(first, rows.length);
  const before = Math.min(at, Math.max(Math.floor(more / 2), more - (rows.length - at - seen)));
  return new Set(rows.slice(at - before, at + seen + more - before));
}

function* askedFor(asks, rows, listed) {
  let left = ASKED;
  for (const ask of asks) {
    const words = ask.containing === undefined ? null : squash(ask.containing);
    const found = words === null ? rows.slice(Math.max(0, ask.from - 1), ask.to)
      : rows.filter((row) => squash(row.textContent).includes(words));
    for (const row of found) if (!listed.has(row) && left-- > 0) yield row;
  }
}

// What stands between rows goes with the one before it; what follows the last is always seen.
function visitListed(el, rows, listed, ctx, scope, state) {
  if (rows.length === el.childElementCount) {
    for (const row of rows) if (listed.has(row)) visit(row, ctx, scope, state);
    return;
  }
  const all = new Set(rows);
  let left = all.size;
  let keep = true;
  for (let child = el.firstElementChild; child; child = child.nextElementSibling) {
    const isOne = all.has(child);
    if (isOne) left -= 1;
    keep = isOne ? listed.has(child) : keep || (left === 0 && child.localName !== 'dd');
    if (keep) visit(child, ctx, scope, state);
  }
}

function foldOf(el, row, ctx, scope) {
  const isGrid = /^(tr|tbody)$/.test(row.localName) || attr(row, 'role') === 'row';
  const fold = { id: idOf(el), kind: isGrid ? 'table' : 'list', name: foldName(el) || scope.heading };
  if (ctx.columns?.some(Boolean)) fold.columns = ctx.columns;
  if (ctx.dialog !== null) fold.dialog = ctx.dialog;
  return fold;
}

function foldName(el) {
  const table = closest(el, TABLES) || el;
  for (const named of [el, table]) {
    const name = referenced(named, 'aria-labelledby') || fold(attr(named, 'aria-label'));
    if (name) return name;
  }
  return table.caption ? textOf(table.caption) : '';
}
