"""What comes in between: pop-ups that no text speaks of, and the end of the session.

A tour, a survey or a cookie banner is closed by the control that harms nothing: no divergence.
What the text is about, or what the step's own click has opened, is never closed.
"""

import re
from collections.abc import Iterable

from appliance.core import actions
from appliance.core.errors import ConsoleError
from appliance.core.page import Element, Observation, Performed
from appliance.language.names import same
from appliance.policy.base import Decision
from appliance.policy.literal.match.grounding import is_enabled, is_field
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Session

_PUT_OFF = re.compile(
    r"(?:ok(?:ay)?,? )?got it|i understand,? thanks"
    r"|(?:skip|end|exit|close)(?: (?:the )?(?:tour|survey|intro\w*|guide)| for now| all)?"
    r"|not now|(?:maybe|ask me|remind me|do it)? ?later|no,? thanks?|dismiss"
    r"|do(?:n't| not) show (?:this )?again|(?:reject|decline)(?: all)?(?: cookies)?"
    r"|(?:only |strictly )?necessary(?: cookies)?(?: only)?"
    r"|(?:我)?知道了|明白了|跳过(?:引导|教程)?|以后再说|稍后(?:再说|提醒)?|暂不\w*|下次再说"
    r"|不再(?:提示|显示)|不,?谢谢|拒绝(?:全部)?",
    re.IGNORECASE,
)
"""Names that only dismiss something: no confirmation has such a button."""
_CLOSE = re.compile(r"close|[×✕✖x]|关闭", re.IGNORECASE)
_CONTINUES = re.compile(
    r"(?:next|previous|back|take|start|show)(?: (?:the )?tour| me)?|learn more.*"
    r"|accept(?: all)?(?: cookies)?|\d(?: stars?)?"
    r"|下一步|上一步|开始(?:引导|体验)|了解更多|查看详情|接受(?:全部)?|同意",
    re.IGNORECASE,
)
_ACKNOWLEDGES = re.compile(
    r"ok(?:ay)?|continue|next|done|understood|(?:get )?started?|let[’']?s go"
    r"|好的?|确定|继续|下一步|完成|开始使用",
    re.IGNORECASE,
)
"""Names of the only button of a message, which can only be acknowledged."""
_COOKIES = re.compile(r"accept(?: all)?(?: cookies)?|接受(?:全部)?|同意", re.IGNORECASE)
_SESSION_ENDED = re.compile(
    r"\b(?:session|log-?in|sign-?in)\b.{0,30}\b(?:expired|ended|timed out|is over|no longer valid)"
    r"|\byou (?:have been|were|are) (?:signed|logged) out\b"
    r"|(?:会话|登录|登陆).{0,8}(?:过期|失效|超时|结束)",
    re.IGNORECASE,
)
_SIGNS_OUT = re.compile(r"\b(?:sign|log)s? ?(?:out|off)\b|退出登录|注销|登出", re.IGNORECASE)
_LOOKAHEAD = 3
"""Instructions looked at to tell whether the text is about the open dialog."""


class Interruptions:
    """Stands between page and script: closes what is in the way, then lets the script go on."""

    def __init__(self, s: Session) -> None:
        self._s = s
        self._closed = 0
        self._last_closed: int | None = None
        self._last_decision: Decision | None = None
        self._suspended: tuple[Decision, Performed | None] | None = None
        self._dialogs: tuple[str, ...] = ()
        self._forms: set[str] = set()
        """Titles of open dialogs with fields that the text's own clicks have opened: on the tab
        that shows now there may be none."""

    def remember(self, decision: Decision) -> Decision:
        """Remember the script's decision, and return it."""
        self._last_decision = decision
        return decision

    def clear(self, view: Observation, last: Performed | None) -> Decision | None:
        """The decision that closes what is in the way; None when nothing is.

        Raises:
            ConsoleError: The session is over.
        """
        _check_session(self._s, view)
        dialogs_before, self._dialogs = self._dialogs, view.dialogs
        is_own = self._is_opened_by_click(view, dialogs_before)
        self._forms = (self._forms & set(view.dialogs)) | (
            _titles_of_forms(view) if is_own else set()
        )
        is_form = bool(view.dialogs) and view.dialogs[-1] in self._forms
        button = None if is_form else _button_to_put_off(self._s, view, is_own)
        if button is None and last is not None and "covered by" in last.error:
            button = _button_of_bar(view)
            # a second click on the same button would not help
            button = None if button is not None and button.id == self._last_closed else button
        if button is None or self._closed > 12:
            return None
        if self._suspended is None and self._last_decision is not None:
            self._suspended = (self._last_decision, last)
        self._closed += 1
        self._last_closed = button.id
        title = view.dialogs[-1] if button.dialog is not None and view.dialogs else "what covers it"
        return Decision(
            action=actions.Click(button.id),
            step=self._s.step,
            thought=f'close "{title}", which the text does not speak of, with "{button.name}"',
        )

    def resume(
        self, view: Observation, last: Performed | None
    ) -> tuple[Decision | None, Performed | None]:
        """After the closing: the suspended decision again if it failed, else its result."""
        if self._suspended is None:
            return None, last
        decision, result = self._suspended
        self._suspended = None
        if result is not None and not result.ok and decision.action.element is not None:
            return Decision(
                action=decision.action, step=decision.step, thought=decision.thought
            ), None
        return None, result

    def _is_opened_by_click(self, view: Observation, dialogs_before: tuple[str, ...]) -> bool:
        """Whether the dialog came right after a click on something other than navigation."""
        if self._last_decision is None or len(view.dialogs) <= len(dialogs_before):
            return False
        clicked = self._s.clicked
        return clicked is not None and clicked.role != "link" and clicked.region != "navigation"


