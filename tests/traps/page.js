// What the pages of the trap console do: menus, dialogs, changes, and the post that is the witness.
const main = document.querySelector('main');
const here = main.dataset;
let target = '';  // what an open dialog is about

const ticked = () => [...document.querySelectorAll('[data-tick]:checked')]
  .map(box => box.closest('tr').dataset.row);

function about(control) {
  const row = control.closest('[data-row]');
  if (row) return row.dataset.row;
  if (control.closest('[data-bar]')) return ticked().join('+');
  if (control.closest('dialog') && target) return target;
  if (here.of) return here.of;
  const field = control.closest('form')?.querySelector(
    'input:not([type=checkbox]):not([data-word]), select');
  return field ? field.value : '';
}

function bars() {
  for (const bar of document.querySelectorAll('[data-bar]'))
    for (const button of bar.querySelectorAll('[data-c]')) button.disabled = !ticked().length;
}

const filled = (text, row) => text.replaceAll('{row}', row.replaceAll('+', ', '));

function open(name, row) {
  const template = document.querySelector(`template[data-dialog="${name}"]`);
  const dialog = template.content.firstElementChild.cloneNode(true);
  document.querySelector('dialog')?.remove();
  target = row;
  const walker = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) walker.currentNode.data = filled(walker.currentNode.data, row);
  document.body.append(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  const word = dialog.querySelector('[data-word]');
  if (word) {
    const go = dialog.querySelector('[data-c]');
    go.disabled = true;
    word.addEventListener('input', () => { go.disabled = word.value !== word.dataset.word; });
  }
  if (dialog.dataset.becomes) {
    const next = JSON.parse(dialog.dataset.becomes);
    changing(dialog, next, () => {
      if (next.title) dialog.querySelector('h2').textContent = filled(next.title, row);
      if (next.body) dialog.querySelector('p').textContent = filled(next.body, row);
    });
  }
  dialog.querySelectorAll('[data-c]').forEach(prepare);
  dialog.showModal();
}

function changing(element, next, change) {
  const later = () => next.after_ms ? setTimeout(change, next.after_ms) : change();
  if ((next.on ?? 'render') === 'render') later();
  else element.addEventListener(next.on === 'hover' ? 'pointerover' : 'pointerdown', later,
    {once: true});
}

function prepare(control) {
  const next = JSON.parse(control.dataset.does).becomes;
  if (!next) return;
  changing(control, next, () => {
    if (next.label) control.textContent = next.label;
    if (next.id) control.dataset.c = next.id;
  });
}

async function post(control) {
  const does = JSON.parse(control.dataset.does);
  const row = about(control);
  const body = {control: control.dataset.c, target: row};
  if (control.dataset.get) {
    location = `do?${new URLSearchParams(body)}`;
    return;
  }
  await fetch(`/case/${here.case}/${here.here}/post`, {method: 'POST', body: JSON.stringify(body)});
  if (does.then) location = does.then;
  else location.reload();
}

document.addEventListener('click', event => {
  const control = event.target.closest('[data-c]');
  for (const menu of document.querySelectorAll('ul[role=menu]')) {
    if (menu.parentElement.contains(event.target)) continue;
    menu.hidden = true;
    menu.previousElementSibling.setAttribute('aria-expanded', 'false');
  }
  if (!control) return;
  event.preventDefault();
  const does = JSON.parse(control.dataset.does);
  const row = about(control);
  if (control.dataset.menu) {
    const menu = control.nextElementSibling;
    menu.hidden = !menu.hidden;
    control.setAttribute('aria-expanded', String(!menu.hidden));
  } else if (does.go === 'close') {
    control.closest('dialog').close();
  } else if (does.go) {
    location = row ? `${does.go}?row=${encodeURIComponent(row)}` : does.go;
  } else if (does.dialog) {
    open(does.dialog, row);
  } else if (!does.confirm || confirm(filled(does.confirm, row))) {
    post(control);
  }
});
document.addEventListener('submit', event => event.preventDefault());
document.addEventListener('change', event => {
  if (event.target.matches('[data-all]'))
    for (const box of document.querySelectorAll('[data-tick]')) box.checked = event.target.checked;
  bars();
});
document.querySelectorAll('[data-c]').forEach(prepare);
const boxes = [...document.querySelectorAll('[data-tick]')];
const all = document.querySelector('[data-all]');
if (all) all.checked = boxes.length > 0 && boxes.every(box => box.checked);
bars();
