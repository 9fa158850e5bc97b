// What icons look like: the name that one without words gets, and what icon libraries call a drawing of that look.
// Signs are named by themselves, drawings by what they stand for. `scripts/icons` finds the shapes by the same names.
const LOOKS = {
  '+': 'plus add plus-circle circle-plus add-circle circle-add plus-square square-plus plus-box add-box plus-lg plus-thick add-large add-alt plus-sign',
  '-': 'minus subtract dash minus-circle circle-minus minus-square square-minus minus-box dash-lg dash-circle subtract-circle remove-circle indeterminate-check-box do-not-disturb-on minus-sign',
  '×': 'times close x xmark x-mark cross cancel clear remove x-lg x-circle circle-x close-circle circle-close times-circle circle-xmark '
    + 'dismiss dismiss-circle x-square square-x close-box close-square times-square highlight-off close-large cross-circle remove-sign',
  check: 'check checkmark check-mark done tick check-lg check-bold check-thick check-small check-circle circle-check checkmark-circle task-alt checkmark-outline ok',
  '⋮': 'more-vert ellipsis-v ellipsis-vertical dots-vertical more-vertical three-dots-vertical dots-three-vertical overflow-menu-vertical kebab more-2 option-vertical',
  '…': 'ellipsis more-horiz ellipsis-h ellipsis-horizontal dots-horizontal more-horizontal three-dots dots-three kebab-horizontal '
    + 'overflow-menu-horizontal more more-circle dots option-horizontal',
  '☰': 'menu bars hamburger three-bars bars-3 bars-3-bottom-left menu-2 menu-4 menu-5 menu-hamburger menu-fold menu-unfold reorder',
  '▾': 'caret-down chevron-down angle-down arrow-drop-down expand-more keyboard-arrow-down menu-down triangle-down arrow-down-s caret-bottom '
    + 'chevron-down-circle circle-chevron-down chevron-circle-down angle-down-solid caret-down-small',
  '▴': 'caret-up chevron-up angle-up arrow-drop-up expand-less keyboard-arrow-up menu-up triangle-up arrow-up-s caret-top chevron-up-circle circle-chevron-up chevron-circle-up',
  '▸': 'caret-right chevron-right angle-right keyboard-arrow-right navigate-next menu-right triangle-right arrow-right-s arrow-forward-ios chevron-forward chevron-right-circle circle-chevron-right chevron-circle-right',
  '◂': 'caret-left chevron-left angle-left keyboard-arrow-left navigate-before menu-left triangle-left arrow-left-s arrow-back-ios arrow-back-ios-new chevron-back chevron-left-circle circle-chevron-left chevron-circle-left',
  '«': 'chevrons-left chevron-double-left angle-double-left angles-left first-page page-first double-left d-arrow-left caret-double-left chevron-bar-left keyboard-double-arrow-left arrow-left-double',
  '»': 'chevrons-right chevron-double-right angle-double-right angles-right last-page page-last double-right d-arrow-right caret-double-right chevron-bar-right keyboard-double-arrow-right arrow-right-double',
  '↑': 'arrow-up arrow-upward arrow-up-circle circle-arrow-up arrow-circle-up',
  '↓': 'arrow-down arrow-downward arrow-down-circle circle-arrow-down arrow-circle-down south',
  '←': 'arrow-left arrow-back arrow-left-circle circle-arrow-left arrow-circle-left keyboard-backspace',
  '→': 'arrow-right arrow-forward arrow-right-circle circle-arrow-right arrow-circle-right arrow-right-alt',
  '?': 'help question question-circle circle-question question-mark question-mark-circle help-circle circle-help circle-question-mark question-sign help-center',
  i: 'info info-circle circle-info information information-circle info-sign information-variant',
  warning: 'warning alert alert-triangle triangle-alert exclamation-triangle triangle-exclamation report-problem warning-triangle warning-circle exclamation-circle circle-exclamation alert-circle circle-alert',
  edit: 'pencil pen edit create square-pen pen-to-square pencil-square pen-square edit-2 edit-3 pencil-line pen-line mode-edit pencil-alt rename pen-box '
    + 'pencil-box edit-pen edit-box note-pencil pencil-simple pencil-simple-line square-edit pencil-circle edit-note edit-square edit-circle drive-file-rename '
    + 'border-color lead-pencil',
  delete: 'trash delete trash-can bin delete-bin delete-forever trash-simple trash-x recycle-bin rubbish garbage bin-garbage delete-empty',
  settings: 'settings gear cog cogs gears setting gear-six gear-fine gear-wide gear-wide-connected cog-6-tooth cog-8-tooth wrench spanner tool build settings-applications',
  sliders: 'sliders tune adjustments options sliders-h settings-2 settings-adjust sliders-horizontal sliders-vertical adjustments-horizontal adjustments-vertical faders faders-horizontal '
    + 'sliders-simple equalizer filter-adjust settings-input-component',
  search: 'search magnify magnifying-glass magnifier loupe',
  'zoom in': 'zoom-in magnify-plus magnifying-glass-plus search-plus',
  'zoom out': 'zoom-out magnify-minus magnifying-glass-minus search-minus',
  copy: 'copy content-copy file-copy clipboard-copy copy-document document-duplicate duplicate clone copy-simple square-2-stack files copy-to-clipboard',
  clipboard: 'clipboard paste content-paste assignment clipboard-text clipboard-list',
  download: 'download file-download get-app cloud-download download-cloud tray-arrow-down arrow-down-tray download-simple save-alt document-download cloud-arrow-down arrow-download cloud-download-alt download-2',
  upload: 'upload file-upload cloud-upload upload-cloud tray-arrow-up arrow-up-tray publish upload-simple document-upload cloud-arrow-up arrow-upload backup cloud-upload-alt upload-2',
  refresh: 'refresh sync reload rotate-cw arrow-clockwise arrow-repeat renew refresh-cw refresh-ccw arrows-rotate rotate-right arrow-rotate-right autorenew cached loop refresh-right '
    + 'arrows-clockwise arrows-counter-clockwise arrow-sync arrow-path restart restart-alt repeat',
  undo: 'undo arrow-uturn-left rotate-ccw arrow-counterclockwise undo-2 arrow-back-up arrow-hook-up-left rotate-left arrow-u-up-left undo-variant refresh-left',
  redo: 'redo arrow-uturn-right redo-2 arrow-forward-up arrow-hook-up-right arrow-u-up-right redo-variant',
  star: 'star grade star-border star-rate', heart: 'heart favorite favourite favorite-border heart-straight',
  notifications: 'bell notifications notifications-none bell-simple alert-bell',
  user: 'user person account account-circle user-circle circle-user avatar account-box person-circle user-round circle-user-round user-avatar user-square contact-circle',
  users: 'users people group account-group account-multiple user-multiple user-group user-friends team groups users-round persons users-three peoples',
  'add user': 'user-plus person-add account-plus user-add user-follow person-plus add-user user-round-plus',
  show: 'eye visibility view remove-red-eye eye-open',
  hide: 'eye-off eye-slash visibility-off eye-closed hide view-off eye-invisible eye-close',
  lock: 'lock lock-closed locked lock-simple', unlock: 'unlock lock-open unlocked lock-open-variant lock-simple-open', key: 'key vpn-key key-round',
  play: 'play play-arrow play-circle circle-play player-play video-play', stop: 'stop stop-circle circle-stop player-stop',
  pause: 'pause pause-circle circle-pause player-pause video-pause', power: 'power power-off power-settings-new poweroff switch-button',
  'log out': 'logout log-out sign-out exit-to-app arrow-right-from-bracket right-from-bracket box-arrow-right arrow-right-start-on-rectangle arrow-right-on-rectangle logout-variant exit log-out-circle',
  'log in': 'login log-in sign-in arrow-right-to-bracket right-to-bracket box-arrow-in-right arrow-left-end-on-rectangle arrow-left-on-rectangle login-variant',
  filter: 'filter funnel filter-list filter-alt filter-variant funnel-simple',
  sort: 'sort swap-vert arrow-up-down arrow-down-up sort-variant arrows-sort arrow-sort arrows-down-up sort-ascending sort-descending',
  swap: 'swap swap-horiz arrow-left-right arrow-right-left exchange swap-horizontal arrows-left-right right-left transfer swap-right',
  home: 'home house house-door home-simple home-variant', link: 'link link-2 insert-link chain link-45deg link-variant link-simple',
  unlink: 'unlink link-off link-slash link-break link-2-off link-variant-off',
  'external link': 'external-link open-in-new arrow-up-right-from-square box-arrow-up-right launch link-external arrow-top-right-on-square arrow-square-out '
    + 'square-arrow-out-up-right up-right-from-square open external new-window',
  share: 'share share-2 share-alt share-variant share-nodes share-network ios-share', send: 'send paper-plane paper-airplane send-2 paper-plane-tilt',
  save: 'save floppy floppy-disk content-save device-floppy diskette', print: 'print printer',
  calendar: 'calendar calendar-today event calendar-month date-range calendar-days calendar-event calendar-blank calendar-range calendar-ltr',
  history: 'history clock-history clock-rotate-left clock-counter-clockwise recently-viewed', clock: 'clock access-time schedule time clock-circle watch-later query-builder clock-hour-4 clock-time-four',
  folder: 'folder folder-open folder-opened file-directory folder-simple', 'new folder': 'folder-plus folder-add create-new-folder new-folder',
  file: 'file document description insert-drive-file file-text file-earmark file-earmark-text file-document file-lines file-blank document-text article',
  'new file': 'file-plus file-add note-add document-add document-plus file-earmark-plus file-plus-2 new-file',
  tag: 'tag label local-offer price-tag price-tag-3 pricetag tags price-tags pricetags', bookmark: 'bookmark bookmark-border bookmark-simple', flag: 'flag outlined-flag',
  pin: 'pin push-pin pushpin thumbtack pin-angle', archive: 'archive archive-box box-archive archive-alt archive-arrow-down', box: 'box package package-variant cube box-seam package-variant-closed',
  cloud: 'cloud cloud-queue', database: 'database circle-stack data-base database-alt', server: 'server dns storage hdd-stack hard-drives server-2 bare-metal-server hdd hdd-network',
  chart: 'bar-chart chart-bar bar-chart-2 chart-column insert-chart chart-line line-chart chart-line-variant analytics show-chart chart-area pie-chart chart-pie stats-chart bar-chart-line graph-up data-line',
  dashboard: 'dashboard gauge speedometer layout-dashboard view-dashboard tachometer-alt speed',
  code: 'code code-slash code-tags code-xml code-bracket code-simple', terminal: 'terminal console command-line square-terminal terminal-window terminal-box window-console',
  branch: 'git-branch source-branch code-branch branch', bug: 'bug bug-report',
  expand: 'fullscreen expand maximize maximize-2 arrows-maximize full-screen arrows-fullscreen expand-arrows-alt arrows-out open-in-full up-right-and-down-left-from-center '
    + 'arrows-pointing-out arrow-maximize arrow-expand arrows-angle-expand expand-alt corners-out',
  collapse: 'fullscreen-exit exit-full-screen minimize minimize-2 compress collapse arrows-minimize arrows-in arrows-pointing-in close-fullscreen arrow-minimize arrow-collapse '
    + 'down-left-and-up-right-to-center arrows-angle-contract compress-alt corners-in',
  drag: 'drag-handle grip-vertical drag-indicator grip-lines draggable dots-six-vertical grip grip-horizontal grip-dots-vertical holder drag-vertical drag re-order-dots-vertical grabber',
  move: 'move arrows-move open-with arrows-alt arrows-up-down-left-right cursor-move drag-move arrow-all',
  attach: 'paperclip attach-file paper-clip attach attachment attachment-2', mail: 'mail email envelope mail-outline markunread envelope-simple',
  comment: 'comment chat message message-circle message-square chat-bubble comments chat-left bubble comment-dots chat-bubble-outline chat-bubble-left chat-dots chat-text '
    + 'chatbubble comment-discussion chat-circle chat-square',
  grid: 'grid view-module grid-view apps view-grid layout-grid squares-2x2 th th-large grid-fill grid-3x3-gap appstore grid-four grid-2',
  list: 'list list-ul view-list format-list-bulleted list-unordered list-bullet list-bullets unordered-list list-task bulletlist',
  table: 'table table-cells table-2 table-large table-properties', columns: 'columns view-column layout-columns columns-3 table-columns view-columns',
  sidebar: 'sidebar layout-sidebar panel-left sidebar-simple panel-left-close panel-left-open',
  'thumbs up': 'thumbs-up thumb-up hand-thumbs-up like', 'thumbs down': 'thumbs-down thumb-down hand-thumbs-down dislike',
  globe: 'globe public earth web globe-alt world', location: 'map-marker location-on geo-alt location-dot map-pin place location map-marker-alt',
  image: 'image picture photo insert-photo', book: 'book menu-book book-open', bolt: 'bolt lightning flash zap flash-on lightning-charge thunderbolt',
  shield: 'shield security shield-check', cart: 'cart shopping-cart', 'credit card': 'credit-card payment', moon: 'moon dark-mode', sun: 'sun light-mode brightness-high',
  translate: 'translate languages language', plug: 'plug power-plug plug-connected', rocket: 'rocket rocket-launch',
};
let lookOfName = null; // made where a page has the first icon without words
const knownLooks = () => lookOfName ??= new Map(Object.entries(LOOKS).flatMap(([look, names]) => names.split(' ').map((name) => [name, look])));

