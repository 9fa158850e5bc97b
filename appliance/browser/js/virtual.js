// Lists of which the page itself renders only what is in view: how much there is, as far as it says.

// { total, offset } where more rows are said, or drawn room for, than are rendered; null elsewhere.
function virtualOf(el, rows, ctx) {
  return saidRows(el, rows) || saidItems(rows) || spacedRows(el, rows, ctx);
}

function saidRows(el, rows) {
  if (rows[0].localName !== 'tr' && attr(rows[0], 'role') !== 'row') return null;
  const grid = closest(el, '[aria-rowcount]');
  const count = grid ? Number(attr(grid, 'aria-rowcount')) : 0;
  const heads = grid && rows[0] ? firstRows(grid, 3).filter(isHeaderRow).length : 0;
  if (!(count - heads > rows.length)) return null;
  return { total: count - heads, offset: (Number(attr(rows[0], 'aria-rowindex')) || heads + 1) - heads - 1 };
}

function saidItems(rows) {
  const count = Number(attr(rows[0], 'aria-setsize'));
  if (!(count > rows.length) || rows.some((row) => row.hasAttribute('aria-level'))) return null;
  return { total: count, offset: (Number(attr(rows[0], 'aria-posinset')) || 1) - 1 };
}

// Room without rows above or below them, in a list that scrolls. How many rows fit into it is an estimate.
function spacedRows(el, rows, ctx) {
  if (rows.length > RENDERED_ROWS || ctx.rowNode) return null;
  const height = ctx.scroller ? ctx.scroller.bottom - ctx.scroller.top : view.height;
  const room = roomOf(el, height);
  if (!room || !isEmptyBut(room.at, el, new Set(rows))) return null;
  const heights = rows.slice(0, 12).map((row) => rectOf(row).height).sort((a, b) => a - b);
  const one = heights[heights.length >> 1];
  if (!(one >= 8 * PX) || heights[0] < one * 0.7) return null;
  const tops = rows.map((row) => rectOf(row).top);
  const top = Math.min(...tops);
  const span = Math.max(...tops) + one - top;
  if (span < Math.min(height * 0.7, one * 8) || room.height < span * 1.3) return null;
  return { total: Math.round(room.height / one), offset: Math.max(0, Math.round((top - room.top) / one)) };
}

const RENDERED_ROWS = 300; // a page that saves itself rows renders no more than this

// What is much higher than what it is seen through, around nothing but these rows.
function roomOf(el, height) {
  for (let at = el, up = 0; at && up < 3 && at !== document.body; at = at.parentElement, up++) {
    if (up && !isSpacer(at, el)) return null;
    const whole = rectOf(at);
    const scrolls = /auto|scroll/.test(styleOf(at).overflow);
    const tall = scrolls ? at.scrollHeight * PX : whole.height;
    if (tall > height * 1.5) return { at, top: whole.top - (scrolls ? at.scrollTop * PX : 0), height: tall };
    if (scrolls) return null;
  }
  return null;
}

const isBlank = (el) => !el.childElementCount && !VISIBLE.test(el.textContent);
const isSpacer = (at, el) => [...at.children].every((child) => within(el, child) || isBlank(child));

// The rest of the room must be empty: content of another kind is no row to come.
function isEmptyBut(at, el, rows) {
  return at !== el || [...el.children].every((child) => rows.has(child) || isBlank(child) || isHeaderRow(child) || !isRendered(child));
}

// All rendered rows are listed; where they stand among all is told.
function virtualRows(el, rows, { total, offset }, ctx, scope, state) {
  const [first, last] = inSight([...rows].sort((a, b) => rectOf(a).top - rectOf(b).top), ctx.sight);
  const fold = foldOf(el, rows[0], ctx, scope);
  Object.assign(fold, { kind: 'virtual', total: Math.max(total, rows.length), listed: rows.length,
    first: first <= last ? offset + first + 1 : 0, last: first <= last ? offset + last + 1 : 0 });
  state.folds.push(fold);
  const inside = { ...below(ctx), fold: fold.id };
  for (let child = el.firstElementChild; child; child = child.nextElementSibling) visit(child, inside, scope, state);
  return true;
}
