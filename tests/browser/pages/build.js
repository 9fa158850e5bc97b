// Builds the tree of a property test. Every control tells the top window its name when it is clicked.
const told = (el, name) => el.addEventListener('click', () => top.postMessage(name, '*'));
const made = (html) => { const box = document.createElement('div'); box.innerHTML = html; return box.firstElementChild; };
const CONTROLS = {
  button: (n) => made(`<button type="button">${n}</button>`),
  link: (n) => made(`<a href="#${n}">${n}</a>`),
  aria: (n) => made(`<div role="button" tabindex="0">${n}</div>`),
  pointer: (n) => made(`<span style="cursor:pointer">${n}</span>`),
  listener: (n) => made(`<div style="width:160px">${n}</div>`),
  labelled: (n) => made(`<button type="button" aria-label="${n}">×</button>`),
  icon: (n) => made(`<button type="button" title="${n}"><svg width="12" height="12"><circle cx="6" cy="6" r="5"></circle></svg></button>`),
  tab: (n) => made(`<div role="tablist"><div role="tab" tabindex="0" aria-selected="true">${n}</div></div>`),
  menuitem: (n) => made(`<div role="menu"><div role="menuitem" tabindex="0">${n}</div></div>`),
  switch: (n) => made(`<div role="switch" tabindex="0" aria-checked="false" style="width:160px">${n}</div>`),
  textbox: (n) => made(`<label>${n} <input></label>`),
  area: (n) => made(`<label>${n} <textarea rows="1"></textarea></label>`),
  checkbox: (n) => made(`<label><input type="checkbox"> ${n}</label>`),
  drawn: (n) => made(`<label><input type="checkbox" style="position:absolute;opacity:0"><i style="display:inline-block;width:14px;height:14px;border:1px solid"></i> ${n}</label>`),
  radio: (n) => made(`<label><input type="radio" name="${n}"> ${n}</label>`),
  select: (n) => made(`<label>${n} <select><option>one<option>two</select></label>`),
  editable: (n) => made(`<div contenteditable aria-label="${n}" style="border:1px solid;width:160px">x</div>`),
  disabled: (n) => made(`<button type="button" disabled>${n}</button>`),
};
const target = (el) => el.querySelector('input,textarea,select,[role=tab],[role=menuitem]') || el;

const PLACES = {
  div: (at) => at.appendChild(document.createElement('div')),
  section: (at) => at.appendChild(made('<section><h3>Part</h3></section>')),
  list: (at) => at.appendChild(made('<ul><li></li></ul>')).firstElementChild,
  scroller: (at) => at.appendChild(made('<div style="height:120px;width:400px;overflow:auto;border:1px solid"></div>')),
  fieldset: (at) => at.appendChild(made('<fieldset><legend>Group</legend></fieldset>')),
  row: (at, node) => {
    const table = at.appendChild(made('<table><thead><tr><th>Key</th><th>Use</th></tr></thead><tbody><tr><td></td><td></td></tr></tbody></table>'));
    table.querySelector('td').textContent = node.key;
    return table.querySelectorAll('td')[1];
  },
  open: (at) => at.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }),
  closed: (at) => at.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' }),
  slot: (at) => {
    const host = at.appendChild(document.createElement('div'));
    host.attachShadow({ mode: 'open' }).innerHTML = '<p><slot></slot></p>';
    return host;
  },
};

function frame(at, node, base) {
  const element = document.createElement('iframe');
  element.style.cssText = 'width:640px;height:260px';
  element.src = `${base}/built?${encodeURIComponent(node.key)}#${encodeURIComponent(JSON.stringify(node.kids))}`;
  at.appendChild(element);
}

function dialog(at, node) {
  const element = at.appendChild(made(`<dialog aria-label="Ask"></dialog>`));
  build(element, node.kids);
  element.showModal();
}

function build(at, nodes) {
  for (const node of nodes) {
    if (node.kind) {
      const element = CONTROLS[node.kind](node.name);
      at.appendChild(element);
      if (node.kind !== 'disabled') told(target(element), node.name);
    } else if (node.in === 'frame') frame(at, node, '');
    else if (node.in === 'foreign') frame(at, node, `http://${node.host}`);
    else if (node.in === 'modal') dialog(at, node);
    else build(PLACES[node.in](at, node), node.kids);
  }
}

window.hits = [];
window.addEventListener('message', (event) => window.hits.push(event.data));
