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
  const TellEvent = CustomEvent;
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
  // The observer asks by an event; every listening element answers by one, which crosses the worlds.
  apply(listen, window, [ASK, () => {
    for (let i = 0; i < refs.length; i++) {
      const element = apply(deref, refs[i], []);
      if (element) apply(dispatch, element, [new TellEvent(TELL, { bubbles: true, composed: true })]);
    }
    refs.length = 0;
  }, true]);

  const closed = new WeakSet();
  const attach = Element.prototype.attachShadow;
  defineProperty(Element.prototype, 'attachShadow', {
    ...getOwnPropertyDescriptor(Element.prototype, 'attachShadow'),
    value: new Proxy(attach, {
      apply(target, self, args) {
        if (args[0]?.mode !== 'closed') return apply(target, self, args);
        const root = apply(target, self, [{ ...args[0], mode: 'open' }]);
        apply(seenAdd, closed, [self]);
        return root;
      },
    }),
  });
  const rootOf = getOwnPropertyDescriptor(Element.prototype, 'shadowRoot');
  defineProperty(Element.prototype, 'shadowRoot', {
    ...rootOf,
    get: new Proxy(rootOf.get, {
      apply: (target, self, args) =>
        apply(seenHas, closed, [self]) ? null : apply(target, self, args),
    }),
  });
})();
