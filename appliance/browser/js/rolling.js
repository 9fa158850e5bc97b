// Rows of a list that renders only what is in view: the list is scrolled, as a person does, until they show.
const SHOWN_MS = 1500; // for a list to draw, or to fetch, the rows where it was scrolled to
const STRAIGHT = 12; // tries to come to a row by its number: heights differ, and the room is an estimate
const STRAIGHT_MS = 6000;
let roll = null; // how far the search has come: it may take several calls

// What scrolls a list: the nearest box around it that can, else the page; null when nothing does.
function scrollerOf(el) {
  for (let at = el; at && at !== document.body && at !== document.documentElement; at = parentOf(at)) {
    if (at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  const page = document.scrollingElement;
  return page && page.scrollHeight > page.clientHeight + 1 ? page : null;
}

function windowOf(scroller) {
  if (scroller === document.scrollingElement) return { top: 0, bottom: innerHeight };
  const { top } = scroller.getBoundingClientRect();
  return { top: top + scroller.clientTop, bottom: top + scroller.clientTop + scroller.clientHeight };
}

const standing = (el) => [...rowsOf(el)].filter(isRendered)
  .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);

// Rows that say something stand where the list is looked at now.
function isDrawn(el, scroller) {
  const { top, bottom } = windowOf(scroller);
  const here = rowsOf(el).filter((row) => {
    const rect = row.getBoundingClientRect();
    return rect.bottom > top && rect.top < bottom && rect.height > 0;
  });
  return here.length > 0 && here.every((row) => VISIBLE.test(row.textContent) || row.querySelector('input,img,svg,button')
    || row.getBoundingClientRect().height < 8);
}

// A frame for the list to hear of it, and as long as it takes to draw.
async function redrawn(el, scroller) {
  const end = performance.now() + SHOWN_MS;
  const frame = () => Promise.race([nextFrame(), wait(50)]);
  do {
    await frame();
    forget();
  } while (el.isConnected && !isDrawn(el, scroller) && performance.now() < end);
}

// The words as they are looked for: within one cell however they are spaced, across cells as they are read.
const wantedOf = (words) => ({ squashed: squash(words), said: fold(words).toLowerCase() });

function holds(row, { squashed, said }) {
  if (!squash(row.textContent).includes(squashed)) return false;
  const lines = linesOf(row);
  return lines.some((line) => squash(line).includes(squashed)) || fold(lines.join(' ')).toLowerCase().includes(said);
}

// Whether it says just that, not a part of a longer word: the row of `db-1` is not that of `db-10`.
function isSaidWhole(row, { said: wanted }) {
  const text = fold(linesOf(row).join(' ')).toLowerCase();
  const joins = (a, b) => /[\w-]/.test(a) && /[\w-]/.test(b);
  for (let i = text.indexOf(wanted); i >= 0; i = text.indexOf(wanted, i + 1)) {
    if (!joins(text[i - 1] ?? ' ', wanted[0]) && !joins(wanted.at(-1), text[i + wanted.length] ?? ' ')) return true;
  }
  return false;
}

// Brings a row that holds the words into view. { found }, { more } when the time is up before the end is reached,
// { gone }, { stuck } when nothing scrolls.
async function rollTo(id, words, boundMs, isFirst) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  const scroller = scrollerOf(el);
  if (!scroller) return { stuck: true };
  const end = performance.now() + boundMs;
  if (isFirst || roll?.el !== el) roll = { el, start: scroller.scrollTop, isAgain: false, near: null, rows: 0 };
  const wanted = wantedOf(words);
  while (performance.now() < end) {
    forget();
    const rows = standing(el);
    const held = rows.filter((row) => holds(row, wanted));
    const whole = held.find((row) => isSaidWhole(row, wanted));
    if (whole) return { found: await shown(whole, el, scroller), rows: roll.rows };
    if (held.length) roll.near ??= scroller.scrollTop;
    roll.rows += rows.length;
    if (!await rolled(el, scroller, rows)) return nearlyThat(el, scroller, wanted);
    if (!el.isConnected) return { gone: true };
  }
  return { more: true, rows: roll.rows };
}

// On to the first row that was not rendered yet; after the end, from the beginning to where it began.
async function rolled(el, scroller, rows) {
  const before = scroller.scrollTop;
  if (roll.isAgain && before >= roll.start) return false;
  const { top, bottom } = windowOf(scroller);
  const last = rows.at(-1)?.getBoundingClientRect();
  const step = Math.max((bottom - top) / 2, last ? last.bottom - last.height / 2 - top : 0);
  scroller.scrollTo({ top: before + step, behavior: 'instant' });
  if (scroller.scrollTop <= before) {
    if (roll.isAgain || roll.start <= 0) return false;
    roll.isAgain = true;
    scroller.scrollTo({ top: 0, behavior: 'instant' });
  }
  await redrawn(el, scroller);
  return true;
}

// None says just that: the first that holds it as a part of what it says.
async function nearlyThat(el, scroller, wanted) {
  const { near, rows, start } = roll;
  scroller.scrollTo({ top: near ?? start, behavior: 'instant' });
  await redrawn(el, scroller);
  const row = standing(el).find((one) => holds(one, wanted));
  return near !== null && row ? { found: await shown(row, el, scroller), rows } : { found: null, rows };
}

async function shown(row, el, scroller) {
  const text = rowText(row);
  row.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  await redrawn(el, scroller);
  return text;
}

// Brings the row of that number into view, counted as the list itself says or has drawn room for.
async function rollToRow(id, number) {
  const el = nodeOf(id);
  if (!el) return { gone: true };
  const scroller = scrollerOf(el);
  if (!scroller) return { stuck: true };
  const end = performance.now() + STRAIGHT_MS;
  for (let left = STRAIGHT; left > 0 && performance.now() < end; left--) {
    forget();
    lookThrough();
    const rows = standing(el);
    const { top, bottom } = windowOf(scroller);
    const known = rows.length && virtualOf(el, rowsOf(el), { ...START, scroller: scroller === document.scrollingElement ? null : { top: top * PX, bottom: bottom * PX } });
    if (!known) return { gone: true };
    const at = number - 1 - known.offset;
    if (at >= 0 && at < rows.length) return { found: await topped(rows[at], el, scroller), total: known.total };
    const height = (rows.at(-1).getBoundingClientRect().bottom - rows[0].getBoundingClientRect().top) / rows.length;
    const before = scroller.scrollTop;
    scroller.scrollTo({ top: before + rows[0].getBoundingClientRect().top - top + at * height, behavior: 'instant' });
    if (scroller.scrollTop === before) return { found: null, total: known.total };
    await redrawn(el, scroller);
    if (!el.isConnected) return { gone: true };
  }
  return { found: null };
}

// At the head of the list, so that those after it show, too.
async function topped(row, el, scroller) {
  const text = rowText(row);
  if (scroller !== document.scrollingElement) scroller.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  scroller.scrollBy({ top: row.getBoundingClientRect().top - windowOf(scroller).top, behavior: 'instant' });
  await redrawn(el, scroller);
  return text;
}
