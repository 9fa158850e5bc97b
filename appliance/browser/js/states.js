// States, options, descriptions and errors of controls.
const MAY_BE_DISABLED = new Set(['button', 'input', 'select', 'textarea', 'fieldset', 'option', 'optgroup']);

function isDisabled(el, style = styleOf(el)) {
  if ((MAY_BE_DISABLED.has(style.tag) || style.tag.includes('-')) && el.matches(':disabled')) return true;
  if (el.inert || isOffWithin(style)) return true;
  if (style.marks & HAS_DISABLED && !('disabled' in el) && attr(el, 'disabled') !== 'false') return true;
  return style.about.isOff && !el.matches('body,html');
}

const saysOff = (el) => el.matches('[aria-disabled=true]:not([role=columnheader],th)');

// Whether it, or what it lies in, says that it is disabled.
function isOffWithin(style) {
  if (style.off !== undefined) return style.off; // the walk has come to it
  if (style.marks & HAS_ARIA && saysOff(style.el)) return style.off = true;
  const around = parentOf(style.el);
  return style.off = around !== null && isOffWithin(styleOf(around));
}

function checkedState(el) {
  const said = el.getAttribute('aria-checked');
  if (el.indeterminate === true || (said === 'mixed' && el.localName !== 'input')) return 'mixed';
  const checked = el.localName === 'input' && /^(checkbox|radio)$/.test(el.type) ? el.checked
    : said !== null ? said === 'true' : /(^|\s)(active|checked)(\s|$)/.test(classOf(el));
  return checked ? 'checked' : 'unchecked';
}

function expandedState(el, { marks, about, tag } = styleOf(el)) {
  if (marks & HAS_ARIA && el.hasAttribute('aria-expanded')) return is(el, 'aria-expanded');
  const toggle = marks & HAS_TOGGLE ? attr(el, 'data-toggle') || attr(el, 'data-bs-toggle') : '';
  if (toggle === 'dropdown' || about.isToggle) {
    return !!el.parentElement?.matches('.open,.show') || el.matches('.show');
  }
  if (toggle === 'collapse') return !el.matches('.collapsed');
  return tag === 'summary' ? !!el.parentElement?.open : null;
}

// Most elements say nothing of their states: only what may have one is asked for it.
function statesOf(el, role, style = styleOf(el)) {
  const states = [];
  const { marks, about, isField } = style;
  if (isDisabled(el, style)) states.push('disabled');
  if (CHECKABLE.has(role)) states.push(checkedState(el));
  if (role !== 'tab' && (marks & MAY_OPEN || style.tag === 'summary')) openState(el, style, states);
  if (marks & HAS_TOGGLE && isMenuToggle(el)) states.push('haspopup');
  if (role === 'menuitem' && !(marks & MAY_OPEN)) innerPopup(el, states);
  if (marks & HAS_ARIA) saidStates(el, states);
  const list = listBehind(el);
  if (isField || list) fieldStates(list || el, style, states);
  if (about.isInvalid) states.push('invalid');
  if (role === 'link' && isActiveLink(el)) states.push('current');
  if (role === 'tab' && !el.hasAttribute('aria-selected') && el.matches('.active,.active > *,.selected')) states.push('selected');
  if (role === 'option' && el.closest('[aria-multiselectable=true]')) states.push('multiple');
  if (CARET_ROLES.has(role) && el.firstElementChild && !states.some((state) => OPENING.has(state)) && hasCaret(el)) states.push('caret');
  return states;
}

const CARET_ROLES = new Set(['button', 'link']);
const OPENING = new Set(['haspopup', 'expanded', 'collapsed']);

// Whether the last that is drawn in a control with words points down: it may open a menu, or send, sort or unfold.
function hasCaret(el) {
  let last = el;
  while (last.lastElementChild && last.localName !== 'svg' && !fold(last.lastChild.data || '')) last = last.lastElementChild;
  if (last === el || fold(last.textContent) || fold(last.nextSibling?.data || '')) return false;
  return (saidLook(last) || drawnLook(last)) === '▾' && textOf(el) !== '' && !closest(el, 'th,[role=columnheader]');
}