// What libraries put before the name of a look, and after it: weight, size and kind of drawing.
const LIBRARY = new RegExp('^(?:svg-)?(?:(?:(?:[a-z]{1,4}-)?icons?|ico|ic|i|fa[bdlrs]?|glyphicon|bi|mdi|lucide|feather|tabler|octicon|codicon|anticon'
  + '|ri|ti|ph|pi|bxs?|oi|la|k-i|cil|ion|carbon|heroicons?|material-symbols|rh-(?:ui|standard|micron))-)+');
const MANNER = /-?(?:outlined?|fill(?:ed)?|line|solid|regular|sharp|round(?:ed)?|two-?tone|duotone|thin|light|bold|alt|icon|sign|o|[0-9]+(?:-?px)?)$/;

// The look that an icon library's name stands for; empty for names that say none.
function lookOf(said, known = knownLooks()) {
  let name = kebab(said).replace(LIBRARY, '');
  for (let left = 4; left; left--) {
    const look = known.get(name);
    if (look !== undefined) return look;
    const shorter = name.replace(MANNER, '');
    if (shorter === name || shorter.length < 3) break;
    name = shorter;
  }
  return '';
}

const kebab = (said) => said.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase().replace(/[\s_:.-]+/g, '-').replace(/^-|-$/g, '');
