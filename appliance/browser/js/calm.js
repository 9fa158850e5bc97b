// When the page is quiet: nothing it was asked or set itself to do is still to come. What is known
// (pace.js tells of timers and requests) is waited for; what cannot be known costs `quietMs`.
const FRAMES = 2; // what a click, an answer or a timer leads to is drawn by then
const FRAMES_BOUND_MS = 250; // a page in the background draws none, a busy machine draws late
const SURE_CALM_MS = 20;
const TICK_MS = 30;
const SOON_MS = 500; // as in pace.js
const CHAIN = 3; // a short timer that is set again so often,
const CHAIN_MS = 1000; // and for so long, without anybody acting, is a clock
const IDLE_TIMERS = 3; // a short timer that led to nothing so often is not waited for
const MOTION_MS = 1500; // longer ones, in sum or by themselves, are decoration
const FONTS_MS = 1000;
const LEAVING_MS = 400; // from a navigation's beginning until its request shows

// Only these move what a person aims at; a button that changes its colour does not.
const MOVING = new Set(['transform', 'translate', 'scale', 'rotate', 'opacity', 'visibility', 'display', 'height', 'width',
  'maxHeight', 'max-height', 'maxWidth', 'max-width', 'minHeight', 'min-height', 'top', 'left', 'right', 'bottom',
  'inset', 'margin', 'marginTop', 'margin-top', 'marginLeft', 'margin-left', 'clipPath', 'clip-path', 'offsetDistance',
  'gridTemplateRows', 'grid-template-rows']);
// What somebody does, and what comes from other frames.
const DEEDS = ['pointerdown', 'pointerup', 'click', 'keydown', 'keyup', 'input', 'change', 'wheel', 'drop'];
const STIRRING = [...DEEDS, 'pointermove', 'popstate', 'hashchange', 'scroll', 'message'];

let stirredAt = -Infinity;
let stirs = 0;
let leavingAt = -Infinity;
let fontsSince = 0;
let rested = ''; // what had happened when the page was last found quiet
let paced = null;
let tried = null; // the timer that is waited for, and what had happened by then
const decoration = new WeakSet(); // what moves for ever
const chains = new Map(); // timer's key → { count, since, due }
const idle = new Map(); // timer's key → how often in a row it led to nothing
const clocks = new Set(); // keys of timers that are set again for ever

for (const type of STIRRING) {
  addEventListener(type, () => {
    stirredAt = performance.now();
    stirs += 1;
    if (!DEEDS.includes(type)) return;
    acts += 1;
    chains.clear();
  }, { capture: true, passive: true });
}
const leaves = globalThis.navigation;
leaves?.addEventListener('navigate', (event) => {
  if (!event.destination.sameDocument && event.downloadRequest === null) leavingAt = performance.now();
});
for (const over of ['navigatesuccess', 'navigateerror']) leaves?.addEventListener(over, () => { leavingAt = -Infinity; });
addEventListener('__PACED__', (event) => { paced = event.detail; }, true);

// What the page's own world tells; null where nothing was installed there.
function pace() {
  paced = null;
  dispatchEvent(new Event('__PACE__'));
  try {
    const told = JSON.parse(paced);
    const isSound = told.timers.every(({ key, due, armed }) => typeof key === 'string' && due <= armed + SOON_MS)
      && Number.isFinite(told.asked) && Number.isFinite(told.starting);
    return isSound ? told : null;
  } catch {
    return null;
  }
}

const effects = (told) => `${happened} ${stirs} ${told.begun} ${told.asked} ${told.set}`;

// A timer that is set again when it has fired: a clock, or a poll.
function isClock({ key, due, armed }, now) {
  if (clocks.has(key)) return true;
  const chain = chains.get(key);
  if (!chain) {
    chains.set(key, { count: 0, since: now, due });
  } else if (armed >= chain.due - 2) {
    chain.count += 1;
    chain.due = due;
    if (chain.count >= CHAIN && now - chain.since > CHAIN_MS) clocks.add(key);
  }
  return clocks.has(key);
}

// How long until the next short timer that may lead to something, and whether others run besides.
function timers(told, now) {
  if (tried && now > tried.due + TICK_MS) {
    idle.set(tried.key, tried.effects === effects(told) ? (idle.get(tried.key) || 0) + 1 : 0);
    tried = null;
  }
  let left = 0;
  let isSure = true;
  for (const timer of told.timers) {
    const ms = timer.due - now + 5;
    if (ms <= 0) continue;
    if (isClock(timer, now) || idle.get(timer.key) >= IDLE_TIMERS) isSure = false;
    else if (!left || ms < left) left = learnFrom(timer, told, ms);
  }
  return { left, isSure };
}

