// Signs that something is still to come. A page of ten thousand elements is not searched for them each time it is
// waited for: once as a whole, and from then on what has changed.
// Spinners and skeletons, but not the progress of a resource in a table row.
const PENDING = ['[aria-busy=true]', '[role=progressbar]:not([aria-valuenow])', 'progress:not([value])',
  '.spinner', '.loading', '.loader', '.loading-spinner', '.loading-mask', '.is-loading', '.btn-loading', '.skeleton',
  '.skeleton-loader', '.spinner-border', '.spinner-grow', '.placeholder-glow', '.ant-spin-spinning', '.ant-btn-loading',
  '.ant-skeleton-active', '.el-loading-mask', '.el-skeleton.is-animated', '.next-loading-tip', '.next-btn-loading',
  '.arco-spin-loading', '.arco-skeleton-animation', '.t-loading', '.t-skeleton__row--animation', '.semi-spin',
  '.MuiSkeleton-root', '.MuiCircularProgress-indeterminate', '.MuiLinearProgress-indeterminate', '.p-skeleton',
  '.p-progress-spinner', '.v-skeleton-loader', '.v-progress-circular--indeterminate', '.bx--skeleton', '.cds--skeleton',
  '.bx--loading', '.cds--loading', '.euiLoadingSpinner', '.chakra-spinner', '.chakra-skeleton', '.k-loading-mask',
  '.blockUI.blockOverlay', '[class*=awsui_spinner]', '[class*=awsui_skeleton]', ':disabled[class*=loading]',
  '[aria-disabled=true][class*=loading]'].join();
// "Working…", where nothing else tells. A label that only says what it is about has no dots.
const WORKING = new RegExp('^(?:(?:working|loading|saving|processing|fetching|submitting|updating|applying|refreshing|searching)'
  + '\\s?(?:…|\\.{2,3})|(?:please wait|just a moment|one moment,? please)\\s?(?:…|\\.{0,3})'
  + '|(?:正在)?(?:加载|处理|保存|提交|执行|查询|刷新)中?\\s?(?:…+|\\.{3})|(?:正在加载|加载中|处理中|请稍[候等])[.…。]*)$', 'i');
const LONGEST = 40; // characters of such a text
const KEPT = 200; // changes between two searches: after more, all is searched anew
const patience = new WeakSet(); // pending signs that never went
const signs = new Set();
let searched = new WeakSet(); // documents and shadow roots
let touched = new Set(); // elements with other attributes
let come = new Set(); // elements that were added

// Told of every change: what it may have made a sign, or no sign any more.
function noteSigns(record) {
  if (record.type === 'attributes') (record.target.localName === 'fieldset' ? come : touched).add(record.target);
  const said = record.target.nodeType === Node.TEXT_NODE ? record.target.parentElement : record.target;
  const hasWords = record.type === 'characterData' || [...record.addedNodes].some((node) => node.nodeType === Node.TEXT_NODE);
  if (hasWords && said?.nodeType === Node.ELEMENT_NODE) touched.add(said);
  for (const node of record.addedNodes) if (node.nodeType === 1) come.add(node);
  if (touched.size + come.size <= KEPT) return;
  touched = new Set();
  come = new Set();
  searched = new WeakSet();
}

function pending() {
  forget();
  for (const root of roots()) {
    if (searched.has(root)) continue;
    searched.add(root);
    addWithin(root);
  }
  for (const el of come) {
    if (isSign(el)) signs.add(el);
    addWithin(el);
  }
  for (const el of touched) if (isSign(el)) signs.add(el);
  come.clear();
  touched.clear();
  for (const el of signs) if (!el.isConnected || !isSign(el)) signs.delete(el);
  return [...signs].filter((el) => !patience.has(el) && !closest(el, 'td,[role=gridcell],li') && isShown(el));
}

function addWithin(node) {
  for (const el of node.querySelectorAll(PENDING)) signs.add(el);
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (isWorking(walker.currentNode.data)) signs.add(walker.currentNode.parentElement);
  signs.delete(null); // a text that stands in a shadow root itself
}

const isSign = (el) => el.matches(PENDING)
  || [...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && isWorking(node.data));

const isWorking = (text) => text.length <= LONGEST && WORKING.test(text.trim());
