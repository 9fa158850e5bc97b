// What a class attribute says. Pages use the same few hundred again and again: each is read once.
const CARD = /(^|\s)(card|panel|well|widget|accordion|accordion-item|transfer-section|tab-pane|modal-footer|modal-body|col-(xs|sm|md|lg|xl)-\d+|col)(\s|$)/;
const ICON = /(^|\s)(material-icons|material-symbols|mat-icon|glyphicon|icon-font)/;
// Titles that are not marked up as headings.
const TITLED = /(^|\s)(transfer-heading|panel-title|card-title|panel-heading|card-header|section-title|modal-title)(\s|$)/;
const LEVEL = /(?:^|\s)h([1-6])(?:\s|$)/;
const TOGGLE = /(^|\s)dropdown-toggle(\s|$)/;
const INVALID = /(^|\s)(is-invalid|has-error)(\s|$)/;
const DISABLED = /(^|\s)(disabled|is-disabled)(\s|$)/;
// What none of these is in matches no class of `NOTICES`, `ERRORS` and `FORM_GROUP`, which are dearer to ask for.
const NOTICE_LIKE = /alert|toast|message|flash|notice|notification|snack|growl|noty/i;
// With a word of these, what is like a notice is one, whatever the library calls it.
const TONED = /(?:^|[\s_-])(?:success|positive|error|danger|negative|fail|failed|failure|warn(?:ing)?|info|updated)(?=$|[\s_-])/i;
const ERROR_LIKE = /help|error|feedback|text-danger/i;
const GROUP_LIKE = /form|field|control-group/i;
const CLASSES_KEPT = 4000;
let classes = new Map();

function classRegion(cls) {
  const said = ` ${cls} `;
  if (/ (navbar|navbar-collapse|sidebar|nav-sidebar|side-nav|wizard-nav) /.test(said)) return 'navigation';
  if (/ dropdown-menu /.test(said)) return 'menu';
  if (/ (table_actions|btn-toolbar|toolbar|actions_column) /.test(said)) return 'toolbar';
  return / nav-tabs /.test(said) ? 'tablist' : '';
}

function readClass(cls) {
  const region = classRegion(cls);
  return {
    isCard: CARD.test(cls), isIcon: ICON.test(cls), isTitle: TITLED.test(cls), isOff: DISABLED.test(cls),
    isToggle: TOGGLE.test(cls), isInvalid: INVALID.test(cls), isThemable: cls.includes('themable-select'),
    level: Number(LEVEL.exec(cls)?.[1] || 0), region, surrounds: region !== '' || cls.includes('collapse'),
    likeNotice: NOTICE_LIKE.test(cls), isToned: TONED.test(cls), likeError: ERROR_LIKE.test(cls), likeGroup: GROUP_LIKE.test(cls),
    look: undefined, // asked for of icons only
  };
}

const NO_CLASS = readClass('');

function aboutClass(cls) {
  if (cls === '') return NO_CLASS;
  let about = classes.get(cls);
  if (!about) {
    if (classes.size >= CLASSES_KEPT) classes = new Map();
    classes.set(cls, about = readClass(cls));
  }
  return about;
}
