"""What one reading carries along: the page, the place in the text, what is to be reported."""

import re
from collections import Counter
from collections.abc import Generator, Iterator
from typing import NamedTuple, TypeGuard
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

Script = Generator[Decision, None, None]
Acting = Generator[Decision, None, Performed]
_NOWHERE = Observation(url="", title="", elements=())


_NUMBERED = re.compile(r"\belement \d+ \(\w+ '([^']*)'\)")


def _for_readers(text: str) -> str:
    """The browser names elements by number; a reader of the report knows them by name."""
    return _NUMBERED.sub(r'"\1"', text)


def titles(view: Observation) -> tuple[str, ...]:
    """What the page and its dialogs are called."""
    heads = (t.text for t in view.texts if t.kind is TextKind.HEADING and t.level in (1, 2))
    return (*filter(None, view.dialogs), *heads, *((view.title,) if view.title else ()))


def _is_drawn_anew(e: Element, last: Performed) -> bool:
    """Whether it may come back: what its own menu hides by closing does not."""
    is_folded = e.region in ("navigation", "menu") and last.error.endswith("it is hidden")
    return not last.ok and "no longer on the page" in last.error and not is_folded


def _is_menu(e: Element) -> bool:
    return "haspopup" in e.states or e.region in ("navigation", "banner", "menu")


def _is_row_menu(e: Element | None) -> TypeGuard[Element]:
    return e is not None and "haspopup" in e.states and e.row is not None


_MENU = 3
"""Who shows fewer new entries has not opened yet."""
_LAST_PART_S = 0.8
"""For what a page draws last."""


class _Said(NamedTuple):
    """A report, as far as claims go."""

    status: StepStatus
    note: str
    is_seen: bool


_NOTHING_SEEN = "nothing on the page says so"
_ELSEWHERE = "it was not seen where the text says that it stands"
_ROLES = {
    "tab": {"tab", "link", "button", "menuitem"},
    **{noun: {"checkbox", "switch", "menuitemcheckbox"} for noun in nouns.CHECK_BOXES.both},
    **{noun: {"radio"} for noun in nouns.RADIO_BUTTONS.both},
    **{noun: {"link"} for noun in nouns.LINKS.both},
}
"""By what the text calls it: what a reader would not take for something else."""


def _another_role(noun: str, used: list[Element]) -> str:
    """What it is, where it is not what the text calls it."""
    roles = _ROLES.get(noun)
    if roles is None or not used or any(e.role in roles for e in used):
        return ""
    return f'"{used[-1].name}" is a {used[-1].role}, not a {noun}'


