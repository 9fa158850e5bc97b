// States, options, descriptions and errors of controls.
function isDisabled(el) {
  if (el.matches(':disabled') || el.inert || isOffWithin(el)) return true;
  if (!el.hasAttributes()) return false;
  if (el.hasAttribute('disabled') && !('disabled' in el)) return true;
  return styleOf(el).about.isOff && !el.matches('body,html');
}

// Whether it, or what it lies in, says that it is disabled.
function isOffWithin(el) {
  const path = [];
  let isOff = false;
  for (let at = el; at; at = parentOf(at)) {
    const look = styleOf(at);
    isOff = look.off ?? (look.marks & HAS_ARIA && at.matches('[aria-disabled=true]:not([role=columnheader],th)') ? true : undefined);
    if (isOff !== undefined) break;
    path.push(look);
  }
  for (const look of path) look.off = isOff === true;
  return isOff === true;
}

function checkedState(el) {
  const said = el.getAttribute('aria-checked');
  if (el.indeterminate === true || (said === 'mixed' && el.localName !== 'input')) return 'mixed';
  const checked = el.localName === 'input' && /^(checkbox|radio)$/.test(el.type) ? el.checked
    : said !== null ? said === 'true' : /(^|\s)(active|checked)(\s|$)/.test(classOf(el));
  return checked ? 'checked' : 'unchecked';
}

function expandedState(el) {
  const { marks, cls } = styleOf(el);
  if (marks & HAS_ARIA && el.hasAttribute('aria-expanded')) return is(el, 'aria-expanded');
  const toggle = marks & HAS_TOGGLE ? attr(el, 'data-toggle') || attr(el, 'data-bs-toggle') : '';
  if (toggle === 'dropdown' || /(^|\s)dropdown-toggle(\s|$)/.test(cls)) {
    return !!el.parentElement?.matches('.open,.show') || el.matches('.show');
  }
  if (toggle === 'collapse') return !el.matches('.collapsed');
  if (el.localName === 'summary') return !!el.parentElement?.open;
  return null;
}

function statesOf(el, role) {
  const states = [];
  const { marks, cls } = styleOf(el);
  const hasAria = (marks & HAS_ARIA) !== 0;
  const add = (condition, state) => condition && states.push(state);
  add(isDisabled(el), 'disabled');
  if (CHECKABLE.has(role)) states.push(checkedState(el));
  const expanded = role === 'tab' ? null : expandedState(el);
  if (expanded !== null) states.push(expanded ? 'expanded' : 'collapsed');
  add(isSelected(el, role), 'selected');
  if (hasAria) {
    const pressed = el.getAttribute('aria-pressed');
    add(pressed === 'true', 'pressed');
    add(pressed === 'mixed', 'mixed');
  }
  add(isRequired(el), 'required');
  const field = isField(el);
  add((hasAria && /^(true|grammar|spelling)$/.test(attr(el, 'aria-invalid'))) || (cls !== '' && el.matches('.is-invalid,.has-error'))
    || (field && !!closest(el, '.has-error')), 'invalid');
  add((hasAria && el.hasAttribute('aria-current') && attr(el, 'aria-current') !== 'false')
    || (role === 'link' && el.matches('.active,.active > *') && !!closest(el, 'nav,[role=navigation],.nav:not(.btn-group),.sidebar')), 'current');
  add(field && (el.readOnly === true || is(el, 'aria-readonly')), 'readonly');
  add(el.multiple === true || (hasAria && is(el, 'aria-multiselectable')) || (role === 'option' && !!el.closest('[aria-multiselectable=true]')), 'multiple');
  const popup = hasAria && attr(el, 'aria-haspopup');
  add((popup && popup !== 'false') || (marks & HAS_TOGGLE && (attr(el, 'data-toggle') === 'dropdown'
    || attr(el, 'data-bs-toggle') === 'dropdown')), 'haspopup');
  return states;
}

