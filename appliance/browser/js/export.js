// The only names that Python calls.
globalThis.__appliance = {
  observe, quiet, settled, prepare, state, focusOn, selectAll, setValue, choose, findOption, markSecret,
  secretBoxes, frameBox, scrollBy, excerpt, node: nodeOf,
};
