// Runs in the page's own world before its first script. Two things can only be learnt there: which
// elements listen for clicks, and what lies in closed shadow roots. Nothing else is touched.
(() => {
  'use strict';
  const ASK = '__ASK__';
  const TELL = '__TELL__';
  const { apply, getOwnPropertyDescriptor, defineProperty } = Reflect;
  const clicks = new Set(['click', 'mousedown', 'mouseup', 'pointerdown', 'dblclick', 'drop']);
  const refs = [];
  const seen = new WeakSet();
  const push = Array.prototype.push;
  const has = Set.prototype.has;
  const seenHas = WeakSet.prototype.has;
  const seenAdd = WeakSet.prototype.add;
  const deref = WeakRef.prototype.deref;
  const Ref = WeakRef;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const listen = EventTarget.prototype.addEventListener;
  const isElement = (thing) => thing instanceof Element;

  const note = (element) => {
    if (apply(seenHas, seen, [element])) return;
    apply(seenAdd, seen, [element]);
    apply(push, refs, [new Ref(element)]);
  };

  defineProperty(EventTarget.prototype, 'addEventListener', {
    ...getOwnPropertyDescriptor(EventTarget.prototype, 'addEventListener'),
    value: new Proxy(listen, {
      apply(target, self, args) {
        if (apply(has, clicks, [args[0]]) && isElement(self)) note(self);
        return apply(target, self, args);
      },
    }),
  });
  for (const name of ['onclick', 'onmousedown', 'onpointerdown', 'ondrop']) {
    const property = getOwnPropertyDescriptor(HTMLElement.prototype, name);
    defineProperty(HTMLElement.prototype, name, {
      ...property,
      set: new Proxy(property.set, {
        apply(target, self, args) {
          if (isElement(self) && args[0]) note(self);
          return apply(target, self, args);
        },
      }),
    });
  }
  // Closed shadow roots stay closed for the page; the observer is told of them.
  const made = [];
  const attach = Element.prototype.attachShadow;
  defineProperty(Element.prototype, 'attachShadow', {
    ...getOwnPropertyDescriptor(Element.prototype, 'attachShadow'),
    value: new Proxy(attach, {
      apply(target, self, args) {
        const root = apply(target, self, args);
        if (args[0]?.mode === 'closed') apply(push, made, [new Ref(root)]);
        return root;
      },
    }),
  });
  // The observer asks by an event, and is answered by one that crosses the worlds: of all events it is
  // touches whose targets are told as they are, also out of closed roots. No element hears of it.
  const TellTouch = TouchEvent;
  const Place = Touch;
  const tell = (known) => {
    for (let i = 0; i < known.length; i++) {
      const target = apply(deref, known[i], []);
      if (target) apply(dispatch, window, [new TellTouch(TELL, { changedTouches: [new Place({ identifier: 0, target })] })]);
    }
    known.length = 0;
  };
  apply(listen, window, [ASK, () => {
    tell(made);
    tell(refs);
  }, true]);
})();
