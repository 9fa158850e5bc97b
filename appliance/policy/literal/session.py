"""What one reading carries along: the page, the place in the text, what is to be reported."""

import re
from collections import Counter
from collections.abc import Generator, Iterator
from typing import NamedTuple, TypeGuard, TypeVar
from urllib.parse import urldefrag

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.claims import ClaimCheck, StatedClaim
from appliance.core.page import Box, Element, Observation, Performed, TextBlock, TextKind
from appliance.core.procedure import Inline, Sentence
from appliance.core.source import Span
from appliance.core.verdict import Basis, DivergenceKind, Severity, StepStatus
from appliance.language import nouns
from appliance.language.names import compare, is_telling, plain, same
from appliance.policy.base import Decision, Divergence, StepReport, Task
from appliance.policy.literal.act.values import Values
from appliance.policy.literal.match.forms import check_section
from appliance.policy.literal.match.grounding import FIELDS, is_entry
from appliance.policy.literal.match.whereabouts import is_at_position
from appliance.policy.literal.read.intents import Gesture, Intent, IntentKind
from appliance.policy.literal.read.masking import is_called_control, is_guessed
from appliance.policy.literal.read.stated import (
    claim_of,
    key_of,
    places_of,
    position_claim,
    positions_of,
    stated_claims,
    value_of,
)
from appliance.policy.literal.read.subjects import FieldFact
from appliance.policy.literal.read.whereabouts import StatedPosition

ResultT = TypeVar("ResultT")
ScriptOf = Generator[Decision, None, ResultT]
"""Yields one decision after the other, is resumed when the next observation is in `view`, and
returns what came of it."""
Script = ScriptOf[None]
_NOWHERE = Observation(url="", title="", elements=())


_NUMBERED = re.compile(r"\belement \d+ \(\w+ '([^']*)'\)")


def _for_readers(text: str) -> str:
    """The browser names elements by number; a reader of the report knows them by name."""
    return _NUMBERED.sub(r'"\1"', text)


def titles(view: Observation) -> tuple[str, ...]:
    """Titles of the page and its dialogs."""
    headings = (t.text for t in view.texts if t.kind is TextKind.HEADING and t.level in (1, 2))
    return (*filter(None, view.dialogs), *headings, *((view.title,) if view.title else ()))


def _is_drawn_anew(e: Element, last: Performed) -> bool:
    """Whether the element has vanished but may come back, unlike an entry of a closed menu."""
    is_folded = e.region in ("navigation", "menu") and last.error.endswith("it is hidden")
    return not last.ok and "no longer on the page" in last.error and not is_folded


def _is_menu(e: Element) -> bool:
    return "haspopup" in e.states or e.region in ("navigation", "banner", "menu")


def _is_row_menu(e: Element | None) -> TypeGuard[Element]:
    return e is not None and "haspopup" in e.states and e.row is not None


_MIN_MENU_ENTRIES = 3
"""A menu with fewer new entries may not have opened yet."""
_LAST_PART_S = 0.8
"""How long to wait for what a page draws last."""


class _IntentReport(NamedTuple):
    """What was reported on an instruction, as far as claims are concerned."""

    status: StepStatus
    note: str
    is_seen: bool


_NOTHING_SEEN = "nothing on the page says so"
_ELSEWHERE = "it was not seen where the text says that it stands"
_ROLES_BY_NOUN = {
    "tab": {"tab", "link", "button", "menuitem"},
    **{noun: {"checkbox", "switch", "menuitemcheckbox"} for noun in nouns.CHECK_BOXES.both},
    **{noun: {"radio"} for noun in nouns.RADIO_BUTTONS.both},
    **{noun: {"link"} for noun in nouns.LINKS.both},
}
"""Roles of the elements that a reader would call by this noun."""


