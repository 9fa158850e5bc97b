// What changes while nobody looks, and notices that come and go.
let lastChange = performance.now();
const noise = new WeakSet();
const STREAM = 20; // changes of one element for one action that are a stream, not a rendering
const TICKS = 6; // changes of a small text that are a clock's,
const TICKING_MS = 1000; // when they have gone on for so long
const ticking = new WeakSet();
let beats = new WeakMap();
let beatsOf = 0; // the action that they are counted for
let acts = 0; // what somebody did
let streams = 0;
let recent = [];
let added = [];
let happened = 0; // changes that count
let mutated = 0; // all of them
const watched = new WeakSet();

function watchRoot(root) {
  if (watched.has(root)) return;
  watched.add(root);
  if (root !== document) shadowRoots.add(new WeakRef(root));
  new MutationObserver(changed).observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
}

function changed(records) {
  mutated += 1;
  const now = performance.now();
  const targets = new Set();
  for (const record of records) {
    const target = record.target.nodeType === 1 ? record.target : record.target.parentElement || record.target;
    if (!targets.has(target)) {
      targets.add(target);
      if (counts(target, record, now)) {
        lastChange = now;
        happened += 1;
        recent.push(target);
      }
    }
    for (const node of record.addedNodes) if (node.nodeType === 1) added.push(node);
    noteSigns(record);
    maybeNotice(record, target);
  }
  if (added.length > 400) added = [document.documentElement];
  if (recent.length > 500) recent = recent.slice(-200);
}

// Shadow roots change unseen until they are watched.
function watchAdded() {
  if (!added.length) return;
  const fresh = added;
  added = [];
  for (const node of fresh) if (node.isConnected && watchWithin(node)) lastChange = performance.now();
}

function watchWithin(node) {
  let isNew = false;
  for (const el of [node, ...node.querySelectorAll('*')]) {
    const root = shadowOf(el);
    if (!root || watched.has(root)) continue;
    watchRoot(root);
    isNew = true;
    for (const child of root.children) watchWithin(child);
  }
  return isNew;
}

// A clock or countdown, the same small node whose text changes again and again, is not a page at work;
// what changes for ever is not waited for.
function counts(target, record, now) {
  if (noise.has(target)) return false;
  const isText = ![...record.addedNodes].some((node) => node.nodeType === 1);
  if (isText && ticking.has(target)) return false;
  if (beatsOf !== acts) {
    beatsOf = acts;
    beats = new WeakMap();
  }
  const beat = beats.get(target) || { since: now, at: 0, count: 0 };
  beats.set(target, beat);
  if (now - beat.at > 50) {
    beat.at = now;
    beat.count += 1;
  }
  if (beat.count > STREAM) {
    noise.add(target);
    streams += 1;
    return false;
  }
  if (!isText || beat.count <= TICKS || now - beat.since < TICKING_MS || target.textContent?.length > 100) return true;
  ticking.add(target);
  return false;
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

// What a picture needs: its width, what is written on it, and what it must not show.
function eye(held) {
  dispatchEvent(ASKING);
  watchAdded();
  return { width: innerWidth, secrets: secretBoxes(), written: written(held) };
}

function boxOf(id) {
  const el = nodeOf(id);
  if (!el) return null;
  return inPixels(rectOf(el));
}

watchRoot(document);