// The part of an entry of a menu that says that it opens another one, and has no role of its own.
function innerPopup(el, states) {
  const part = el.querySelector(':is([role=presentation],[role=none])[aria-haspopup]:not([aria-haspopup=false])');
  if (!part || part.closest('[role=menuitem]') !== el) return;
  states.push('haspopup', is(part, 'aria-expanded') ? 'expanded' : 'collapsed');
}

function openState(el, style, states) {
  const expanded = expandedState(el, style);
  if (expanded !== null) states.push(expanded ? 'expanded' : 'collapsed');
}

function saidStates(el, states) {
  const pressed = attr(el, 'aria-pressed');
  if (pressed === 'true' || is(el, 'aria-selected')) states.push('selected');
  if (pressed === 'true') states.push('pressed');
  else if (pressed === 'mixed') states.push('mixed');
  if (is(el, 'aria-required')) states.push('required');
  if (isInvalid(el)) states.push('invalid');
  if (!/^(false)?$/.test(attr(el, 'aria-current'))) states.push('current');
  if (is(el, 'aria-multiselectable')) states.push('multiple');
  if (!/^(false)?$/.test(attr(el, 'aria-haspopup'))) states.push('haspopup');
}

function fieldStates(el, style, states) {
  if (isRequired(el, style)) states.push('required');
  if (closest(el, '.has-error')) states.push('invalid');
  if (el.readOnly === true || (style.marks & HAS_ARIA && is(el, 'aria-readonly'))) states.push('readonly');
  if (el.multiple === true) states.push('multiple');
}

const isMenuToggle = (el) => attr(el, 'data-toggle') === 'dropdown' || attr(el, 'data-bs-toggle') === 'dropdown';
const isActiveLink = (el) => el.matches('.active,.active > *') && !!closest(el, 'nav,[role=navigation],.nav:not(.btn-group),.sidebar');

function isRequired(el, style) {
  if (el.required) return true;
  const label = labelsOf(el)[0] || (formGroup(el, style) || null)?.querySelector('label') || null;
  if (!label || (label.control && label.control !== el)) return false;
  return label.matches('.required') || !!label.querySelector('.hz-icon-required,.required')
    || /^\s*[*＊]|[*＊]\s*:?\s*$/.test(label.textContent) || !!label.nextElementSibling?.matches('.hz-icon-required');
}

const MENU_ITEMS = 'a,button,[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox]';

// The menu that a toggle opens, closed or open, where it is in the page already.
function menuOf(el, style) {
  if (style.isField || expandedState(el, style) === null) return null;
  const pointed = byId(el, attr(el, 'aria-controls'));
  if (pointed?.matches('[role=menu],.dropdown-menu')) return pointed;
  const next = el.nextElementSibling;
  return next?.matches('[role=menu],.dropdown-menu') ? next : null;
}

function optionsOf(el, style) {
  const { tag, role, marks } = style;
  if (tag === 'select') return [...el.options].slice(0, 1000).map((o) => fold(o.label || o.text)).filter(Boolean);
  if (el.list) return [...el.list.options].map((o) => fold(o.label || o.value)).filter(Boolean);
  const menu = menuOf(el, style);
  if (menu) return [...menu.querySelectorAll(MENU_ITEMS)].map((item) => textOf(item)).filter(Boolean).slice(0, 200);
  if (role !== 'listbox' && !(marks & HAS_ARIA)) return NONE;
  const popup = attr(el, 'role') === 'listbox' ? el : byId(el, attr(el, 'aria-controls') || attr(el, 'aria-owns'));
  if (!popup || !isRendered(popup)) return NONE;
  return [...popup.querySelectorAll('[role=option]')].map((o) => textOf(o)).filter(Boolean).slice(0, 1000);
}

const ERRORS = '.help-block.alert-danger,.has-error .help-block,.error .help-inline,.invalid-feedback,.field-error,'
  + '.errorlist,.error-message,.form-error,.ant-form-item-explain-error,.el-form-item__error,.next-form-item-help,'
  + '[class*=field-error],[class*=error-text],.has-error .text-danger,.help-block.error,'
  + '.is-invalid [class*=feedback-text],[class*=HelperText][class*=-error]';

