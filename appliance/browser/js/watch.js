// What changes while nobody looks: notices that come and go, and whether the page is quiet.
let lastChange = performance.now();
const noise = new WeakSet();
const beats = new WeakMap();
let recent = [];
let happened = 0; // changes that count
let scrolled = 0;
const watched = new WeakSet();

function watchRoot(root) {
  if (watched.has(root)) return;
  watched.add(root);
  if (root !== document) shadowRoots.add(new WeakRef(root));
  new MutationObserver(changed).observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
}

function changed(records) {
  const now = performance.now();
  const targets = new Set();
  for (const record of records) {
    const target = record.target.nodeType === 1 ? record.target : record.target.parentElement || record.target;
    if (!targets.has(target)) {
      targets.add(target);
      if (counts(target, now)) {
        lastChange = now;
        happened += 1;
        recent.push(target);
      }
    }
    maybeNotice(record, target);
  }
  if (recent.length > 500) recent = recent.slice(-200);
}

// A clock or countdown: the same small node that changes again and again is not a page at work.
function counts(target, now) {
  if (noise.has(target)) return false;
  const beat = beats.get(target) || { at: 0, count: 0 };
  beats.set(target, beat);
  if (now - beat.at > 50) {
    beat.at = now;
    beat.count += 1;
  }
  if (beat.count > 6 && (target.textContent || '').length < 100) {
    noise.add(target);
    return false;
  }
  return true;
}

const told = new WeakMap();
const NOTICE_DELAYS_MS = [0, 120, 600];

function maybeNotice(record, target) {
  if (!(target instanceof Element)) return;
  const found = new Set();
  const near = target.closest(NOTICES);
  if (near) found.add(near);
  for (const node of record.addedNodes) {
    if (node.nodeType !== 1) continue;
    if (node.matches(NOTICES)) found.add(node);
    else if (node.childElementCount) for (const inner of node.querySelectorAll(NOTICES)) found.add(inner);
  }
  for (const notice of found) for (const delay of NOTICE_DELAYS_MS) setTimeout(() => tellNotice(notice), delay);
}

function tellNotice(notice) {
  if (!notice.isConnected) return;
  forget();
  if (!isShown(notice) || !isNotice(notice)) return;
  const text = cap(textOf(notice, (x) => x.matches('.close,[data-dismiss]')), 500);
  if (!text || told.get(notice) === text) return;
  told.set(notice, text);
  globalThis.__BINDING__?.(JSON.stringify({ text, tone: toneOf(notice) }));
}

// Spinners and skeletons, but not the progress of a resource in a table row.
const PENDING = '[aria-busy=true],.spinner,.loading,.loader,.loading-spinner,.ant-spin-spinning,.el-loading-mask,'
  + '.next-loading-tip,[role=progressbar]:not([aria-valuenow]),.skeleton';
const patience = new WeakSet();

function pending() {
  forget();
  return [...document.querySelectorAll(PENDING)].filter((el) => !patience.has(el) && !closest(el, 'td,[role=gridcell],li')
    && isShown(el));
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Resolves when nothing has changed for `quietMs`, or says why not when `boundMs` have passed.
async function quiet(quietMs, boundMs) {
  const end = performance.now() + boundMs;
  for (;;) {
    const now = performance.now();
    const still = Math.min(quietMs - (now - lastChange), quietMs);
    const loading = document.readyState === 'loading' || (document.readyState === 'interactive' && now < 5000);
    const busy = still <= 0 && !loading ? pending() : [];
    if (still <= 0 && !loading && !busy.length) return true;
    if (now >= end) {
      recent.forEach((target) => noise.add(target));
      busy.forEach((el) => patience.add(el));
      recent = [];
      return false;
    }
    await wait(Math.max(5, Math.min(still > 0 ? still : 30, end - now)));
  }
}

// What a picture has to be compared with: the moment it shows, its width, and what it must not show.
function eye() {
  return { width: innerWidth, moment: `${DOCUMENT} ${happened} ${scrolled}`, secrets: secretBoxes() };
}

function boxOf(id) {
  const el = nodeOf(id);
  if (!el) return null;
  const rect = rectOf(el);
  return [rect.left, rect.top, rect.width, rect.height];
}

function settled() {
  recent = [];
}

watchRoot(document);
addEventListener('scroll', () => { scrolled += 1; }, { capture: true, passive: true });
