// All that a page writes in letters, as one text, and where a part of it stands. Which part is a secret, whoever asks
// knows: no secret is ever told to a page.
const UNWRITTEN = new Set(['script', 'style', 'noscript', 'template', 'title']);
const UNSHOWN = new Set(['class', 'id', 'style', 'href', 'src', 'srcdoc', 'srcset', 'd', 'points', 'type', 'name', 'for', 'role', 'rel',
  'width', 'height', 'viewBox', 'fill', 'stroke', 'transform', 'xmlns', 'tabindex', 'colspan', 'rowspan', 'content']);
const APART = '\u0001'; // no secret runs across it
const LEAST = 3; // characters of an attribute that may be one

let textOfNodes = { at: -1, roots: 0, text: '', parts: [] }; // as it was after so many changes
let reading = { text: '', parts: [], name: '' };
let readings = 0;

// What is written now; only its name where the asker holds it already.
function written(held) {
  const around = roots();
  if (textOfNodes.at !== mutated || textOfNodes.roots !== around.length) textOfNodes = { at: mutated, roots: around.length, ...readNodes(around) };
  const parts = [...textOfNodes.parts];
  const texts = [textOfNodes.text];
  let length = textOfNodes.text.length;
  // What fields hold changes without a sign.
  for (const root of around) {
    for (const field of root.querySelectorAll('input,textarea')) {
      if (!field.value || field.type === 'hidden') continue;
      parts.push([length += 1, field]);
      texts.push(field.value);
      length += field.value.length;
    }
  }
  const text = texts.join(APART).toWellFormed();
  if (text !== reading.text || !reading.name) reading = { text, parts, name: `${DOCUMENT} ${readings += 1}` };
  reading.parts = parts;
  return held.includes(reading.name) ? { name: reading.name } : { name: reading.name, text };
}

// Text nodes follow each other as they are read, whatever elements they are in; attributes stand alone.
function readNodes(around) {
  const parts = [];
  const texts = [];
  let length = 0;
  const add = (text, what) => {
    parts.push([length, what]);
    texts.push(text);
    length += text.length;
  };
  const said = [];
  for (const root of around) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    let isWritten = true;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === 3) {
        if (isWritten || !UNWRITTEN.has(node.parentNode.localName)) add(node.data, node);
      } else {
        isWritten = !UNWRITTEN.has(node.localName);
        if (node.hasAttributes()) saidBy(node, said);
      }
    }
    add(APART, null);
  }
  for (const [node, name, value] of said) {
    add(value, [node, name]);
    add(APART, null);
  }
  return { text: texts.join(''), parts };
}

function saidBy(el, said) {
  for (const name of el.getAttributeNames()) {
    if (UNSHOWN.has(name)) continue;
    const value = el.getAttribute(name);
    if (value.length >= LEAST) said.push([el, name, value]);
  }
}

// The boxes of some stretches of what was written, in the viewport; null when that was another reading.
function boxesOf(name, stretches) {
  if (name !== reading.name) return null;
  forget();
  const boxes = [];
  for (const [start, end] of stretches) {
    for (let i = partAt(start); i < reading.parts.length && reading.parts[i][0] < end; i++) {
      const [begin, what] = reading.parts[i];
      if (!what) continue;
      if (Array.isArray(what)) boxes.push(...boxesOfAttribute(...what));
      else if (what.nodeType === 3) boxes.push(...boxesOfText(what, Math.max(start - begin, 0), Math.min(end - begin, what.data.length)));
      else boxes.push(...boxesOfElement(what));
    }
  }
  return boxes;
}

function partAt(offset) {
  let low = 0;
  let high = reading.parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (reading.parts[middle][0] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function boxesOfText(node, start, end) {
  const el = node.parentElement || hostOf(node);
  if (!el || start >= end) return [];
  const select = closest(el, 'select');
  if (select) return boxesOfElement(select);
  if (getComputedStyle(el).visibility !== 'visible') return [];
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  const shadow = shadowReach(el);
  return [...range.getClientRects()].flatMap((rect) => shownPart(rect, el, shadow));
}

const boxesOfElement = (el) => (isRendered(el) ? shownPart(el.getBoundingClientRect(), el, 0) : []);

// Attributes are written where a style sheet says so, or instead of a picture, in a field, in a list.
function boxesOfAttribute(el, name) {
  if (name === 'alt' && el.matches('img,input,area,object')) return boxesOfElement(el);
  if (name === 'placeholder' && el.matches('input,textarea')) return boxesOfElement(el);
  if (name === 'label' && closest(el, 'select')) return boxesOfElement(closest(el, 'select'));
  return ['::before', '::after', '::marker'].flatMap((pseudo) => boxesOfPseudo(el, pseudo));
}

function boxesOfPseudo(el, pseudo) {
  const style = getComputedStyle(el, pseudo);
  const isThere = style.content !== 'none' && style.content !== 'normal' && style.display !== 'none' && style.visibility === 'visible';
  if (!isThere || !isRendered(el)) return [];
  // Nobody says where it is: beside its element it may be anywhere.
  if (style.position === 'absolute' || style.position === 'fixed' || pseudo === '::marker' || style.transform !== 'none') return [[0, 0, innerWidth, innerHeight]];
  const rect = el.getBoundingClientRect();
  return shownPart(new DOMRect(rect.x, rect.y, Math.max(rect.width, el.scrollWidth), Math.max(rect.height, el.scrollHeight)), el, 0);
}

// How far a text's shadow may lie from it: that can be read, too.
function shadowReach(el) {
  const { textShadow } = getComputedStyle(el);
  return textShadow === 'none' ? 0 : Math.max(...(textShadow.match(/-?[\d.]+px/g) || []).map((px) => Math.abs(parseFloat(px)))) * 2;
}

const CLIPS = /^(block|flow-root|inline-block|flex|inline-flex|grid|inline-grid|list-item|table-cell)$/;

// The part of a box that can be seen through what scrolls or clips it, and is in the viewport.
function shownPart(rect, el, reach) {
  let [left, top, right, bottom] = [rect.left - reach, rect.top - reach, rect.right + reach, rect.bottom + reach];
  if (!rect.width || !rect.height) return [];
  const within = (box) => {
    [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
  };
  within({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  for (let at = el; at && at !== document.body && at !== document.documentElement; at = parentOf(at)) {
    const { display, overflowX, overflowY, position } = getComputedStyle(at);
    if (overflowX !== 'visible' && overflowY !== 'visible' && CLIPS.test(display)) within(at.getBoundingClientRect());
    if (position === 'absolute' || position === 'fixed') break; // what it lies in need not clip it
  }
  return right > left && bottom > top ? [[left, top, right - left, bottom - top]] : [];
}

// Boxes of a frame's viewport in the one around it; null: all of it. So is what is scaled or turned.
function outOf(id, boxes) {
  const iframe = nodeOf(id);
  if (!iframe) return null;
  const rect = iframe.getBoundingClientRect();
  const isPlain = Math.abs(rect.width - iframe.offsetWidth) < 1 && Math.abs(rect.height - iframe.offsetHeight) < 1;
  if (!boxes || !isPlain) return boxesOfElement(iframe);
  const { x, y } = frameBox(id, false);
  return isRendered(iframe) ? boxes.flatMap(([left, top, width, height]) => shownPart(new DOMRect(x + left, y + top, width, height), iframe, 0)) : [];
}
