// Drawn lists: select2, Chosen, Selectize and their kind hide a native list, which keeps its label and what is chosen,
// and draw their own beside it or around it.
const TAKES_FOCUS = '[role=combobox],[tabindex="0"],input:not([type=hidden]),button,a';

// The native list that a control is drawn for; null for nearly all.
const listBehind = (el) => drawnList(el)?.select || null;
const drawnList = (el) => (drawnLists ??= allDrawnLists()).get(el);

function allDrawnLists() {
  const found = new Map();
  for (const root of roots()) {
    for (const select of root.querySelectorAll('select')) {
      const drawn = isShown(select) || select.closest('.themable-select') ? null : drawnFor(select);
      if (drawn) found.set(drawn.el, drawn);
    }
  }
  return found;
}

function drawnFor(select) {
  for (let at = select, up = 0; at && up < 2; at = at.parentElement, up++) {
    if (up && !isShown(at)) return null;
    for (const box of [at.nextElementSibling, at.previousElementSibling]) {
      const el = box && isShown(box) ? firstFocus(box) : null;
      if (el && standsFor(el, box, select)) return { el, box, select };
    }
  }
  return null;
}

// Once something is chosen, the field may be gone from sight: then its box is what is clicked.
function firstFocus(box) {
  if (box.matches(TAKES_FOCUS)) return box;
  const inner = [...box.querySelectorAll(TAKES_FOCUS)];
  return inner.find(isShown) || inner.map(parentOf).find(isShown) || null;
}

// Whether it shows what is chosen, has the same options, or follows and is a list or a field without any other label.
function standsFor(el, box, select) {
  const options = textsOf(select.options);
  const chosen = textsOf(select.selectedOptions);
  const said = fold(el.innerText);
  if (chosen.length && chosen.every((text) => said.includes(text))) return true;
  if (options.includes(said) || (options.length > 1 && options.every((option) => box.textContent.includes(option)))) return true;
  if (!(box.compareDocumentPosition(select) & Node.DOCUMENT_POSITION_PRECEDING)) return false;
  if (el.localName === 'input') return !el.name && (labelsOf(el).length === 0 || (select.id !== '' && el.id.startsWith(select.id)));
  return (attr(el, 'role') === 'combobox' || attr(el, 'aria-haspopup') === 'listbox') && !ownLabel(el);
}

const textsOf = (options) => [...options].map((option) => fold(option.text)).filter(Boolean);

// What it points to as its label, as far as that is not what it shows itself.
function ownLabel(el) {
  const refs = attr(el, 'aria-labelledby').split(/\s+/).map((id) => byId(el, id)).filter((ref) => ref && !within(ref, el));
  return unstar(refs.map((ref) => textOf(ref)).join(' '));
}

// Its entries as they are drawn: what says the same as an option of the native list. What shows the one that is chosen
// says that too, but stands alone.
function drawnEntries(el) {
  const { box, select } = drawnList(el);
  const options = new Set(textsOf(select.options));
  if (options.size < 2) return NONE; // they are fetched when it is opened
  const same = [...box.querySelectorAll('li,div,a,button,span')].filter((item) => options.has(fold(item.textContent)) && isShown(item));
  const lines = same.filter((item) => !same.some((other) => other !== item && within(item, other))).map(lineOf);
  return lines.filter((line) => lines.some((other) => other !== line && other.parentElement === line.parentElement));
}

const lineOf = (item) => (item.parentElement?.childElementCount === 1 ? lineOf(item.parentElement) : item);

// Where it has no label of its own, it has that of the native one: what it says of itself is mostly what is chosen.
function drawnListName(el, select) {
  return ownLabel(el) || fieldName(select) || fold(attr(select, 'aria-label')) || groupText(select) || nearText(select);
}
