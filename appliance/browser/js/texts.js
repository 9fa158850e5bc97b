// Visible texts that are not controls.
const BLOCKS = /^(block|flex|grid|table|list-item|flow-root|table-cell|table-row)/;

function pushText(state, ctx, kind, text, el, extra = null) {
  if (!text) return;
  const rect = ctx.far || rectOf(el);
  const entry = { kind, text: cap(text, 500), box: [rect.left, rect.top, rect.width, rect.height] };
  if (ctx.dialog !== null) entry.dialog = ctx.dialog;
  if (ctx.row !== null) entry.row = numbered(state.rows, ctx.row);
  if (ctx.column) entry.column = ctx.column;
  if (ctx.fold) entry.fold = ctx.fold;
  state.texts.push(extra ? Object.assign(entry, extra) : entry);
}

// Emits the text that starts at `el`.
function readable(el, style, ctx, scope, state) {
  if (state.modal !== null && behind(el, ctx, state) && !el.matches(NOTICES)) return;
  if (ctx.columns && style.part & HEADER && !ctx.quiet && !hiddenHere(el, style, ctx)) {
    pushText(state, ctx, 'column_header', textOf(el), el);
    ctx.quiet = true;
  }
  if (style.role === 'tooltip' && isShown(el)) {
    pushText(state, ctx, 'text', textOf(el), el);
    ctx.quiet = true;
  }
  // Some messages go away when they are clicked.
  if (ctx.inControl === el && !ctx.quiet && controlRole(el, style) === null && isNotice(el, style)) return void notice(el, style, ctx, scope, state);
  if (ctx.quiet || ctx.inControl || style.tag === 'img' || style.tag === 'svg') return;
  const said = sayingOf(el, style, ctx);
  if (said !== null && !isAway(el, style, ctx)) said(el, style, ctx, scope, state);
}

const TEXTLESS = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'ul', 'ol', 'dl']);

// How the text of an element is told; null when it has none of its own.
function sayingOf(el, style, ctx) {
  if (isNotice(el, style)) return notice;
  if (headingLevel(el, style)) return heading;
  return kindOf(el, style, ctx) || (!TEXTLESS.has(style.tag) && hasOwnText(el, style)) ? plain : null;
}

function isAway(el, style, ctx) {
  if (style.display === 'contents') return false;
  if (ctx.far) return ctx.faint || style.visibility !== 'visible';
  const { rect } = style;
  return rect.width * rect.height > 0 && hiddenHere(el, style, ctx);
}

function notice(el, style, ctx, scope, state) {
  pushText(state, ctx, 'notice', textOf(el, (x) => x.matches('.close,[data-dismiss]')), el, { tone: toneOf(el) });
  ctx.quiet = true;
  ctx.region = 'alert';
}

function heading(el, style, ctx, scope, state) {
  const text = headingText(el);
  if (!text) return;
  const title = ctx.dialog !== null && text === ctx.dialog;
  scope.heading = text;
  pushText(state, ctx, title ? 'dialog_title' : 'heading', text, el, { level: headingLevel(el, style) });
  ctx.quiet = true;
}

function plain(el, style, ctx, scope, state) {
  const kind = kindOf(el, style, ctx);
  if (kind) {
    const text = kind === 'label' ? labelText(el) : kind === 'cell' ? rowCell(el) : textOf(el);
    pushText(state, ctx, kind, text, el);
    ctx.quiet = true;
    return;
  }
  pushText(state, ctx, 'text', textOf(el, (x) => BLOCKS.test(styleOf(x).display) || isButtonLike(x)), el);
  ctx.quiet = !el.firstElementChild || !el.querySelector('p,div,ul,ol,table,section,h1,h2,h3,h4,h5,h6,dl');
}

function kindOf(el, { tag, about, part }, ctx) {
  if (about.likeError && el.matches(ERRORS)) return 'error';
  if (tag === 'label' || tag === 'legend' || tag === 'dt') return 'label';
  if (!ctx.rowNode || !(part & CELL) || (el.firstElementChild && el.querySelector('table,form'))) return null;
  return el.parentElement.childElementCount === 1 && el.colSpan > 1 ? 'text' : 'cell';
}