def _check_session(s: Session, view: Observation) -> None:
    if s.task.is_log_in:
        return
    title = view.dialogs[-1] if view.dialogs else ""
    says_ended = bool(_SESSION_ENDED.search(title))
    asks = any(e.type == "password" for e in view.elements) and s.has_acted and _is_log_in(view)
    if (says_ended or asks) and not _SIGNS_OUT.search(_whole_text(s)):
        raise ConsoleError("the session is over: the console asks to sign in again")


def _is_log_in(view: Observation) -> bool:
    """Whether it is a log-in page: a user name, a password, and a button to sign in."""
    fields = [e for e in view.elements if is_field(e)]
    is_button = any(
        re.fullmatch(r"(?:sign|log) ?(?:in|on)|登录|登陆", e.name.strip(), re.I)
        and e.role == "button"
        for e in view.elements
    )
    return (
        is_button and len(fields) <= 4 and re.search(r"log-?in|sign-?in|auth", view.url) is not None
    )


def _whole_text(s: Session) -> str:
    return " ".join(step.text for step in s.task.procedure.walk())


def _titles_of_forms(view: Observation) -> set[str]:
    """The title of the innermost dialog, if it has fields."""
    title = view.dialogs[-1] if view.dialogs else None
    has_fields = any(is_field(e) for e in view.elements if e.dialog == title)
    return {title} if title is not None and has_fields else set()


def _button_to_put_off(s: Session, view: Observation, is_own: bool) -> Element | None:
    """The button that dismisses the innermost dialog, if that is only a pop-up."""
    if not view.dialogs:
        return None
    title = view.dialogs[-1]
    dialog_elements = [e for e in view.elements if e.dialog is not None and e.dialog == title]
    if _is_meant(s, title, dialog_elements):
        return None
    buttons = [e for e in dialog_elements if e.role in ("button", "link") and is_enabled(e)]
    put_off_button = _first_named(buttons, _PUT_OFF)
    close_button = _first_named(buttons, _CLOSE)
    other_buttons = [
        e
        for e in buttons
        if e.role == "button" and not _first_named([e], _PUT_OFF) and not _first_named([e], _CLOSE)
        and not _first_named([e], _CONTINUES)
    ]  # fmt: skip
    is_form = any(
        is_field(e) and e.role in ("textbox", "combobox") and "required" in e.states
        for e in dialog_elements
    )
    if put_off_button is not None:
        only_harmless = not other_buttons or not any(e.is_submit for e in other_buttons)
        return (
            put_off_button
            if only_harmless and not is_form and s.dialog not in s.touched_forms
            else None
        )
    if is_own or any(is_field(e) for e in dialog_elements):
        return None
    if len(buttons) == 1 and (only := _first_named(buttons, _ACKNOWLEDGES)):
        return only
    if other_buttons:
        return None
    cookie_button = _first_named(buttons, _COOKIES) if re.search(r"cookie", title, re.I) else None
    return close_button or cookie_button


def puts_off(element: Element, view: Observation) -> bool:
    """Whether a control only closes a pop-up, a tour or a banner that is in the way."""
    if element.role not in ("button", "link"):
        return False
    if _first_named([element], _PUT_OFF):
        return True
    siblings = [e for e in view.elements if e.dialog == element.dialog]
    if _first_named([element], _CLOSE):
        return element.dialog is not None and not any(map(is_field, siblings))
    texts = [element.dialog or "", element.name]
    texts += [t.text for t in view.texts if t.dialog == element.dialog]
    is_of_cookies = any("cookie" in text.casefold() for text in texts)
    return is_of_cookies and _first_named([element], _COOKIES) is not None


def _first_named(buttons: Iterable[Element], names: re.Pattern[str]) -> Element | None:
    return next((e for e in buttons if names.fullmatch(e.name.strip())), None)


def _is_meant(s: Session, title: str, dialog_elements: list[Element]) -> bool:
    """Whether the text speaks of the dialog, or soon of something in it."""
    announcing = [i for i in s.plan if i.kind is IntentKind.EXPECT_OPEN and i.label]
    if any(same(title, i.label.text) for i in announcing if i.label):
        return True
    return any(_is_inside(i, title, dialog_elements) for i in s.upcoming[:_LOOKAHEAD])


def _is_inside(intent: Intent, title: str, dialog_elements: list[Element]) -> bool:
    if any(title and same(title, label.text) for label in intent.sentence.labels()):
        return True
    labels = [x.text for x in (intent.label, intent.value, intent.place.field) if x is not None]
    names = [n for e in dialog_elements for n in (e.name, e.group) if n]
    return any(same(label, name) for label in labels for name in names)


def _button_of_bar(view: Observation) -> Element | None:
    """The button that closes a bar over the page that is not a dialog."""
    bar_buttons = [
        e
        for e in view.elements
        if e.role in ("button", "link") and e.dialog is None and e.row is None and e.in_viewport
        and is_enabled(e) and e.region not in ("navigation", "main", "toolbar", "form")
    ]  # fmt: skip
    return (
        _first_named(bar_buttons, _PUT_OFF)
        or _first_named(bar_buttons, _COOKIES)
        or _first_named(bar_buttons, _CLOSE)
    )