def _role_mismatch(noun: str, acted_on: list[Element]) -> str:
    """A sentence on the element's role where it is not what the text calls it; else empty."""
    roles = _ROLES_BY_NOUN.get(noun)
    if roles is None or not acted_on or any(e.role in roles for e in acted_on):
        return ""
    return f'"{acted_on[-1].name}" is a {acted_on[-1].role}, not a {noun}'


class Session:
    """State of one reading; `view` and `last` are set before the script is resumed."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.values = Values(task)
        self.view: Observation = _NOWHERE
        self.last: Performed | None = None
        self.step = task.procedure.steps[0].index if task.procedure.steps else ""
        self.sentence: Sentence | None = None
        self.row: str = ""
        """The text that identifies the row last spoken of."""
        self._lost_because = ""
        self.nav_entry: Element | None = None
        """The navigation entry last opened: the next one is looked for below it first."""
        self.heading = ""
        """The navigation heading that a menu path has just named."""
        self.lost: str | None = None
        """The step at which the way was lost; None while it is known. Until something that the text
        names is seen for certain, the page may be another one, and nothing is held against it."""
        self.has_strayed = False
        """Whether something could not be clicked or opened, on which later forms may depend."""
        self.is_unsure_of_entry = False
        """Whether a made-up value was typed into a box with suggestions, which may refuse it."""
        self._left_out = ("", "")
        """The step and the name of what was last left out because the text leaves it open."""
        self.dependent_fields: frozenset[str] = frozenset()
        """Fields that may be required only because a documented option no longer exists."""
        self._is_place_known = task.start_is_known
        """Whether the page is known to be one that the text means."""
        self._titles_when_lost: frozenset[str] = frozenset()
        """Titles of the page and its dialogs when the way was lost."""
        self._fields_when_lost: frozenset[str] = frozenset()
        """Form controls that were there when the way was lost: no part of a form opened later."""
        self.absent_parts: set[Span] = set()
        """Spans that name a part of a page, where all parts of the page have other names."""
        self.open_part = ""
        """The name of the folded part of the page that was last opened."""
        self.opened = ""
        """The name of the thing last opened in a search."""
        self.plan: tuple[Intent, ...] = ()
        """The whole text as instructions."""
        self.upcoming: tuple[Intent, ...] = ()
        """The instruction that is carried out now, and those after it."""
        self.clicked: Element | None = None
        """The element clicked last."""
        self.last_typed: Element | None = None
        """The element typed into last, which has the focus."""
        self.before: Observation = _NOWHERE
        """The page before the last click."""
        self.has_acted = False
        self.is_searching = False
        """Whether the current action only looks for what the text means."""
        self.is_about_bound_things = False
        """Whether the page is about all bound things, even if its place is uncertain."""
        self.has_failed_action = False
        """Whether an action of this instruction failed, so that the search was incomplete."""
        self.menu: Element | None = None
        """The drop-down last opened in a search."""
        self.notices: list[TextBlock] = []
        """Messages shown since the last action that could have caused one."""
        self.dialogs_of_unfound: list[str | None] = []
        """The dialog in front, once for each label that nothing in it bears."""
        self.rows_shown: set[str] = set()
        """All texts of rows since the last click: a state may pass quickly."""
        self._list_url: str | None = None
        """The address of the page whose list had the row."""
        self.spotted: Element | None = None
        """The element that the text said to find, not to click: the next one is beside it."""
        self.hovered_icons: set[tuple[str, int]] = set()
        """Icons whose tooltips were read."""
        self.opened_folds: set[int] = set()
        """Ids of the folded parts of forms that were opened in search of a field."""
        self.tabs_seen: dict[str, frozenset[str]] = {}
        """Names on each tab of the open dialog; forgotten when the dialog closes."""
        self.edited_sentences: set[Sentence] = set()
        """Sentences for which a value was entered."""
        self.touched_forms: set[str] = set()
        """Titles of dialogs, and addresses of pages, in which something was filled in."""
        self.form_keys: dict[Intent, str] = {}
        """The form in front at each instruction that only says to fill in the form."""
        self.put_off: set[Intent] = set()
        """Fields that the wizard's page lacked when the text came to them."""
        self.wizard_fields_seen: set[str] = set()
        """Names of the fields on the wizard's pages so far."""
        self.set_by_hand: dict[str, bool] = {}
        """Check boxes set in this attempt, and whether each was ticked before."""
        self.chosen_lists: set[str] = set()
        """Names of the lists in which something was chosen in this attempt."""
        self.literal_name_counts = Counter[Sentence]()
        """For each sentence, how many of the fields in its plain words have exactly these names."""
        self.entered_words: dict[str, Inline] = {}
        """Words of the text that were entered as values, by field name."""
        self.requested_rows: set[tuple[int, str]] = set()
        """Rows requested since the last click: the id of the long list, and the key."""
        self.remarks: tuple[StatedPosition, ...] = ()
        """Where things stand, according to sentences that ask for no action."""
        self.menu_paths: tuple[Inline, ...] = ()
        """Menu paths that such sentences name."""
        self.facts: dict[Span, list[FieldFact]] = {}
        """Facts about fields that are not checked yet, by the span of the field's name."""
        self._has_looked_again = False
        self._fields_before_click: frozenset[str] = frozenset()
        """Names of the form controls before the last click."""
        claims = stated_claims(task.procedure)
        self._stated_claims = claims
        self._claims = {key_of(claim): number for number, claim in enumerate(claims)}
        self._checks: list[ClaimCheck] = []
        self._reports: list[StepReport] = []
        self._intent_reports: list[_IntentReport] = []
        """What was reported on the current instruction."""
        self._acted_on: list[Element] = []
        """Elements acted on for the current instruction."""
        self._view_acted_on: Observation | None = None
        """The page on which the last of them was."""
        self._divergences: list[Divergence] = []

    def names_elsewhere(self, name: str) -> bool:
        """Whether the text gives that name to something: then it is no new name of another one."""
        labels = [i.label or i.place.field for i in self.plan]
        labels += [label for i in self.plan if i.entry for label in i.entry.labels]
        return any(marked is not None and same(marked.text, name) for marked in labels)

    # -- the page ----------------------------------------------------------------------------------

    def take_in(self, view: Observation, last: Performed | None) -> None:
        """Take in a new observation."""
        if view.dialogs != self.view.dialogs:
            self.tabs_seen = {}
            self.touched_forms.discard("")  # the untitled dialog may be another one now
        self.view, self.last = view, last
        self.notices = [*self.notices, *view.notices()][-30:]
        self.rows_shown |= {t.row for t in view.texts if t.row}

    @property
    def is_menu_open(self) -> bool:
        """Whether a menu shows its entries."""
        return any(map(is_entry, self.view.elements))

    @property
    def is_in_list(self) -> bool:
        """Whether the page is the list that has, or had, the row that the text speaks of."""
        return self._has_row or self.view.url == self._list_url

    @property
    def _has_row(self) -> bool:
        return bool(self.row) and any(t.row and self.row in t.row for t in self.view.texts)

    @property
    def dialog(self) -> str | None:
        """Title of the innermost open dialog; None when there is none."""
        return self.view.dialogs[-1] if self.view.dialogs else None

    @property
    def front_elements(self) -> list[Element]:
        """Elements that can be used now: those of the dialogs, where one is open."""
        return [e for e in self.view.elements if e.dialog is not None or not self.view.dialogs]

    @property
    def form_key(self) -> str:
        """Identifies the form in front: the title of its dialog, else the page's address."""
        return self.dialog if self.dialog is not None else urldefrag(self.view.url).url

    def click(
        self, element: Element, thought: str = "", gesture: Gesture = Gesture.CLICK
    ) -> ScriptOf[Performed]:
        """Click (or double-click, right-click, hover over) the element and look again."""
        if gesture is Gesture.HOVER:
            return self.act(actions.Hover(element.id), thought, element)
        return self.act(actions.Click(element.id, gesture.value), thought, element)

    def check(self, element: Element, *, checked: bool, thought: str = "") -> ScriptOf[Performed]:
        """Set or clear the check box and look at the page again."""
        return self.act(actions.Check(element.id, checked), thought, element)

    def type(self, element: Element, text: str, thought: str = "") -> ScriptOf[Performed]:
        """Type text into the element and look at the page again."""
        self.last_typed = element
        return self.act(actions.Type(element.id, text), thought, element)

    def select(self, element: Element, option: str, thought: str = "") -> ScriptOf[Performed]:
        """Choose an option of the element and look at the page again."""
        self.chosen_lists.add(plain(element.name))
        return self.act(actions.Select(element.id, option), thought, element)

    def upload(self, element: Element, path: str, thought: str = "") -> ScriptOf[Performed]:
        """Upload a file to the element and look at the page again."""
        return self.act(actions.Upload(element.id, path), thought, element)

    def press(
        self, keys: str, *, thought: str, element: Element | None = None
    ) -> ScriptOf[Performed]:
        """Press keys and look at the page again."""
        return self.act(actions.Press(keys, element.id if element else None), thought, element)

    def act(
        self, action: Action, thought: str = "", element: Element | None = None
    ) -> ScriptOf[Performed]:
        """Perform an action (on that element) and look at the page again."""
        self._has_looked_again = False
        self.has_acted = True
        if element is not None:
            if element.region == "menu" and _is_row_menu(self.clicked):
                self._acted_on.append(self.clicked)  # the menu, not its entry, is in the row
            self._acted_on.append(element)
            self._view_acted_on = self.view
        match action:
            case actions.Click():
                self.last_typed = self.spotted = None
                self.clicked, self.before = element, self.view
                self._list_url = self.view.url if self._has_row else self._list_url
                self.notices = []
                self.rows_shown = set()
                self.requested_rows = set()
                self._fields_before_click = self._fields()
            case _:
                pass
        if element is not None and {"checked", "unchecked"} & element.states:
            self.set_by_hand.setdefault(element.name, "checked" in element.states)
        yield self.make_decision(action, thought)
        assert self.last is not None  # noqa: S101 - set before the script is resumed
        self.has_failed_action = self.has_failed_action or not self.last.ok
        if element is not None and _is_drawn_anew(element, self.last):
            yield from self._repeat_where_redrawn(action, element, thought)
        if isinstance(action, actions.Click) and element is not None and self.menu_paths:
            self._check_menu_paths(element)
        return self.last

    def _check_menu_paths(self, opened: Element) -> None:
        """Check the menu paths that the text only mentions against the menu that was opened."""
        new_names = {e.name for e in self.view.elements} - {e.name for e in self.before.elements}
        for path in self.menu_paths:
            if not same(path.parts[0], opened.name) or not _is_menu(opened):
                continue
            names = [n for e in self.view.elements for n in (e.name, e.text, e.section) if n]
            names += [t.text for t in self.view.texts if t.text]
            if any(compare(path.parts[1], name) is not None for name in names):
                if len(path.parts) == 2 and any(same(path.parts[1], name) for name in new_names):
                    self.confirm(path)
                continue
            if len(new_names) >= _MIN_MENU_ENTRIES and not self.may_be_elsewhere:
                self.diverge(
                    DivergenceKind.MISSING_CONTROL, path,
                    f'"{opened.name}" has no entry "{path.parts[1]}"', basis=Basis.ABSENT,
                )  # fmt: skip
                self.menu_paths = tuple(
                    kept_path for kept_path in self.menu_paths if kept_path is not path
                )

    def _repeat_where_redrawn(self, action: Action, element: Element, thought: str) -> Script:
        """Repeat the action on the same element of a list that was redrawn meanwhile."""
        for _ in range(4):
            again = self._only_one_like(element)
            if again is not None and again.id != element.id:
                moved = actions.build(action.kind, element=again.id, argument=action.argument)
                yield self.make_decision(moved, f"{thought}, which has been drawn anew")
                return
            yield self.make_decision(actions.Wait(0.5), "wait for the list")
            if self.view.element(element.id) is not None:
                yield self.make_decision(action, thought)
                return

    def _only_one_like(self, element: Element) -> Element | None:
        key = (element.role, element.name, element.row, element.dialog)
        alike = [e for e in self.view.elements if (e.role, e.name, e.row, e.dialog) == key]
        return alike[0] if len(alike) == 1 else None

    def nav_entry_now(self) -> Element | None:
        """The navigation entry last opened, as it is now."""
        return self.view.element(self.nav_entry.id) or self.nav_entry if self.nav_entry else None

    def touch(self) -> None:
        """Remember that the form in front was filled in; a dialog may have no title."""
        self.touched_forms.add(self.view.url if self.dialog is None else self.dialog)

    def has_new_fields(self) -> bool:
        """Whether the last click brought form controls that were not there before."""
        return bool(self._fields() - self._fields_before_click)

    def _fields(self) -> frozenset[str]:
        return frozenset(e.name for e in self.view.elements if e.role in FIELDS)

    def wait(self, seconds: float, why: str) -> Script:
        """Give the page time."""
        yield from self.act(actions.Wait(seconds), why)

    def look_again(self, words: str) -> Script:
        """Wait once after each action: a page may draw its last part late."""
        if not self._has_looked_again and self.lost is None:
            seconds = min(_LAST_PART_S, self.task.patience_s)
            yield from self.wait(seconds, f'look for "{words}" once more')
            self._has_looked_again = True

    def make_decision(self, action: Action, thought: str = "") -> Decision:
        """The decision, with everything reported since the last one."""
        decision = Decision(
            action=action,
            step=self.step,
            thought=thought,
            reports=tuple(self._reports),
            divergences=tuple(self._divergences),
            checks=tuple(self._checks),
            is_search=self.is_searching,
        )
        self._reports, self._divergences, self._checks = [], [], []
        return decision

    # -- reports -----------------------------------------------------------------------------------

    def report(
        self, status: StepStatus, note: str = "", *, is_open: bool = False, is_seen: bool = True
    ) -> None:
        """Say what became of (a part of) the current step.

        Args:
            status: How it went.
            note: More of it, for people.
            is_open: Whether a reader who understands more might do it.
            is_seen: Whether what the text names was seen: what was done without it says nothing
                of the words.
        """
        if status is StepStatus.STUCK and self.may_be_elsewhere:
            status, note = StepStatus.UNREACHED, self._why_unreached()
        note = _for_readers(note)
        self._intent_reports.append(_IntentReport(status, note, is_seen))
        self._reports.append(StepReport(step=self.step, status=status, note=note, is_open=is_open))

    # -- claims ------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin another instruction or claim: forget what was reported on the last one."""
        self._intent_reports, self._acted_on, self.has_failed_action = [], [], False

    def settle(self, intent: Intent) -> None:
        """Check the claims of an instruction that is over.

        Only what went as written, all of it, confirms the words.
        """
        checks = self._intent_reports
        confirming = [
            check for check in checks if check.status is StepStatus.AS_WRITTEN and check.is_seen
        ]
        failing = next((check for check in checks if check not in confirming), None)
        reason = (
            ""
            if confirming and failing is None
            else (failing.note if failing else "") or _NOTHING_SEEN
        )
        if not reason and (role_mismatch := _role_mismatch(intent.noun, self._acted_on)):
            reason = role_mismatch
        # field entries confirm each label themselves
        claim = claim_of(intent) if intent.entry is None else None
        if claim is not None and claim.is_read:
            self._check(claim, reason)
        if (value := value_of(intent)) is not None:
            is_done = any(same(value.text, v) for v in self._entered_texts()) or not self._acted_on
            self._check(value, reason or ("" if is_done else "another value was entered"))
        for standing, place in (*positions_of(intent), *self._remarks_on(intent)):
            self._check(place, reason or self._why_not_in_place(intent, standing, place))
        for name, place in places_of(intent):
            is_in_place = (
                self._was_acted_on_in(name, place.text) or intent.kind is IntentKind.EXPECT_TEXT
            )
            self._check(place, reason or ("" if is_in_place else _ELSEWHERE))
            if name == "section" and not is_in_place and not reason:
                self._check_section(intent, place)

    def confirm(self, words: Inline, why_not: str = "") -> None:
        """Report that the claim of these words was seen, or why it could not be checked."""
        number = self._claims.get((words.span, words.text))
        if number is not None:
            check = ClaimCheck(number, is_confirmed=not why_not, reason=why_not)
            self._checks.append(check)

    def _check(self, claim: StatedClaim, reason: str) -> None:
        number = self._claims.get(key_of(claim))
        # of a claim that is not fully read, the sentence says more than was checked
        if number is not None and self._stated_claims[number].is_read:
            self._checks.append(ClaimCheck(number, is_confirmed=not reason, reason=reason))

    def _why_not_in_place(
        self, intent: Intent, standing: StatedPosition, claim: StatedClaim
    ) -> str:
        """Why the element acted on cannot be said to stand in that place; empty if it does."""
        if not self._acted_on or self._view_acted_on is None:
            return _NOTHING_SEEN
        row = self.values.row_key(intent.place.row or standing.words.text) or ""
        answers = [
            is_at_position(kind, self._acted_on, self._view_acted_on, row)
            for kind in standing.kinds
        ]
        if False in answers and not self._another_stands(standing, row):
            self._check(claim, _ELSEWHERE)
            self.diverge(
                DivergenceKind.MOVED_CONTROL, standing.words,
                f'"{self._acted_on[-1].name}" is not there',
                basis=Basis.ELSEWHERE, box=self._acted_on[-1].box,
            )  # fmt: skip
        return "" if all(answers) else _ELSEWHERE

    def _remarks_on(self, intent: Intent) -> Iterator[tuple[StatedPosition, StatedClaim]]:
        """Remarks of other sentences on where the element that was acted on stands."""
        if intent.label is None or not self._acted_on:
            return
        for remark in self.remarks:
            if same(remark.label.text, intent.label.text) and same(
                remark.label.text, self._acted_on[-1].name
            ):
                yield remark, position_claim(remark, "")

    def _another_stands(self, standing: StatedPosition, row: str) -> bool:
        """Whether another element of that name stands there, which the text may mean."""
        view, last_used = self._view_acted_on, self._acted_on[-1]
        same_named = [e for e in view.elements if same(e.name, last_used.name)] if view else []
        return any(
            all(is_at_position(kind, (e,), view, row) for kind in standing.kinds)
            for e in same_named
            if view is not None and e.id != last_used.id
        )

    def _check_section(self, intent: Intent, claim: StatedClaim) -> None:
        """Report a form field in another section, where nothing on the page is named so."""
        last_used = self._acted_on[-1] if self._acted_on else None
        label = intent.place.section
        if (
            last_used is None
            or label is None
            or self._view_acted_on is None
            or last_used.role not in FIELDS
        ):
            return
        judged = check_section(claim.text, last_used, self._view_acted_on)
        if judged is not None and not judged.is_true and not self.names_elsewhere(claim.text):
            self.diverge(
                DivergenceKind.MOVED_CONTROL,
                label,
                judged.shown,
                basis=Basis.ELSEWHERE,
                box=last_used.box,
            )

    def _entered_texts(self) -> tuple[str, ...]:
        current = [self.view.element(e.id) or e for e in self._acted_on]
        entered_texts = [text for e in current for text in (e.name, e.value) if text]
        return (*self.values.assigned.values(), *entered_texts)

    def _was_acted_on_in(self, name: str, text: str) -> bool:
        """Whether what was acted on stands in the dialog, section or column of that name."""
        places = [str(getattr(e, name) or "") for e in self._acted_on]
        if name == "section":
            places += [e.group for e in self._acted_on]
        return any(same(text, place) for place in places)

    def skip(self, note: str) -> None:
        """Report (a part of) the step as skipped: it is unclear, or the text leaves it open."""
        self.report(StepStatus.SKIPPED, note, is_open=True)

    def diverge(
        self,
        kind: DivergenceKind,
        words: Inline | Sentence,
        shown: str,
        *,
        suggestion: str | None = None,
        severity: Severity = Severity.MISLEADS,
        basis: Basis = Basis.READ,
        box: Box | None = None,
        is_guess: bool = False,
    ) -> None:
        """Report that the console differs from the text, unless the page may be another one."""
        if self.may_be_elsewhere:
            self.report_unreached()
            return
        if isinstance(words, Inline) and self.sentence and is_guessed(words, self.sentence):
            # a control shown instead, or an open menu without it, proves that the words are a label
            is_borne_out = (
                suggestion is not None or self.is_menu_open or words.span in self.absent_parts
            )
            is_sure = is_borne_out and is_called_control(words, self.sentence)
            basis = basis if is_sure else Basis.DOUBTFUL
        if kind is DivergenceKind.CHANGED_OPTION and suggestion is None:
            self.dependent_fields |= self._fields()
        if kind is DivergenceKind.MISSING_CONTROL and suggestion is None and not is_guess:
            self.dialogs_of_unfound.append(self.dialog)
        self._divergences.append(
            Divergence(
                kind=kind,
                severity=severity,
                basis=basis,
                span=words.span,
                quote=words.text,
                shown=_for_readers(shown),
                suggestion=suggestion,
                step=self.step,
                box=box,
                is_guess=is_guess,
            )
        )
        if severity is not Severity.COSMETIC:  # a reader is not misled by a cosmetic difference
            self.report(StepStatus.DIVERGED, shown)

    def is_named_otherwise(self, e: Element) -> bool:
        """Whether the text likely asks for the element by a name that nothing in its dialog bears.

        That name has been reported as untrue already, and each such name accounts for one element.
        """
        if e.dialog not in self.dialogs_of_unfound:
            return False
        self.dialogs_of_unfound.remove(e.dialog)
        return True

    def report_stuck(self, note: str) -> None:
        """Report that an instruction could not be carried out; the way is lost from here."""
        self.report(StepStatus.STUCK, note)
        self.has_strayed = True
        if self.lost is None:
            self._fields_when_lost = self._fields()
        self.lose("could not be carried out")

    def report_left_open(self, thing: str) -> None:
        """Report that neither text nor bindings name the thing; what follows may be unreachable."""
        key = "row" if thing.startswith("row's ") or not thing else thing
        noun = thing or "one"
        self.skip(f'the text leaves open which {noun}: name it, as by --set "{key}=NAME"')
        self.has_strayed = True
        self.lose(f"leaves open which {thing or 'one'}")

    @property
    def past(self) -> tuple[Intent, ...]:
        """The instructions before the current one."""
        return self.plan[: len(self.plan) - len(self.upcoming)]

    @property
    def next_intent(self) -> Intent | None:
        """The instruction after the current one."""
        return next(iter(self.upcoming[1:2]), None)

    @property
    def next_label(self) -> Inline | None:
        """The next label of the text after the current instruction."""
        return next((i.label for i in self.upcoming[1:] if i.label is not None), None)

    def leave_out(self, thing: str) -> None:
        """Remember what the text leaves open and was not done: later steps may depend on it."""
        self._left_out = (self.step, thing)

    def depends_on_left_out(self, label: Inline) -> bool:
        """Whether the label may be missing because something was left out; reports it."""
        if left_out := self.left_out:
            missing = f'"{label.text}" is not there'
            self.skip(f'{missing}; it may depend on what was left out: "{left_out}"')
        return bool(left_out)

    @property
    def left_out(self) -> str:
        """What was left out in this step, or in the last one that does anything; else empty."""
        step, thing = self._left_out
        does = (i.step for i in self.plan if i.kind is not IntentKind.INFORM or i.step == step)
        steps = list(dict.fromkeys(does))
        is_near = step in steps and self.step in steps[steps.index(step) :][:2]
        return thing if is_near else ""

    def last_unread_step(self) -> str:
        """The last earlier step of which nothing was understood; empty if there is none."""
        read_steps = {
            i.step for i in self.plan if i.kind not in (IntentKind.INFORM, IntentKind.UNCLEAR)
        }
        instructions = [i for i in self.past if i.kind is IntentKind.UNCLEAR or i.sentence.labels()]
        return next((i.step for i in reversed(instructions) if i.step not in read_steps), "")

    def lose(self, because: str, step: str = "") -> None:
        """Lose the way at this step, unless it is lost already; `because` completes "step 3 …"."""
        if self.lost is None:
            self.lost, self._lost_because = step or self.step, because
            self._titles_when_lost = frozenset(map(plain, titles(self.view)))

    def report_unreached(self) -> None:
        """Report that nothing can be said here because an earlier step failed."""
        self.report(StepStatus.UNREACHED, self._why_unreached())

    @property
    def may_be_elsewhere(self) -> bool:
        """Whether the page may be another one than meant, so that nothing is held against it."""
        return self.lost is not None or not self._is_place_known

    def _why_unreached(self) -> str:
        if self.lost is None:
            return "the text does not say on which page it begins, and this page has nothing of it"
        return f"not reachable: step {self.lost} {self._lost_because}"

    def confirm_place(self) -> None:
        """The page is certainly the one that the text means (again)."""
        self.lost, self._is_place_known = None, True
        self._fields_when_lost = frozenset()

    def note_match(self, words: str, element: Element) -> None:
        """Something of exactly that name is here: confirms the place if the name is telling."""
        if not self.may_be_elsewhere:
            return
        is_frame = element.region in ("complementary", "banner") and element.role == "link"
        is_outside = element.dialog is None and (element.region == "navigation" or is_frame)
        is_inside = element.dialog is not None and self._names(element.dialog)
        is_old = element.role in FIELDS and element.name in self._fields_when_lost
        if is_outside or is_inside or (is_telling(words) and not is_old):
            self.confirm_place()

    @property
    def is_form_away(self) -> bool:
        """Whether the step is about a dialog or part of a form that did not open."""
        forms = (i for i in self.plan if i.kind is IntentKind.EXPECT_OPEN)
        return self.lost is not None and any(i.step == self.step for i in forms)

    def look_around(self, intent: Intent) -> None:
        """Confirm the place if a page or dialog has opened that the text has named by now."""
        if not self.may_be_elsewhere:
            return
        new_titles = [t for t in titles(self.view) if plain(t) not in self._titles_when_lost]
        if any(self._names(title, upto=intent) for title in new_titles):
            self.confirm_place()

    def _names(self, title: str, upto: Intent | None = None) -> bool:
        """Whether the text names the page or dialog of that title, up to an instruction."""
        for intent in self.plan:
            labels = (intent.label, *(place for _, place in places_of(intent)))
            if any(label is not None and same(label.text, title) for label in labels):
                return True
            if intent is upto:
                break
        return False

    def describe_place(self) -> str:
        """Where the reader is, for a sentence."""
        if self.dialog is not None:
            return f'the dialog "{self.dialog}"' if self.dialog else "the dialog"
        name = self.view.title or next(iter(titles(self.view)), "") or self.view.url
        return f'the page "{name}"'
