// The only names that Python calls.
// Numbers belong to a document: after a navigation the same number is another element.
const at = (asked, name, ...args) => (asked === DOCUMENT ? globalThis.__appliance[name](...args) : '__gone__');

// A string crosses the protocol faster than an object, and what the asker holds already need not cross it at all.
// What is asked of another document is not for this one.
let lastAnswer = '', answers = 0;
const observeJson = (options, held) => {
  const json = JSON.stringify(observe(options && options.document === DOCUMENT ? options : {}));
  if (json === lastAnswer && held === `${DOCUMENT} ${answers}`) return '=';
  lastAnswer = json;
  answers += 1;
  return `${DOCUMENT} ${answers}\n${json}`;
};

globalThis.__appliance = {
  at,
  observe, observeJson, quiet, knowTip, ...ACTS, eye, boxesOf, outOf, boxOf, frameBox, excerpt, node: nodeOf, idOf, adoptRoot,
};
