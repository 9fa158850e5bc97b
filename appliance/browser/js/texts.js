// Visible texts that are not controls.
const BLOCKS = /^(block|flex|grid|table|list-item|flow-root|table-cell|table-row)/;

function pushText(state, ctx, kind, text, el, extra = {}) {
  if (!text) return;
  const rect = el.getBoundingClientRect();
  state.texts.push({ kind, text: cap(text, 500), dialog: ctx.dialog, row: ctx.row, column: ctx.column,
    box: [rect.left, rect.top, rect.width, rect.height], ...extra });
}

// Emits the text that starts at `el`; returns whether the subtree has been dealt with.
function readable(el, style, ctx, scope, state) {
  if (state.modal && !within(el, state.modal) && !within(state.modal, el) && !el.matches(NOTICES)) return false;
  if (ctx.columns && isHeaderCell(el) && !ctx.quiet && !hiddenHere(el, ctx, rectOf(el))) {
    pushText(state, ctx, 'column_header', textOf(el), el);
    ctx.quiet = true;
  }
  if (attr(el, 'role') === 'tooltip' && isShown(el)) {
    pushText(state, ctx, 'text', textOf(el), el);
    ctx.quiet = true;
  }
  if (ctx.quiet || ctx.inControl) return false;
  const rect = rectOf(el);
  if (style.display !== 'contents' && hiddenHere(el, ctx, rect) && rect.width * rect.height > 0) return false;
  if (el.localName === 'img' || el.localName === 'svg') return false;
  if (isNotice(el)) {
    pushText(state, ctx, 'notice', textOf(el, (x) => x.matches('.close,[data-dismiss]')), el, { tone: toneOf(el) });
    ctx.quiet = true;
    ctx.region = 'alert';
    return false;
  }
  const level = headingLevel(el);
  if (level) return heading(el, level, ctx, scope, state);
  return plain(el, ctx, state);
}

function heading(el, level, ctx, scope, state) {
  const text = headingText(el);
  if (!text) return false;
  const title = ctx.dialog !== null && text === ctx.dialog;
  scope.heading = text;
  pushText(state, ctx, title ? 'dialog_title' : 'heading', text, el, { level });
  ctx.quiet = true;
  return false;
}

function plain(el, ctx, state) {
  const kind = kindOf(el, ctx);
  if (kind) {
    const text = kind === 'label' ? labelText(el) : kind === 'cell' ? rowCell(el) : textOf(el);
    pushText(state, ctx, kind, text, el);
    ctx.quiet = true;
    return false;
  }
  if (!hasOwnText(el)) return false;
  pushText(state, ctx, 'text', textOf(el, (x) => BLOCKS.test(styleOf(x).display) || isButtonLike(x)), el);
  ctx.quiet = !el.querySelector('p,div,ul,ol,table,section,h1,h2,h3,h4,h5,h6,dl');
  return false;
}

function kindOf(el, ctx) {
  if (el.matches(ERRORS)) return 'error';
  if (/^(label|legend|dt)$/.test(el.localName)) return 'label';
  if (!ctx.rowNode || !isCell(el) || el.querySelector('table,form')) return null;
  return el.parentElement.childElementCount === 1 && el.colSpan > 1 ? 'text' : 'cell';
}

function hasOwnText(el) {
  for (const child of childrenOf(el)) if (child.nodeType === 3 && fold(child.data)) return true;
  return false;
}