function learnFrom(timer, told, ms) {
  if (!tried || timer.due < tried.due) tried = { key: timer.key, due: timer.due, effects: effects(told) };
  return ms;
}

// Milliseconds until the page may be quiet by what is known; 0 when nothing speaks against it.
function unrest(asked, restUntil) {
  const now = performance.now();
  if (isLoading(now)) return TICK_MS;
  const known = Math.max(restUntil - now, leavingAt + LEAVING_MS - now);
  if (known > 0) return known;
  watchAdded();
  const told = pace();
  const due = told ? timers(told, now) : { left: 0, isSure: false };
  const isSure = asked.sure && due.isSure && !told.beats;
  const calm = (isSure ? Math.min(SURE_CALM_MS, asked.quietMs) : asked.quietMs) - (now - Math.max(lastChange, stirredAt));
  const answer = told && told.asked >= 0 ? told.asked + asked.quietMs - now : 0;
  const left = Math.max(due.left, calm, answer);
  if (left > 0) return left;
  if (told && told.starting >= 0 && now < told.starting + SOON_MS) return TICK_MS;
  return motion(asked.patientUntil < now) || (pending().length ? TICK_MS : 0);
}

function isLoading(now) {
  const state = document.readyState;
  if (state === 'loading' || (state === 'interactive' && now < 5000)) return true;
  if (document.fonts.status !== 'loading') {
    fontsSince = 0;
    return false;
  }
  fontsSince ||= now;
  return now - fontsSince < FONTS_MS;
}

// How long something still slides, unfolds or fades; endless motion is decoration.
function motion(isTooLong) {
  let longest = 0;
  for (const root of roots()) {
    for (const animation of root.getAnimations()) {
      const left = motionLeft(animation);
      if (left && isTooLong) decoration.add(animation.effect.target);
      else longest = Math.max(longest, left);
    }
  }
  return longest && Math.min(longest + 5, 100);
}

function motionLeft(animation) {
  const { effect } = animation;
  if (animation.playState !== 'running' || animation.timeline !== document.timeline) return 0;
  if (!effect?.target || effect.pseudoElement || decoration.has(effect.target)) return 0;
  const timing = effect.getComputedTiming();
  const left = (timing.endTime - timing.localTime) / Math.abs(animation.playbackRate || 1);
  return left > 0 && left <= MOTION_MS && moves(animation) ? left : 0;
}

function moves(animation) {
  if (animation.transitionProperty) return MOVING.has(animation.transitionProperty);
  return animation.effect.getKeyframes().some((frame) => Object.keys(frame).some((name) => MOVING.has(name)));
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const whenIdle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: TICK_MS }));

async function drawn() {
  const frames = async () => {
    for (let i = 0; i < FRAMES; i++) await nextFrame();
    await whenIdle();
  };
  await Promise.race([frames(), wait(FRAMES_BOUND_MS)]);
}

// Where a document may run no scripts, timers rest in all of its worlds and its own world tells nothing:
// waiting would never end, and nothing is under way but requests, which Python counts.
let ticks = false;
setTimeout(() => { ticks = true; });
const quiet = (asked) => (ticks || pace() ? calmed(asked) : { isQuiet: true, waited: false, clocks: [] });

// Resolves when nothing more is to come, or says that it is not so when `boundMs` have passed.
async function calmed(asked) {
  const began = performance.now();
  const end = began + asked.boundMs;
  asked.patientUntil = began + MOTION_MS;
  asked.clocks.forEach((key) => clocks.add(key));
  const streamed = streams;
  let waited = false;
  const answer = (isQuiet) => ({ isQuiet: isQuiet && streams === streamed, waited, clocks: [...clocks].slice(-50) });
  for (;;) {
    const what = `${happened} ${stirs} ${asked.mark}`;
    const left = unrest(asked, began + asked.restMs);
    if (!left) {
      if (what === rested) return answer(true);
      rested = what;
      await drawn();
    } else if (performance.now() >= end) {
      giveUp();
      return answer(false);
    } else {
      await wait(Math.max(4, Math.min(left, end - performance.now())));
    }
    waited = true;
  }
}

// What has gone on until now is not waited for again.
function giveUp() {
  recent.forEach((target) => noise.add(target));
  recent = [];
  pending().forEach((el) => patience.add(el));
  rested = '';
}
