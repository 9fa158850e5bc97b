// What an icon without words looks like: as its class, its address or its ligature says, or as it is drawn.
const DRAWN = 'path,circle,ellipse,rect,line,polyline,polygon';
const GEOMETRY = ['d', 'points', 'cx', 'cy', 'r', 'rx', 'ry', 'x', 'y', 'width', 'height', 'x1', 'y1', 'x2', 'y2'];
const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?`;
const NEXT = String.raw`\s*,?\s*`;
const TOKEN = new RegExp(`[a-df-z]|${NUMBER}`, 'gi');
const ARC = new RegExp(`(${NUMBER})${NEXT}(${NUMBER})${NEXT}(${NUMBER})${NEXT}([01])${NEXT}([01])${NEXT}(?=[-+.\\d])`, 'gi');

// Geometry as one spelling of its numbers and spaces: 07.50 is 7.5, and the flags of an arc may stand without a space.
function spelled(geometry) {
  const apart = /a/i.test(geometry)
    ? geometry.replace(/a[^a-df-z]*/gi, (arc) => arc[0] + arc.slice(1).replace(ARC, '$1 $2 $3 $4 $5 ')) : geometry;
  return (apart.match(TOKEN) || NONE).map((token) => (/[a-z]$/i.test(token) ? token : Number(token))).join(' ');
}

const WHOLE_BOX = /^d:M 0 0 [hH] (\d+) [vV] \1 (?:[hH] (?:0|-\1) (?:[vV] 0 )?)?[zZ]$/;
const HELD = 'defs,mask,clipPath,pattern,linearGradient';

// What is drawn in an svg, part by part; without the empty box around it that some libraries draw.
function drawingOf(svg) {
  const parts = [];
  for (const part of svg.querySelectorAll(DRAWN)) {
    if (part.closest(HELD) || (part.localName === 'rect' && !part.hasAttribute('x') && /^(?:none|)$/.test(attr(part, 'fill')))) continue;
    const told = GEOMETRY.filter((name) => part.hasAttribute(name)).map((name) => `${name}:${spelled(attr(part, name))}`).join(' ');
    if (told && !WHOLE_BOX.test(told)) parts.push(told);
  }
  return parts.join('|');
}

const SHAPE_LENGTH = 6;

// A drawing in six letters (30 bits of FNV-1a).
function shapeOf(drawing) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < drawing.length; i++) hash = Math.imul(hash ^ drawing.charCodeAt(i), 0x01000193);
  return (hash >>> 2).toString(32).padStart(SHAPE_LENGTH, '0');
}

let lookOfShape = null; // made where a page has the first icon that nothing else names

function allShapes() {
  const found = new Map();
  for (const [look, shapes] of Object.entries(SHAPES)) {
    for (let at = 0; at < shapes.length; at += SHAPE_LENGTH) found.set(shapes.slice(at, at + SHAPE_LENGTH), look);
  }
  return found;
}

function shapeLook(svg) {
  const drawing = drawingOf(svg);
  return (drawing && (lookOfShape ??= allShapes()).get(shapeOf(drawing))) || '';
}

// What follows the prefix of an icon font and is no icon's name: sizes, movements, what a page failed to fill in.
const ICON_CLASS = new RegExp(String.raw`(?:^|\s)(?:fa|glyphicon|icon|bi|mdi)-(?!(?:undefined|null|fw|lg|sm|xs|solid|regular`
  + String.raw`|brands|spin|pulse|border|inverse|stack|li|pull|flip|rotate)(?:$|[\s-]))([a-z][a-z-]+)`);
// Prefixes that may be those of other things, too: only the name of a known look counts after them.
const LOOK_CLASS = /(?:^|\s)(?:[a-z]{1,4}-icon|ui-icon|icon|fa|glyphicon|bi|mdi|lucide|feather|tabler-icon|octicon|codicon|anticon|el-icon|ri|ti|ph|pi|bx|bxs|oi|la|k-i|ms-Icon-|dx-icon|cil|i-[a-z]+|ion)[-:]+([A-Za-z][\w-]*)/g;
const LOOK_ATTRIBUTES = ['data-icon', 'data-lucide', 'data-feather', 'icon', 'icon-name', 'shape', 'name', 'svgicon'];
const ICON_TAG = /-icon$|^(?:svg|i|span)$/;

function saidLook(node, style) {
  if (style.marks & HAS_CLASS) {
    for (const [, said] of style.cls.matchAll(LOOK_CLASS)) if (lookOf(said)) return lookOf(said);
    if (style.about.isIcon && node.textContent) return lookOf(ligature(node));
  }
  if (!ICON_TAG.test(style.tag)) return '';
  const component = /^(\w+)Icon$/.exec(attr(node, 'data-testid'));
  if (component) return lookOf(component[1] === 'Remove' ? 'minus' : component[1]);
  for (const name of LOOK_ATTRIBUTES) {
    const look = node.hasAttribute(name) ? lookOf(attr(node, name).replace(/^[\w-]+:/, '')) : '';
    if (look) return look;
  }
  return '';
}

// The letters that an icon font draws as one sign.
const ligature = (node) => fold(node.textContent).replace(/^remove$/, 'minus');