function isSelected(el, role) {
  if (styleOf(el).marks & HAS_ARIA && (is(el, 'aria-selected') || is(el, 'aria-pressed'))) return true;
  return role === 'tab' && !el.hasAttribute('aria-selected') && el.matches('.active,.active > *,.selected');
}

function isRequired(el) {
  const isSaid = styleOf(el).marks & HAS_ARIA && attr(el, 'aria-required');
  if (!isField(el) && !isSaid) return false;
  if (el.required || isSaid === 'true') return true;
  const label = el.labels?.[0] || (formGroup(el) || null)?.querySelector('label') || null;
  if (!label || (label.control && label.control !== el)) return false;
  return label.matches('.required') || !!label.querySelector('.hz-icon-required,.required')
    || /^\s*[*＊]|[*＊]\s*:?\s*$/.test(label.textContent) || !!label.nextElementSibling?.matches('.hz-icon-required');
}

const MENU_ITEMS = 'a,button,[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox]';

// The menu that a toggle opens, closed or open, where it is in the page already.
function menuOf(el) {
  if (expandedState(el) === null || isField(el)) return null;
  const pointed = byId(el, attr(el, 'aria-controls'));
  if (pointed?.matches('[role=menu],.dropdown-menu')) return pointed;
  const next = el.nextElementSibling;
  return next?.matches('[role=menu],.dropdown-menu') ? next : null;
}

function optionsOf(el) {
  if (el.localName === 'select') return [...el.options].slice(0, 1000).map((o) => fold(o.label || o.text)).filter(Boolean);
  if (el.list) return [...el.list.options].map((o) => fold(o.label || o.value)).filter(Boolean);
  const menu = menuOf(el);
  if (menu) return [...menu.querySelectorAll(MENU_ITEMS)].map((item) => textOf(item)).filter(Boolean).slice(0, 200);
  const { role, marks } = styleOf(el);
  if (role !== 'listbox' && !(marks & HAS_ARIA)) return [];
  const popup = attr(el, 'role') === 'listbox' ? el : byId(el, attr(el, 'aria-controls') || attr(el, 'aria-owns'));
  if (!popup || !isRendered(popup)) return [];
  return [...popup.querySelectorAll('[role=option]')].map((o) => textOf(o)).filter(Boolean).slice(0, 1000);
}

const ERRORS = '.help-block.alert-danger,.has-error .help-block,.error .help-inline,.invalid-feedback,.field-error,'
  + '.errorlist,.error-message,.form-error,.ant-form-item-explain-error,.el-form-item__error,.next-form-item-help,'
  + '[class*=field-error],[class*=error-text],.has-error .text-danger,.help-block.error';

function describe(el, name) {
  const parts = [referenced(el, 'aria-describedby')];
  const hint = hintName(el);
  if (hint && hint !== name) parts.push(hint);
  if (isField(el)) {
    const group = formGroup(el);
    if (group && fieldsIn(group) <= 3) {
      for (const icon of group.querySelectorAll('.help-icon')) parts.push(hintName(icon));
      for (const help of group.querySelectorAll('.help-block,.form-text,.help-text,.hint')) {
        if (!help.matches(ERRORS) && isShown(help)) parts.push(textOf(help));
      }
    }
  }
  return cap([...new Set(parts.filter(Boolean))].join(' '), 500);
}

function errorOf(el) {
  if (!isField(el)) return '';
  const pointed = attr(el, 'aria-errormessage') && byId(el, attr(el, 'aria-errormessage'));
  if (pointed && isShown(pointed)) return textOf(pointed);
  const group = formGroup(el) || el.parentElement;
  if (!group || fieldsIn(group) > 3) return '';
  const found = [...group.querySelectorAll(`${ERRORS},[role=alert]`)].filter(isShown);
  return cap([...new Set(found.map((x) => textOf(x)).filter(Boolean))].join(' '), 500);
}