class Session:
    """State of one reading. `view` and `last` are set anew before the script is resumed."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.values = Values(task)
        self.view: Observation = _NOWHERE
        self.last: Performed | None = None
        self.step = task.procedure.steps[0].index if task.procedure.steps else ""
        self.sentence: Sentence | None = None
        self.row: str = ""
        """What identifies the row the text last spoke of."""
        self._lost_because = ""
        self.nav: Element | None = None
        """The navigation entry last opened: what follows is looked for below it first."""
        self.heading = ""
        """The heading of the navigation that the path just named."""
        self.lost: str | None = None
        """The step where the way was lost: until something that the text names is seen for certain,
        the page may be another one, and nothing is held against it."""
        self.has_strayed = False
        """Whether something was not clicked or opened: what a form asks for may depend on that."""
        self.is_unsure_of_entry = False
        """Whether something made up was typed where suggestions come, and may not be taken."""
        self._left_out = ("", "")
        """The last of what was not done since the text leaves it open, and its step."""
        self.depends: frozenset[str] = frozenset()
        """Fields beside a choice that is gone, which may be asked for only with another choice."""
        self._is_placed = task.start_is_known
        """Whether this was seen to be where the text begins."""
        self._left: frozenset[str] = frozenset()
        """What the page and its dialogs were called then."""
        self._fields_lost_at: frozenset[str] = frozenset()
        """Form controls that were there where a control was not: none of a form that it opens."""
        self.absent: set[Span] = set()
        """Where the text names a part of a page whose parts are all called otherwise."""
        self.part = ""
        """The folded part of a page that the text last spoke of."""
        self.opened = ""
        """The thing last opened in search of something."""
        self.plan: tuple[Intent, ...] = ()
        """The whole text as instructions."""
        self.upcoming: tuple[Intent, ...] = ()
        """The instruction that is carried out now, and those after it."""
        self.clicked: Element | None = None
        """What was clicked last."""
        self.typed: Element | None = None
        """What was typed into last: it has the focus."""
        self.before: Observation = _NOWHERE
        """The page before that click."""
        self.has_acted = False
        self.is_searching = False
        """Whether what is done now only looks for what the text means."""
        self.is_of_things = False
        """Whether the page, wherever the text may mean, is about all that the user bound."""
        self.is_hindered = False
        """Whether something could not be done for this instruction: not all was looked through."""
        self.menu: Element | None = None
        """The drop-down last opened in search of something."""
        self.notices: list[TextBlock] = []
        """Messages shown since the last action that could have caused one."""
        self.unfound: list[str | None] = []
        """Dialogs, each as often as the text has named something in it that nothing there bears."""
        self.rows_shown: set[str] = set()
        """Rows as they were since the last click: a state may pass quickly."""
        self._listed_at: str | None = None
        """The page on which a list had the row."""
        self.spotted: Element | None = None
        """What the text had the reader find, and not click: what comes next is beside it."""
        self.rested: set[tuple[str, int]] = set()
        """Icons on which the mouse has rested to see what they are called."""
        self.unfolded: set[int] = set()
        """Folded parts of forms that were opened in search of a field."""
        self.tabs_seen: dict[str, frozenset[str]] = {}
        """What the tabs of the open dialog hold, by tab; forgotten when the dialog closes."""
        self.edited: set[Sentence] = set()
        """Sentences by which a value was entered."""
        self.touched: set[str] = set()
        """Dialogs in which something was filled in."""
        self.forms: dict[Intent, str] = {}
        """Which form was in front where the text says to fill in the form, without saying how."""
        self.put_off: set[Intent] = set()
        """Fields that the page of a wizard lacks where the text comes to them."""
        self.asked_before: set[str] = set()
        """Names of the fields on the pages of the wizard so far."""
        self.set_by_hand: dict[str, bool] = {}
        """Check boxes set in this attempt, and whether each was ticked before."""
        self.chosen: set[str] = set()
        """Names of the lists in which something was chosen in this attempt."""
        self.called_so = Counter[Sentence]()
        """By sentence, how many of the fields that it lists by plain words are called just so."""
        self.given: dict[str, Inline] = {}
        """Words of the text that were entered as values, by the field's name."""
        self.asked_for: set[tuple[int, str]] = set()
        """Rows asked for since the last click: the long list, and what they were to show."""
        self.remarks: tuple[StatedPosition, ...] = ()
        """What sentences that ask for nothing say of where things stand."""
        self.paths: tuple[Inline, ...] = ()
        """Menu paths that they name."""
        self.facts: dict[Span, list[FieldFact]] = {}
        """What the text says of fields that nobody has held against them yet, by field."""
        self._has_looked_again = False
        self._fields_before: frozenset[str] = frozenset()
        """Names of the form controls before the last click."""
        stated = stated_claims(task.procedure)
        self._stated = stated
        self._claims = {key_of(claim): number for number, claim in enumerate(stated)}
        self._checks: list[ClaimCheck] = []
        self._reports: list[StepReport] = []
        self._of_intent: list[_Said] = []
        """What was reported since the instruction was begun."""
        self._used: list[Element] = []
        """What was acted on since then."""
        self._seen: Observation | None = None
        """The page on which that was."""
        self._divergences: list[Divergence] = []

    def names_elsewhere(self, name: str) -> bool:
        """Whether the text calls something else by that name: then it is no new name of this."""
        named = [i.label or i.place.field for i in self.plan]
        named += [label for i in self.plan if i.entry for label in i.entry.labels]
        return any(marked is not None and same(marked.text, name) for marked in named)

    # -- the page ----------------------------------------------------------------------------------

    def see(self, view: Observation, last: Performed | None) -> None:
        """Take in a new observation."""
        if view.dialogs != self.view.dialogs:
            self.tabs_seen = {}
            self.touched.discard("")  # another one without a title
        self.view, self.last = view, last
        self.notices = [*self.notices, *view.notices()][-30:]
        self.rows_shown |= {t.row for t in view.texts if t.row}

    @property
    def is_menu_open(self) -> bool:
        """Whether a menu shows its entries."""
        return any(map(is_entry, self.view.elements))

    @property
    def is_in_list(self) -> bool:
        """Whether this is the list that has, or had, the row that the text speaks of."""
        return self._has_row or self.view.url == self._listed_at

    @property
    def _has_row(self) -> bool:
        return bool(self.row) and any(t.row and self.row in t.row for t in self.view.texts)

    @property
    def dialog(self) -> str | None:
        """Title of the innermost open dialog; None when there is none."""
        return self.view.dialogs[-1] if self.view.dialogs else None

    @property
    def front(self) -> list[Element]:
        """What can be used now: of the dialogs, where one is open."""
        return [e for e in self.view.elements if e.dialog is not None or not self.view.dialogs]

    @property
    def form(self) -> str:
        """What tells the form in front from others: its dialog, else the page's address."""
        return self.dialog if self.dialog is not None else urldefrag(self.view.url).url

    def click(
        self, element: Element, thought: str = "", gesture: Gesture = Gesture.CLICK
    ) -> Acting:
        """Click it (twice, with the right button, or only rest the mouse on it), and look again."""
        if gesture is Gesture.HOVER:
            return self.act(actions.Hover(element.id), thought, element)
        return self.act(actions.Click(element.id, gesture.value), thought, element)

    def check(self, element: Element, *, checked: bool, thought: str = "") -> Acting:
        """Tick it or not, and look at the page again."""
        return self.act(actions.Check(element.id, checked), thought, element)

    def type(self, element: Element, text: str, thought: str = "") -> Acting:
        """Put text into it, and look at the page again."""
        self.typed = element
        return self.act(actions.Type(element.id, text), thought, element)

    def select(self, element: Element, option: str, thought: str = "") -> Acting:
        """Choose an option of it, and look at the page again."""
        self.chosen.add(plain(element.name))
        return self.act(actions.Select(element.id, option), thought, element)

    def upload(self, element: Element, path: str, thought: str = "") -> Acting:
        """Give it a file, and look at the page again."""
        return self.act(actions.Upload(element.id, path), thought, element)

    def press(self, keys: str, *, thought: str, element: Element | None = None) -> Acting:
        """Press a key, and look at the page again."""
        return self.act(actions.Press(keys, element.id if element else None), thought, element)

    def act(self, action: Action, thought: str = "", element: Element | None = None) -> Acting:
        """Do one thing (on that element) and look at the page again."""
        self._has_looked_again = False
        self.has_acted = True
        if element is not None:
            if element.region == "menu" and _is_row_menu(self.clicked):
                self._used.append(self.clicked)  # the entry stands where its menu does
            self._used.append(element)
            self._seen = self.view
        match action:
            case actions.Click():
                self.typed = self.spotted = None
                self.clicked, self.before = element, self.view
                self._listed_at = self.view.url if self._has_row else self._listed_at
                self.notices = []
                self.rows_shown = set()
                self.asked_for = set()
                self._fields_before = self._fields()
            case _:
                pass
        if element is not None and {"checked", "unchecked"} & element.states:
            self.set_by_hand.setdefault(element.name, "checked" in element.states)
        yield self.decision(action, thought)
        assert self.last is not None  # noqa: S101 - set before the script is resumed
        self.is_hindered = self.is_hindered or not self.last.ok
        if element is not None and _is_drawn_anew(element, self.last):
            yield from self._once_more(action, element, thought)
        if isinstance(action, actions.Click) and element is not None and self.paths:
            self._hold_paths(element)
        return self.last

    def _hold_paths(self, opened: Element) -> None:
        """Hold the menu paths that are only named against the menu that was opened."""
        new = {e.name for e in self.view.elements} - {e.name for e in self.before.elements}
        for path in self.paths:
            if not same(path.parts[0], opened.name) or not _is_menu(opened):
                continue
            names = [n for e in self.view.elements for n in (e.name, e.text, e.section) if n]
            names += [t.text for t in self.view.texts if t.text]
            if any(compare(path.parts[1], name) is not None for name in names):
                if len(path.parts) == 2 and any(same(path.parts[1], name) for name in new):
                    self.confirm(path)
                continue
            if len(new) >= _MENU and not self.may_be_elsewhere:
                self.diverge(
                    DivergenceKind.MISSING_CONTROL, path,
                    f'"{opened.name}" has no entry "{path.parts[1]}"', basis=Basis.ABSENT,
                )  # fmt: skip
                self.paths = tuple(other for other in self.paths if other is not path)

    def _once_more(self, action: Action, element: Element, thought: str) -> Script:
        """The list was drawn anew under the reader's hand: the same thing, where it is now."""
        for _ in range(4):
            again = self._like(element)
            if again is not None and again.id != element.id:
                moved = actions.build(action.kind, element=again.id, argument=action.argument)
                yield self.decision(moved, f"{thought}, which has been drawn anew")
                return
            yield self.decision(actions.Wait(0.5), "wait for the list")
            if self.view.element(element.id) is not None:
                yield self.decision(action, thought)
                return

    def _like(self, element: Element) -> Element | None:
        key = (element.role, element.name, element.row, element.dialog)
        alike = [e for e in self.view.elements if (e.role, e.name, e.row, e.dialog) == key]
        return alike[0] if len(alike) == 1 else None

    def below(self) -> Element | None:
        """The navigation entry last opened, where it is now."""
        return self.view.element(self.nav.id) or self.nav if self.nav else None

    def touch(self) -> None:
        """Note that something was filled in: in the dialog in front, which may have no title."""
        self.touched.add(self.view.url if self.dialog is None else self.dialog)

    def has_new_fields(self) -> bool:
        """Whether the last click brought form controls that were not there before."""
        return bool(self._fields() - self._fields_before)

    def _fields(self) -> frozenset[str]:
        return frozenset(e.name for e in self.view.elements if e.role in FIELDS)

    def wait(self, seconds: float, why: str) -> Script:
        """Let the page go on for a while."""
        yield from self.act(actions.Wait(seconds), why)

    def look_again(self, words: str) -> Script:
        """Once after each action: a page may draw its last part later than it seemed."""
        if not self._has_looked_again and self.lost is None:
            seconds = min(_LAST_PART_S, self.task.patience_s)
            yield from self.wait(seconds, f'look for "{words}" once more')
            self._has_looked_again = True

    def decision(self, action: Action, thought: str = "") -> Decision:
        """A decision that carries everything noted since the last one."""
        made = Decision(
            action=action,
            step=self.step,
            thought=thought,
            reports=tuple(self._reports),
            divergences=tuple(self._divergences),
            checks=tuple(self._checks),
            is_search=self.is_searching,
        )
        self._reports, self._divergences, self._checks = [], [], []
        return made

    # -- what is noted -----------------------------------------------------------------------------

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
        self._of_intent.append(_Said(status, note, is_seen))
        self._reports.append(StepReport(step=self.step, status=status, note=note, is_open=is_open))

    # -- claims ------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Another instruction, or claim, comes next."""
        self._of_intent, self._used, self.is_hindered = [], [], False

    def settle(self, intent: Intent) -> None:
        """What was seen of the claims of an instruction that is over.

        Only what went as written, all of it, confirms the words.
        """
        checks = self._of_intent
        good = [t for t in checks if t.status is StepStatus.AS_WRITTEN and t.is_seen]
        bad = next((t for t in checks if t not in good), None)
        why = "" if good and bad is None else (bad.note if bad else "") or _NOTHING_SEEN
        if not why and (other := _another_role(intent.noun, self._used)):
            why = other
        claim = claim_of(intent) if intent.entry is None else None  # entries say it of each label
        if claim is not None and claim.is_read:
            self._check(claim, why)
        if (value := value_of(intent)) is not None:
            is_done = any(same(value.text, v) for v in self._entered()) or not self._used
            self._check(value, why or ("" if is_done else "another value was entered"))
        for standing, place in (*positions_of(intent), *self._remarked(intent)):
            self._check(place, why or self._stands(intent, standing, place))
        for name, place in places_of(intent):
            is_there = self._was_in(name, place.text) or intent.kind is IntentKind.EXPECT_TEXT
            self._check(place, why or ("" if is_there else _ELSEWHERE))
            if name == "section" and not is_there and not why:
                self._hold_section(intent, place)

    def confirm(self, words: Inline, why_not: str = "") -> None:
        """What these words say was seen on the page, or why that cannot be said."""
        number = self._claims.get((words.span, words.text))
        if number is not None:
            check = ClaimCheck(number, is_confirmed=not why_not, reason=why_not)
            self._checks.append(check)

    def _check(self, claim: StatedClaim, why: str) -> None:
        number = self._claims.get(key_of(claim))
        if number is not None and self._stated[number].is_read:  # else its sentence says more
            self._checks.append(ClaimCheck(number, is_confirmed=not why, reason=why))

    def _stands(self, intent: Intent, standing: StatedPosition, claim: StatedClaim) -> str:
        """Why it cannot be said that what was acted on stands there; empty where it does."""
        if not self._used or self._seen is None:
            return _NOTHING_SEEN
        row = self.values.row(intent.place.row or standing.words.text) or ""
        answers = [is_at_position(kind, self._used, self._seen, row) for kind in standing.kinds]
        if False in answers and not self._another_stands(standing, row):
            self._check(claim, _ELSEWHERE)
            self.diverge(
                DivergenceKind.MOVED_CONTROL, standing.words,
                f'"{self._used[-1].name}" is not there',
                basis=Basis.ELSEWHERE, box=self._used[-1].box,
            )  # fmt: skip
        return "" if all(answers) else _ELSEWHERE

    def _remarked(self, intent: Intent) -> Iterator[tuple[StatedPosition, StatedClaim]]:
        """What other sentences say of where the thing stands that was acted on."""
        if intent.label is None or not self._used:
            return
        for one in self.remarks:
            if same(one.label.text, intent.label.text) and same(
                one.label.text, self._used[-1].name
            ):
                yield one, position_claim(one, "")

    def _another_stands(self, standing: StatedPosition, row: str) -> bool:
        """Whether something else of that name stands there: the text may mean that."""
        view, used = self._seen, self._used[-1]
        others = [e for e in view.elements if same(e.name, used.name)] if view else []
        return any(
            all(is_at_position(kind, (e,), view, row) for kind in standing.kinds)
            for e in others
            if view is not None and e.id != used.id
        )

    def _hold_section(self, intent: Intent, claim: StatedClaim) -> None:
        """A form's field is not in a part of that name where nothing on the page is called so."""
        used = self._used[-1] if self._used else None
        label = intent.place.section
        if used is None or label is None or self._seen is None or used.role not in FIELDS:
            return
        judged = check_section(claim.text, used, self._seen)
        if judged is not None and not judged.is_true and not self.names_elsewhere(claim.text):
            self.diverge(
                DivergenceKind.MOVED_CONTROL,
                label,
                judged.shown,
                basis=Basis.ELSEWHERE,
                box=used.box,
            )

    def _entered(self) -> tuple[str, ...]:
        now = [self.view.element(e.id) or e for e in self._used]
        shown = [text for e in now for text in (e.name, e.value) if text]
        return (*self.values.assigned.values(), *shown)

    def _was_in(self, name: str, text: str) -> bool:
        """Whether what was acted on stands in the dialog, section or column that the text names."""
        shown = [str(getattr(e, name) or "") for e in self._used]
        if name == "section":
            shown += [e.group for e in self._used]
        return any(same(text, one) for one in shown)

    def skip(self, note: str) -> None:
        """Skip (a part of) the current step: it is not understood, or the text leaves it open."""
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
        """Note that the console differs from the text, where this is the console that it means."""
        if self.may_be_elsewhere:
            self.unreached()
            return
        if isinstance(words, Inline) and self.sentence and is_guessed(words, self.sentence):
            # the one that is shown instead, or the entries among which it is not, bear it out
            is_borne_out = suggestion is not None or self.is_menu_open or words.span in self.absent
            is_sure = is_borne_out and is_called_control(words, self.sentence)
            basis = basis if is_sure else Basis.DOUBTFUL
        if kind is DivergenceKind.CHANGED_OPTION and suggestion is None:
            self.depends |= self._fields()
        if kind is DivergenceKind.MISSING_CONTROL and suggestion is None and not is_guess:
            self.unfound.append(self.dialog)
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
        if severity is not Severity.COSMETIC:  # else the reader finds it at once
            self.report(StepStatus.DIVERGED, shown)

    def is_named_otherwise(self, e: Element) -> bool:
        """Whether the text likely asks for it by a name that nothing in its dialog bears.

        What is untrue is that name, and that was told; each name is one thing's.
        """
        if e.dialog not in self.unfound:
            return False
        self.unfound.remove(e.dialog)
        return True

    def stuck(self, note: str) -> None:
        """Say that an instruction could not be carried out: the way is lost from here."""
        self.report(StepStatus.STUCK, note)
        self.has_strayed = True
        if self.lost is None:
            self._fields_lost_at = self._fields()
        self.lose("could not be carried out")

    def left_open(self, thing: str) -> None:
        """Say that neither text nor binding names a thing: what follows may not be reachable."""
        key = "row" if thing.startswith("row's ") or not thing else thing
        which = thing or "one"
        self.skip(f'the text leaves open which {which}: name it, as by --set "{key}=NAME"')
        self.has_strayed = True
        self.lose(f"leaves open which {thing or 'one'}")

    @property
    def past(self) -> tuple[Intent, ...]:
        """The instructions before the one that is carried out now."""
        return self.plan[: len(self.plan) - len(self.upcoming)]

    @property
    def next_label(self) -> Inline | None:
        """What the text names next, after this instruction."""
        return next((i.label for i in self.upcoming[1:] if i.label is not None), None)

    def leave_out(self, thing: str) -> None:
        """Note what is not done that the text leaves open: what follows may depend on it."""
        self._left_out = (self.step, thing)

    def depends_on_left_out(self, label: Inline) -> bool:
        """Whether something may be missing since another was left out; says so."""
        if left_out := self.left_out:
            missing = f'"{label.text}" is not there'
            self.skip(f'{missing}; it may depend on what was left out: "{left_out}"')
        return bool(left_out)

    @property
    def left_out(self) -> str:
        """What was left out in this step, or in the last one with anything to do; else empty."""
        step, thing = self._left_out
        does = (i.step for i in self.plan if i.kind is not IntentKind.INFORM or i.step == step)
        steps = list(dict.fromkeys(does))
        is_near = step in steps and self.step in steps[steps.index(step) :][:2]
        return thing if is_near else ""

    def unread(self) -> str:
        """The last step before this one of which nothing was understood; empty: there is none."""
        read = {i.step for i in self.plan if i.kind not in (IntentKind.INFORM, IntentKind.UNCLEAR)}
        asked = [i for i in self.past if i.kind is IntentKind.UNCLEAR or i.sentence.labels()]
        return next((i.step for i in reversed(asked) if i.step not in read), "")

    def lose(self, because: str, step: str = "") -> None:
        """Lose the way from this step on, unless it is lost already; `because` ends "step 3 …"."""
        if self.lost is None:
            self.lost, self._lost_because = step or self.step, because
            self._left = frozenset(map(plain, titles(self.view)))

    def unreached(self) -> None:
        """Nothing can be said here, because an earlier step broke."""
        self.report(StepStatus.UNREACHED, self._why_unreached())

    @property
    def may_be_elsewhere(self) -> bool:
        """Whether the page may be another than the one meant: nothing is held against it."""
        return self.lost is not None or not self._is_placed

    def _why_unreached(self) -> str:
        if self.lost is None:
            return "the text does not say on which page it begins, and this page has nothing of it"
        return f"not reachable: step {self.lost} {self._lost_because}"

    def found(self) -> None:
        """The text and the console agree (again), for certain."""
        self.lost, self._is_placed = None, True
        self._fields_lost_at = frozenset()

    def met(self, words: str, element: Element) -> None:
        """Something of that very name is here: no more than a sign where much is called so."""
        if not self.may_be_elsewhere:
            return
        is_frame = element.region in ("complementary", "banner") and element.role == "link"
        is_outside = element.dialog is None and (element.region == "navigation" or is_frame)
        is_inside = element.dialog is not None and self._names(element.dialog)
        is_old = element.role in FIELDS and element.name in self._fields_lost_at
        if is_outside or is_inside or (is_telling(words) and not is_old):
            self.found()

    @property
    def is_form_away(self) -> bool:
        """Whether the step is about a dialog, or part of a form, that has not come."""
        forms = (i for i in self.plan if i.kind is IntentKind.EXPECT_OPEN)
        return self.lost is not None and any(i.step == self.step for i in forms)

    def look_around(self, intent: Intent) -> None:
        """Before an instruction: whether a page or dialog has come that the text names by then."""
        if not self.may_be_elsewhere:
            return
        new = [t for t in titles(self.view) if plain(t) not in self._left]
        if any(self._names(title, upto=intent) for title in new):
            self.found()

    def _names(self, title: str, upto: Intent | None = None) -> bool:
        """Whether the text names the page or dialog of that title (up to an instruction)."""
        for intent in self.plan:
            named = (intent.label, *(place for _, place in places_of(intent)))
            if any(marked is not None and same(marked.text, title) for marked in named):
                return True
            if intent is upto:
                break
        return False

    def describe_place(self) -> str:
        """Where the reader is, in words."""
        if self.dialog is not None:
            return f'the dialog "{self.dialog}"' if self.dialog else "the dialog"
        name = self.view.title or next(iter(titles(self.view)), "") or self.view.url
        return f'the page "{name}"'
