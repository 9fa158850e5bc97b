// The fields of a log-in form, found by what they are and what is written at them. A selector for
// each, so that they are filled as a person would. Nothing in the page is changed.
() => {
  const USER = /user|log.?in|sign.?in|account|e-?mail|\bname\b|\buid\b|用户|账号|帐号|账户|邮箱/i;
  const CODE = /one.?time|\botp\b|totp|\b2fa\b|\bmfa\b|two.?factor|authenticator|verification code|security code|passcode|动态码|动态口令|验证码|校验码/i;
  const WORD_CODE = /\bcode\b/i;
  const GO = /log.?in|sign.?in|next|continue|submit|verify|confirm|登\s*录|登\s*陆|下一步|继续|提交|验证|确定/i;
  const seen = (el) => {
    const box = el.getBoundingClientRect(), style = getComputedStyle(el);
    return box.width > 1 && box.height > 1 && style.visibility !== 'hidden' && style.display !== 'none';
  };
  const said = (el) => [el.name, el.id, el.placeholder, el.autocomplete, el.getAttribute('aria-label'),
    ...[...(el.labels || [])].map((label) => label.textContent)].filter(Boolean).join(' ');
  const selector = (el) => {
    const parts = [];
    for (let at = el; at && at !== document.documentElement; at = at.parentElement) {
      if (at.id && document.querySelectorAll('#' + CSS.escape(at.id)).length === 1) {
        return ['#' + CSS.escape(at.id), ...parts].join(' > ');
      }
      const same = [...at.parentElement.children].filter((one) => one.tagName === at.tagName);
      parts.unshift(`${at.tagName.toLowerCase()}:nth-of-type(${same.indexOf(at) + 1})`);
    }
    return ['html', ...parts].join(' > ');
  };
  const inputs = [...document.querySelectorAll('input')]
    .filter((el) => seen(el) && !el.disabled && !el.readOnly);
  const isCode = (el) => el.autocomplete === 'one-time-code' || CODE.test(said(el))
    || (WORD_CODE.test(said(el)) && (el.inputMode === 'numeric' || (el.maxLength > 0 && el.maxLength <= 10)));
  const password = inputs.find((el) => el.type === 'password' && !isCode(el));
  const code = inputs.find((el) => ['text', 'password', 'tel', 'number'].includes(el.type) && isCode(el));
  const texts = inputs.filter((el) => ['text', 'email', 'tel'].includes(el.type) && el !== code);
  const before = (el) => password.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_PRECEDING;
  const near = password
    ? texts.filter((el) => before(el) && (!password.form || el.form === password.form))
    : texts.filter((el) => el.autocomplete === 'username' || USER.test(said(el)));
  const user = near.filter((el) => USER.test(said(el))).pop() || near.pop();
  const last = password || code || user;
  const buttons = [...(last && last.form ? last.form : document).querySelectorAll(
    'button, input[type=submit], input[type=button], [role=button]')].filter(seen);
  const isSubmit = (el) => el.type === 'submit' && last && last.form && el.form === last.form;
  const go = last && (buttons.find((el) => isSubmit(el) && GO.test(el.value + ' ' + el.textContent))
    || buttons.find(isSubmit)
    || buttons.find((el) => GO.test((el.value || '') + ' ' + el.textContent)));
  const refusals = [...document.querySelectorAll(
    '[role=alert], [aria-live=assertive], [class*=error i], [class*=alert i], [class*=danger i], [class*=invalid i]')]
    .filter(seen).map((el) => el.innerText.replace(/\s+/g, ' ').trim()).filter(Boolean);
  const captcha = document.querySelector(
    'iframe[src*=captcha i], [class*=captcha i], [id*=captcha i]');
  return {
    user: user ? selector(user) : '', password: password ? selector(password) : '',
    code: code ? selector(code) : '', go: go ? selector(go) : '',
    refusal: (refusals[0] || '').slice(0, 300), captcha: Boolean(captcha && seen(captcha)),
    document: performance.timeOrigin, title: document.title,
  };
}
