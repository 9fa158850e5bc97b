// What else Python asks for: secrets, frames, scrolling, excerpts.
function markSecret(selector) {
  const el = document.querySelector(selector);
  if (!el) return null;
  secrets.add(el);
  return idOf(el);
}

// Boxes of what must not be seen in a picture.
function secretBoxes() {
  const found = roots().flatMap((root) => [...root.querySelectorAll('input')]);
  return found.filter((el) => isSecret(el) && el.value && isRendered(el)).map((el) => {
    const rect = el.getBoundingClientRect();
    return [rect.left, rect.top, rect.width, rect.height];
  });
}

function frameBox(id, show) {
  const iframe = nodeOf(id);
  if (!iframe) return null;
  const whole = iframe.getBoundingClientRect();
  if (show && (whole.top < 0 || whole.left < 0 || whole.bottom > innerHeight || whole.right > innerWidth)) {
    iframe.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  }
  const rect = iframe.getBoundingClientRect();
  const style = getComputedStyle(iframe);
  return { x: rect.left + iframe.clientLeft + parseFloat(style.paddingLeft),
    y: rect.top + iframe.clientTop + parseFloat(style.paddingTop), width: iframe.clientWidth, height: iframe.clientHeight };
}

// What scrolls the page: the document, or where that does not scroll, what fills the middle of the window.
function pageScroller() {
  const whole = document.scrollingElement;
  if (whole.scrollHeight > whole.clientHeight) return whole;
  return document.elementFromPoint(innerWidth / 2, innerHeight / 2);
}

function scrollBy(id, dx, dy) {
  let at = id ? nodeOf(id) : pageScroller();
  while (at && at !== document.scrollingElement
    && !(at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY))) at = parentOf(at);
  (at || document.scrollingElement).scrollBy({ left: dx * innerWidth, top: dy * innerHeight, behavior: 'instant' });
}

const EXCERPT_CAP = 20000;

function excerpt(id) {
  const el = id ? nodeOf(id) : null;
  const dialog = openDialogs().pop();
  const around = el ? closest(el, `tr,[role=row],${FORM_GROUP}`) || closest(el, 'li,fieldset,form,[role=dialog],.modal,section')
    || el : dialog || document.querySelector('main,[role=main],#content_body') || document.body;
  if (!around) return '';
  const copy = around.cloneNode(true);
  for (const junk of copy.querySelectorAll('script,style,noscript,template,link,iframe[srcdoc]')) junk.remove();
  for (const field of copy.querySelectorAll('input[type=password],input[type=hidden],input[name*=token]')) field.setAttribute('value', '••••');
  const live = [around, ...around.querySelectorAll('input')];
  const copied = [copy, ...copy.querySelectorAll('input')];
  live.forEach((node, i) => secrets.has(node) && copied[i]?.setAttribute('value', '••••'));
  return cap(copy.outerHTML, EXCERPT_CAP);
}

// What acting exports.
const ACTS = { prepare, landed, seal, same, tip, showPoint, state, inner, focusOn, selectAll, setValue, paste, stepped, dropFiles,
  fileInput, choose, findOption, searchField, scrollOptions, rollTo, rollToRow, calendar, glance, markSecret, scrollBy };
