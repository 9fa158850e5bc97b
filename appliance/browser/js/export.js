// The only names that Python calls.
// Numbers belong to a document: after a navigation the same number is another element.
const at = (asked, name, ...args) => (asked === DOCUMENT ? globalThis.__appliance[name](...args) : '__gone__');

// A string crosses the protocol faster than an object. What is asked of another document is not for this one.
const observeJson = (options) => JSON.stringify(observe(options && options.document === DOCUMENT ? options : {}));

globalThis.__appliance = {
  at,
  observe, observeJson, quiet, ...ACTS, eye, boxOf, frameBox, excerpt, node: nodeOf, idOf, adoptRoot,
};
