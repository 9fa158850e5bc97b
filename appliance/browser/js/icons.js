// What an icon looks like: as its class, its address or its letters say, or as it is drawn.
const DRAWN = 'path,circle,ellipse,rect,line,polyline,polygon';
const GEOMETRY = ['d', 'points', 'cx', 'cy', 'r', 'rx', 'ry', 'x', 'y', 'width', 'height', 'x1', 'y1', 'x2', 'y2'];
const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?`;
const SEPARATED = String.raw`\s*,?\s*`;
const TOKEN = new RegExp(`[a-df-z]|${NUMBER}`, 'gi');
const ARC = new RegExp(`(${NUMBER})${SEPARATED}(${NUMBER})${SEPARATED}(${NUMBER})${SEPARATED}([01])${SEPARATED}([01])${SEPARATED}(?=[-+.\\d])`, 'gi');

// Geometry in one spelling of its numbers, spaces and commands: 07.50 is 7.5, the flags of an arc may stand without a
// space, and a command without a letter is the one before it, or a line after a move.
function spelled(geometry) {
  const apart = geometry.replace(/a[^a-df-z]*/gi, (arc) => arc[0] + arc.slice(1).replace(ARC, '$1 $2 $3 $4 $5 '));
  const out = [];
  let command = '', given = 0, line = '';
  for (const token of apart.match(TOKEN) || NONE) {
    const isMove = /^m$/i.test(token);
    if (isMove || /[a-z]$/i.test(token)) {
      if (isMove || token !== command) out.push(out.length ? token.replace('Z', 'z') : token.toUpperCase());
      command = token;
      given = 0;
      line = isMove ? (token === 'm' ? 'l' : 'L') : '';
    } else {
      if (line && given === 2) out.push(command = line);
      out.push(Number(token));
      given += 1;
    }
  }
  return out.join(' ');
}

// The empty box that some libraries draw around all.
const WHOLE_BOX = /^d:M 0 0 [hH] (\d+) [vV] \1 (?:[hH] (?:0|-\1) (?:[vV] 0 )?)?z$/;
const isEmptyBox = (part) => part.localName === 'rect' && !part.hasAttribute('x') && /^(none)?$/.test(attr(part, 'fill'));
const HELD = 'defs,mask,clipPath,pattern,linearGradient';

// What is drawn in an svg, part by part.
function drawingOf(svg) {
  const parts = [];
  for (const part of svg.querySelectorAll(DRAWN)) {
    if (part.closest(HELD) || isEmptyBox(part)) continue;
    const told = GEOMETRY.filter((name) => part.hasAttribute(name)).map((name) => `${name}:${spelled(attr(part, name))}`).join(' ');
    if (told && !WHOLE_BOX.test(told)) parts.push(told);
  }
  return parts.join('|');
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-';
const SHAPE_LENGTH = 5;

// A drawing in five letters: 30 bits of FNV-1a.
function shapeOf(drawing) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < drawing.length; i++) hash = Math.imul(hash ^ drawing.charCodeAt(i), 0x01000193);
  let said = '';
  for (let bits = 2; bits < 32; bits += 6) said += LETTERS[(hash >>> bits) & 63];
  return said;
}

let lookOfShape = null; // made where a page has the first drawing that nothing else names

function allShapes() {
  const found = new Map();
  for (const [look, shapes] of Object.entries(SHAPES)) {
    for (let at = 0; at < shapes.length; at += SHAPE_LENGTH) found.set(shapes.slice(at, at + SHAPE_LENGTH), look);
  }
  return found;
}

const DRAWINGS_KEPT = 1000;
let drawings = new Map(); // looks by what is in an svg: the same few are drawn again and again

function lookOfDrawing(svg) {
  const written = svg.innerHTML;
  let look = drawings.get(written);
  if (look === undefined) {
    if (drawings.size >= DRAWINGS_KEPT) drawings = new Map();
    drawings.set(written, look = (lookOfShape ??= allShapes()).get(shapeOf(drawingOf(svg))) || '');
  }
  return look;
}

// A look as the address of a picture says it: "/icons/pencil.4f3a91bc.svg", or the picture itself.
function lookOfAddress(address) {
  if (address.startsWith('data:image/svg')) return lookOfDrawing(pictureIn(address));
  const file = address.replace(/[?#].*$/, '').replace(/^.*\//, '').replace(/\.\w{3,4}$/, '');
  return address.startsWith('data:') ? '' : lookOf(file) || lookOf(file.replace(/[._-](?=\w*[\dA-Z])\w{6,}$/, ''));
}

function pictureIn(address) {
  const [, head, body] = /^([^,]*),([^]*)$/.exec(address) || NONE;
  let text = '';
  try { text = /;base64$/.test(head) ? atob(body) : decodeURIComponent(body); } catch { /* then it is no picture */ }
  return new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
}

// Of a sprite: what its part is called, or how it is drawn where that is in the page.
function lookOfUse(svg) {
  const use = svg.querySelector('use');
  const part = use ? (attr(use, 'href') || attr(use, 'xlink:href')).replace(/^.*#/, '') : '';
  const symbol = part ? byId(svg, part) : null;
  return part && (lookOf(part) || (symbol ? lookOfDrawing(symbol) : ''));
}

function drawnLook(part) {
  if (part.localName === 'img') return lookOfAddress(attr(part, 'src'));
  return part.localName === 'svg' ? lookOfUse(part) || lookOfDrawing(part) : '';
}

// What the style sheet draws.
function styledLook(part) {
  for (const side of [null, '::before', '::after']) {
    const style = side ? getComputedStyle(part, side) : computedOf(part);
    for (const image of [style.maskImage, style.webkitMaskImage, style.backgroundImage]) {
      const look = /^url\("(.*)"\)$/.exec(image || '');
      if (look && lookOfAddress(look[1])) return lookOfAddress(look[1]);
    }
  }
  return '';
}

const NAMING = ['data-icon', 'data-lucide', 'data-feather', 'icon', 'icon-name', 'shape', 'name', 'svgicon'];
const MAY_NAME = /-icon$|^(?:svg|i|span)$/;

function classLook(cls) {
  const named = cls.split(/\s+/).filter((word) => LIBRARY.test(kebab(word)));
  return named.map((word) => lookOf(word)).find(Boolean) || '';
}

function saidLook(part) {
  const cls = classOf(part);
  const about = aboutClass(cls);
  about.look ??= classLook(cls);
  if (about.look) return about.look;
  if (about.isIcon) return lookOf(ligature(part));
  return MAY_NAME.test(part.localName) ? namedLook(part) : '';
}

function namedLook(part) {
  const component = /^(\w+)Icon$/.exec(attr(part, 'data-testid'));
  if (component) return lookOf(component[1].replace(/^Remove$/, 'minus'));
  for (const name of NAMING) {
    const look = part.hasAttribute(name) ? lookOf(attr(part, name).replace(/^[\w-]+:/, '')) : '';
    if (look) return look;
  }
  return '';
}

// The letters that an icon font draws as one sign.
const ligature = (part) => fold(part.textContent).replace(/^remove$/, 'minus');

const PARTS = 50; // elements: what holds more is no icon

// The icon of a control, and what is around it.
function* partsOf(el) {
  let left = PARTS;
  yield el;
  const only = el.firstElementChild;
  if (only?.localName === 'svg' && only === el.lastElementChild) return void (yield only);
  for (const part of el.getElementsByTagName('*')) {
    if (!left--) return;
    if (part.ownerSVGElement) continue;
    yield part;
    const root = shadowOf(part);
    if (root) yield* root.querySelectorAll('svg,img');
  }
}

function lookOfIcon(el) {
  let look = iconLooks.get(el);
  if (look !== undefined) return look;
  const parts = [...partsOf(el)];
  const isStyled = !parts.some((part) => part.localName === 'svg' || part.localName === 'img');
  for (const tell of isStyled ? [saidLook, styledLook] : [saidLook, drawnLook]) {
    for (const part of parts) if (look = tell(part)) break;
    if (look) break;
  }
  iconLooks.set(el, look);
  return look;
}

// What follows the prefix of an icon font and is no icon's name: sizes, movements, what a page failed to fill in.
const ICON_CLASS = new RegExp(String.raw`(?:^|\s)(?:fa|glyphicon|icon|bi|mdi)-(?!(?:undefined|null|fw|lg|sm|xs|solid|regular`
  + String.raw`|brands|spin|pulse|border|inverse|stack|li|pull|flip|rotate)(?:$|[\s-]))([a-z][a-z-]+)`);

// What an icon without words is called: by its look, or else by what the page calls it to itself.
function iconName(el) {
  if (el.matches('.close,.btn-close,[data-dismiss],[data-bs-dismiss]')) return 'Close';
  return lookOfIcon(el) || ownIconName(el);
}

function ownIconName(el) {
  for (const icon of [el, ...el.querySelectorAll('[class],[data-icon]')]) {
    const found = ICON_CLASS.exec(classOf(icon));
    if (found) return found[1].replace(/-/g, ' ');
    if (attr(icon, 'data-icon')) return fold(attr(icon, 'data-icon').replace(/[_-]/g, ' '));
    if (aboutClass(classOf(icon)).isIcon) return fold(icon.textContent).replace(/_/g, ' ');
  }
  const hint = /(?:^|[\s_-])(help|search|settings|refresh|edit|delete|menu|filter|info)(?=$|[\s_-])/i.exec(classOf(el));
  return hint ? hint[1].toLowerCase() : '';
}