// One tip for many controls says what the mouse was on last.
const isTipOfAll = (ref) => ref.matches(TIP) && document.querySelectorAll(`[aria-describedby~="${CSS.escape(ref.id)}"]`).length > 1;

function describe(el, name, style = styleOf(el)) {
  const group = style.isField ? formGroup(el, style) : false;
  if (!group && !(style.marks & (HAS_ARIA | HAS_TITLE))) return '';
  const parts = [style.marks & HAS_ARIA ? referenced(el, 'aria-describedby', style, isTipOfAll) : ''];
  const hint = hintName(el, style);
  if (hint && hint !== name) parts.push(hint);
  if (group && fieldsIn(group) <= 3) {
    for (const icon of group.querySelectorAll('.help-icon')) parts.push(hintName(icon));
    for (const help of group.querySelectorAll('.help-block,.form-text,.help-text,.hint')) {
      if (!help.matches(ERRORS) && isShown(help)) parts.push(textOf(help));
    }
  }
  return cap([...new Set(parts.filter(Boolean))].join(' '), 500);
}

const BOUNDS = ['minlength', 'maxlength', 'min', 'max', 'pattern', 'aria-valuemin', 'aria-valuemax'];

// A script's own expression, slashes and all, is in the wrong place there: whether the page goes by it is not known.
const MISPLACED = /^\/.+\/[a-z]*$/;

// What the field says itself of the values that it takes.
function boundsOf(el) {
  let told;
  for (const name of BOUNDS) {
    if (el.hasAttribute(name) && !MISPLACED.test(attr(el, name))) (told ??= {})[name] = cap(attr(el, name), 300);
  }
  return told;
}

// What is around a field and no other one, where no class says so.
function ownBox(el) {
  let box = el.parentElement;
  for (let up = 0; up < 4 && box?.parentElement; up++) {
    const outer = box.parentElement;
    if (outer.matches('form,fieldset,section,main,body,[role=dialog]') || fieldsIn(outer) !== 1) break;
    box = outer;
  }
  return box;
}

const isInvalid = (el) => /^(true|grammar|spelling)$/.test(attr(el, 'aria-invalid'));
const SAYS_ERROR = /error|message|invalid|feedback|danger/i;

const IS_ERROR = /error/i;

// What a field is described by, as far as its name says that it is about errors: less has to be said where it is marked as wrong.
function describedError(el) {
  const refs = attr(el, 'aria-describedby').split(/\s+/).map((id) => byId(el, id));
  const says = isInvalid(el) ? SAYS_ERROR : IS_ERROR;
  const about = refs.filter((ref) => ref && says.test(`${ref.id} ${attr(ref, 'class')}`) && isShown(ref));
  return cap(fold(about.map((ref) => textOf(ref)).join(' ')), 500);
}

const ALERTS = `${ERRORS},[role=alert]`;

function errorOf(el, style = styleOf(el)) {
  if (!style.isField) return '';
  const pointed = style.marks & HAS_ARIA ? byId(el, attr(el, 'aria-errormessage')) : null;
  if (pointed && isShown(pointed)) return textOf(pointed);
  const described = style.marks & HAS_ARIA ? describedError(el) : '';
  if (described) return described;
  return shownError(el, style) || refusal(el);
}

function shownError(el, style) {
  const group = formGroup(el, style) || ownBox(el);
  if (!group || isCrowded(group) || group.querySelector(ALERTS) === null || fieldsIn(group) > 3) return '';
  const found = [...group.querySelectorAll(ALERTS)].filter(isShown);
  return cap([...new Set(found.map((x) => textOf(x)).filter(Boolean))].join(' '), 500);
}

// What the browser itself says where a form is not sent, in a bubble that is no part of the page.
const refusal = (el) => (el.willValidate && el.matches(':user-invalid') ? cap(fold(el.validationMessage), 500) : '');
