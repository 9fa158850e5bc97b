// Calendars that pop up: which month they show, and what to click for a day.
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CALENDARS = '[role=grid],[role=dialog],[role=application],table,[class*=calendar],[class*=Calendar],[class*=datepicker],[class*=date-picker],[class*=DatePicker]';
const OUTSIDE = /(^|[\s_-])(other|outside|outer|adjacent|old|new|muted|prev-month|next-month|off)([\s_-]|$)|prevMonthDay|nextMonthDay/i;

function monthIn(text) {
  const said = fold(text);
  const chinese = /(\d{4})\s*年\s*(\d{1,2})\s*月/.exec(said) || /\b(\d{4})[-/.](\d{1,2})\b(?![-/.]\d)/.exec(said);
  if (chinese) return { year: Number(chinese[1]), month: Number(chinese[2]) };
  const english = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s+(\d{4})\b/i.exec(said)
    || /\b(\d{4})\s+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*/i.exec(said);
  if (!english) return null;
  const [name, year] = /^\d/.test(english[1]) ? [english[2], english[1]] : [english[1], english[2]];
  return { year: Number(year), month: MONTHS.indexOf(name.toLowerCase()) + 1 };
}

const dayCells = (box) => [...box.querySelectorAll('td,button,[role=gridcell],span,div,a')]
  .filter((el) => /^\d{1,2}$/.test(fold(el.textContent)) && Number(fold(el.textContent)) <= 31 && isShown(el)
    && ![...el.children].some((child) => fold(child.textContent) === fold(el.textContent) && isShown(child)));

// The smallest shown box with a month's days and the words that say which month it is.
function calendarBox() {
  const boxes = roots().flatMap((root) => [...root.querySelectorAll(CALENDARS)]).filter((el) => isShownBox(el));
  const found = [];
  for (let box of boxes) {
    if (dayCells(box).length < 28) continue;
    for (let up = 0; box && up < 4; box = parentOf(box), up++) {
      if (shownMonth(box)) {
        found.push(box);
        break;
      }
    }
  }
  return found.sort((a, b) => a.querySelectorAll('*').length - b.querySelectorAll('*').length)[0] || null;
}

function shownMonth(box) {
  const [month, year] = [monthSelect(box), yearSelect(box)];
  if (month && year) return { year: Number(fold(year.selectedOptions?.[0]?.text ?? year.value)), month: month.selectedIndex + 1 };
  return monthIn(textOf(box)) || monthIn([...box.querySelectorAll('select,input')].map((x) => x.selectedOptions?.[0]?.text ?? x.value).join(' '));
}

const monthSelect = (box) => [...box.querySelectorAll('select')].find((x) => x.options.length === 12);
const yearSelect = (box) => [...box.querySelectorAll('select,input')].find((x) => /^\d{4}$/.test(fold(x.selectedOptions?.[0]?.text ?? x.value ?? '')));

function turner(box, forward, byYear) {
  const words = forward ? /next|forward|›|»|→|❯|>|下|后/i : /prev|back|‹|«|←|❮|<|上|前/i;
  const year = /year|»|«|double|super|年|>>|<</i;
  const said = (el) => `${attr(el, 'aria-label')} ${attr(el, 'title')} ${attr(el, 'data-action')} ${classOf(el)} ${fold(el.textContent)} ${iconName(el)}`;
  const buttons = [...box.querySelectorAll('button,a,[role=button],th,[class*=next],[class*=prev]')]
    .filter((el) => isShown(el) && words.test(said(el)) && !/^\d+$/.test(fold(el.textContent)) && year.test(said(el)) === byYear);
  return buttons.find((el) => !isDisabled(el)) || null;
}

function calendar(id, year, month, day) {
  forget();
  const box = calendarBox();
  if (!box) return { open: false };
  const shown = shownMonth(box);
  const away = (year - shown.year) * 12 + month - shown.month;
  const turn = away && (turner(box, away > 0, Math.abs(away) >= 12) || turner(box, away > 0, false));
  const step = turn && Math.abs(away) >= 12 && turn === turner(box, away > 0, true) ? 12 : 1;
  const cell = away ? null : dayOf(box, year, month, day);
  return { open: true, away, turn: turn ? idOf(turn) : null, step, shown: `${shown.year}-${String(shown.month).padStart(2, '0')}`,
    day: cell ? idOf(cell) : null, disabled: !!cell && isDisabled(cell) };
}

function dayOf(box, year, month, day) {
  const cells = dayCells(box).filter((el) => Number(fold(el.textContent)) === day);
  const iso = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const dated = cells.find((el) => [...el.attributes, ...(el.parentElement?.attributes || [])].some((a) => a.value.startsWith(iso)));
  if (dated) return dated;
  const inside = cells.filter((el) => !OUTSIDE.test(classOf(el)) && !OUTSIDE.test(classOf(el.parentElement)));
  // The days of the month before stand first, those of the month after last.
  return day > 15 ? inside[inside.length - 1] || null : inside[0] || null;
}
