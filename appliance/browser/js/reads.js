// The text a person reads in an element.
// Icon fonts use the private use areas; zero-width characters are not read by anyone.
// Joiners are part of the writing where they stand between signs that they join.
const GLYPHS = /[\u200b\u2060\ufeff\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]|(?<![\u0600-\uffff])[\u200c\u200d]|[\u200c\u200d](?![\u0600-\uffff])/g;
const FOLDED = /^[!-~]+(?: [!-~]+)*$/; // as most texts are already
const fold = (text) => (text === '' || FOLDED.test(text) ? text : text.replace(GLYPHS, '').replace(/\s+/g, ' ').trim());
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'canvas', 'iframe', 'object',
  'video', 'audio', 'datalist', 'head', 'select', 'textarea', 'input', 'option']);
const TEXT_CAP = 2000;

// `skip` leaves out descendants, or puts a text in their place; `unseen` also takes what is there for
// screen readers only.
function textOf(el, skip = null, unseen = false, style = styleOf(el)) {
  const isPlain = skip === null && !unseen;
  if (isPlain && style.text !== undefined) return style.text;
  const text = fold(rawText(el, style, skip, unseen));
  if (isPlain) style.text = text;
  return text;
}

function rawText(el, style, skip, unseen) {
  if (el.firstElementChild === null && !style.isSlotted) return el.textContent.slice(0, 2 * TEXT_CAP);
  const out = { text: '', unseen, skip };
  gather(el, style, out);
  return out.text;
}

function gather(el, style, out) {
  if (style.isSlotted) {
    for (const child of childrenOf(el)) gatherNode(child, out);
    return;
  }
  for (let child = el.firstChild; child && out.text.length <= TEXT_CAP; child = child.nextSibling) gatherNode(child, out);
}

function gatherNode(node, out) {
  if (node.nodeType === 3) out.text += node.data;
  else if (node.nodeType === 1) gatherElement(node, out);
}

function gatherElement(child, out) {
  const style = styleOf(child);
  const skipped = (out.skip !== null && out.skip(child)) || SILENT.has(style.tag);
  if (skipped) {
    out.text += typeof skipped === 'string' ? ` ${skipped} ` : ' ';
    return;
  }
  const display = style.display;
  if (display === 'none' || style.visibility === 'collapse') return;
  if (style.marks && (style.about.isIcon || (!out.unseen && isParked(style)))) return;
  if (style.tag === 'br') out.text += ' ';
  const inline = display === 'inline' || display === 'contents';
  if (!inline) out.text += ' ';
  if (style.visibility === 'hidden') gatherHidden(child, out);
  else if (child.firstElementChild === null && !style.isSlotted) out.text += child.textContent;
  else gather(child, style, out);
  if (!inline) out.text += ' ';
}

const isParked = (style) => style.position === 'absolute' && isClipped(style);

// What is hidden may hold what is not.
function gatherHidden(el, out) {
  for (const sub of childrenOf(el)) if (sub.nodeType === 1) gatherElement(sub, out);
}

const VISIBLE = /[^\s\u200b-\u200d\u2060\ufeff\ue000-\uf8ff]/;
const isSaid = (text) => /[!-~]/.test(text) || (VISIBLE.test(text) && fold(text) !== '');

function hasOwnText(el, style) {
  if (style.isSlotted) return [...childrenOf(el)].some((child) => child.nodeType === 3 && isSaid(child.data));
  for (let child = el.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3 && isSaid(child.data)) return true;
  }
  return false;
}
