// Runs in the page's own world, after the hook. What a page has set itself to do soon shows in no
// document: short timers, requests begun, questions to workers and data bases. They are counted
// here, and told when asked. Nothing is held back, wrapped or changed; what fails here fails silently.
(() => {
  'use strict';
  const ASK = '__PACE__';
  const TELL = '__PACED__';
  const SOON_MS = 500; // what comes later than this is not the consequence of an action
  const SHORT_MS = 16; // what comes sooner is over within the two frames that are waited anyway
  const KEPT = 300;
  const { apply, getOwnPropertyDescriptor, defineProperty } = Reflect;
  const clock = performance;
  const now = ((read) => () => apply(read, clock, []))(Performance.prototype.now);
  const { get, set, has: hasKey, delete: drop, forEach } = Map.prototype;
  const size = getOwnPropertyDescriptor(Map.prototype, 'size').get;
  const sourceOf = Function.prototype.toString;
  const slice = String.prototype.slice;
  const stringify = JSON.stringify;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const listen = EventTarget.prototype.addEventListener;
  const TellEvent = CustomEvent;
  const page = window;
  const timers = new Map(); // id → { key, due, armed }
  const intervals = new Map();
  let begun = 0; // requests
  let armed = 0; // short timers
  let asked = -1; // when something was asked whose answer cannot be seen coming
  let starting = -1; // when a worker was first asked that has not answered yet: it has to start
  const hired = new WeakSet();
  const { add, has: isMember } = WeakSet.prototype;

  const watch = (owner, name, before, after) => {
    const property = owner && getOwnPropertyDescriptor(owner, name);
    if (!property?.configurable || typeof property.value !== 'function') return;
    defineProperty(owner, name, {
      ...property,
      value: new Proxy(property.value, {
        apply(target, self, args) {
          if (before) try { before(args); } catch { /* the page's own call matters more */ }
          const answer = apply(target, self, args);
          if (after) try { after(args, answer, self); } catch { /* as above */ }
          return answer;
        },
      }),
    });
  };

  // An object as a delay would run the page's code when read.
  const delayOf = (ms) => (typeof ms === 'number' ? ms : typeof ms === 'string' ? +ms : 0);

  // The same work has the same key: a clock's tick, a poll, a debounced search.
  const keyOf = (work, ms) => {
    const source = typeof work === 'function' ? apply(sourceOf, work, []) : typeof work === 'string' ? work : '';
    return `${ms}:${source.length}:${apply(slice, source, [0, 80])}`;
  };

  const sweep = () => {
    if (apply(size, timers, []) < KEPT) return;
    const at = now();
    apply(forEach, timers, [(timer, id) => { if (timer.due < at) apply(drop, timers, [id]); }]);
  };

  watch(page, 'setTimeout', null, ([work, wait], id) => {
    const ms = delayOf(wait);
    if (!(ms > SHORT_MS && ms <= SOON_MS)) return;
    sweep();
    armed += 1;
    const at = now();
    if (apply(size, timers, []) < KEPT) apply(set, timers, [id, { key: keyOf(work, ms), due: at + ms, armed: at }]);
  });
  watch(page, 'setInterval', null, ([, wait], id) => {
    if (delayOf(wait) <= SOON_MS) apply(set, intervals, [id, true]);
  });
  for (const name of ['clearTimeout', 'clearInterval']) {
    watch(page, name, ([id]) => {
      if (typeof id !== 'number') return;
      apply(drop, timers, [id]);
      apply(drop, intervals, [id]);
    });
  }
  const ask = () => { asked = now(); };
  const begin = () => { begun += 1; };
  watch(page, 'fetch', begin);
  watch(XMLHttpRequest.prototype, 'send', begin);
  watch(page.Worker?.prototype, 'postMessage', ask, (_args, _answer, worker) => {
    if (apply(isMember, hired, [worker])) return;
    apply(add, hired, [worker]);
    starting = now();
    const heard = () => { starting = -1; ask(); };
    for (const type of ['message', 'error']) apply(listen, worker, [type, heard, { once: true }]);
  });
  watch(page.BroadcastChannel?.prototype, 'postMessage', ask);
  watch(page.IDBFactory?.prototype, 'open', ask);
  watch(page.IDBDatabase?.prototype, 'transaction', ask);

  const tell = () => {
    const at = now();
    const due = [];
    let count = 0;
    apply(forEach, timers, [(timer, id) => {
      if (timer.due < at) apply(drop, timers, [id]);
      // Written out: a setter on Array.prototype must not see it.
      else defineProperty(due, count++, { value: timer, enumerable: true });
    }]);
    const detail = stringify({ timers: due, begun, set: armed, asked, starting, beats: apply(size, intervals, []) > 0 });
    apply(dispatch, page, [new TellEvent(TELL, { detail })]);
  };
  apply(listen, page, [ASK, () => {
    try { tell(); } catch { /* no answer: the page is waited for by the clock */ }
  }, true]);
})();
