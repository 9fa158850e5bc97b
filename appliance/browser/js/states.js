// States, options, descriptions and errors of controls.
function isDisabled(el, style = styleOf(el)) {
  if (el.matches(':disabled') || el.inert || isOffWithin(style)) return true;
  if (!el.hasAttributes()) return false;
  if (el.hasAttribute('disabled') && !('disabled' in el)) return true;
  return style.about.isOff && !el.matches('body,html');
}

// Whether it, or what it lies in, says that it is disabled.
function isOffWithin(style) {
  if (style.off !== undefined) return style.off;
  if (style.marks & HAS_ARIA && style.el.matches('[aria-disabled=true]:not([role=columnheader],th)')) return style.off = true;
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

function statesOf(el, role, style = styleOf(el)) {
  const states = [];
  const { marks, isField: field } = style;
  if (isDisabled(el, style)) states.push('disabled');
  if (CHECKABLE.has(role)) states.push(checkedState(el));
  const expanded = role === 'tab' ? null : expandedState(el, style);
  if (expanded !== null) states.push(expanded ? 'expanded' : 'collapsed');
  if (isSelected(el, role, style)) states.push('selected');
  if (marks & HAS_ARIA) {
    const pressed = el.getAttribute('aria-pressed');
    if (pressed === 'true') states.push('pressed');
    else if (pressed === 'mixed') states.push('mixed');
  }
  if (isRequired(el, style)) states.push('required');
  if (isInvalid(el, style)) states.push('invalid');
  if (isCurrent(el, role, style)) states.push('current');
  if (field && (el.readOnly === true || (marks & HAS_ARIA && is(el, 'aria-readonly')))) states.push('readonly');
  if (isMultiple(el, role, style)) states.push('multiple');
  if (hasPopup(el, style)) states.push('haspopup');
  return states;
}

function isInvalid(el, { marks, about, isField: field }) {
  if (marks & HAS_ARIA && /^(true|grammar|spelling)$/.test(attr(el, 'aria-invalid'))) return true;
  return about.isInvalid || (field && !!closest(el, '.has-error'));
}

function isCurrent(el, role, { marks }) {
  if (marks & HAS_ARIA && el.hasAttribute('aria-current') && attr(el, 'aria-current') !== 'false') return true;
  return role === 'link' && el.matches('.active,.active > *') && !!closest(el, 'nav,[role=navigation],.nav:not(.btn-group),.sidebar');
}

function isMultiple(el, role, { marks }) {
  if (el.multiple === true || (marks & HAS_ARIA && is(el, 'aria-multiselectable'))) return true;
  return role === 'option' && !!el.closest('[aria-multiselectable=true]');
}

function hasPopup(el, { marks }) {
  const popup = marks & HAS_ARIA ? attr(el, 'aria-haspopup') : '';
  if (popup !== '' && popup !== 'false') return true;
  return (marks & HAS_TOGGLE) !== 0 && (attr(el, 'data-toggle') === 'dropdown' || attr(el, 'data-bs-toggle') === 'dropdown');
}

function isSelected(el, role, { marks }) {
  if (marks & HAS_ARIA && (is(el, 'aria-selected') || is(el, 'aria-pressed'))) return true;
  return role === 'tab' && !el.hasAttribute('aria-selected') && el.matches('.active,.active > *,.selected');
}

function isRequired(el, style) {
  const said = style.marks & HAS_ARIA ? attr(el, 'aria-required') : '';
  if (!style.isField && said === '') return false;
  if (el.required || said === 'true') return true;
  const label = el.labels?.[0] || (formGroup(el, style) || null)?.querySelector('label') || null;
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
  + '[class*=field-error],[class*=error-text],.has-error .text-danger,.help-block.error';

function describe(el, name, style = styleOf(el)) {
  if (!style.isField && !(style.marks & (HAS_ARIA | HAS_TITLE))) return '';
  const parts = [referenced(el, 'aria-describedby', style)];
  const hint = hintName(el, style);
  if (hint && hint !== name) parts.push(hint);
  if (style.isField) {
    const group = formGroup(el, style);
    if (group && fieldsIn(group) <= 3) {
      for (const icon of group.querySelectorAll('.help-icon')) parts.push(hintName(icon));
      for (const help of group.querySelectorAll('.help-block,.form-text,.help-text,.hint')) {
        if (!help.matches(ERRORS) && isShown(help)) parts.push(textOf(help));
      }
    }
  }
  return cap([...new Set(parts.filter(Boolean))].join(' '), 500);
}

const ALERTS = `${ERRORS},[role=alert]`;

function errorOf(el, style = styleOf(el)) {
  if (!style.isField) return '';
  const pointed = style.marks & HAS_ARIA ? byId(el, attr(el, 'aria-errormessage')) : null;
  if (pointed && isShown(pointed)) return textOf(pointed);
  const group = formGroup(el, style) || el.parentElement;
  if (!group || isCrowded(group) || group.querySelector(ALERTS) === null || fieldsIn(group) > 3) return '';
  const found = [...group.querySelectorAll(ALERTS)].filter(isShown);
  return cap([...new Set(found.map((x) => textOf(x)).filter(Boolean))].join(' '), 500);
}
