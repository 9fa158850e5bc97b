"""Whether what was read out of a step is what a person does who follows it.

Lenient in this: typing and choosing stand for each other, and an entry of a field list for both and
for an upload. Where the document marks no name, the words of one are enough, the shorter name's
within the longer. What is only told in words (`other`) is met by whatever else was read there, but
for "nothing to do" and "not understood". What is optional or conditional counts as what is neither.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from appliance.policy.literal import IntentKind as Kind
from appliance.policy.literal.read.intents import EDIT, FIND
from tests.benchmarks.finding_truth import Action, ActionKind, Said

_CLAIMS = {Kind.EXPECT_OPEN, Kind.EXPECT_TEXT, Kind.EXPECT_FIELD, Kind.EXPECT_DEFAULT}
_IDLE = {Kind.INFORM, Kind.UNCLEAR, Kind.EXPECT_DEFAULT}
DOES = frozenset(Kind) - _CLAIMS - _IDLE - {Kind.EXTERNAL, Kind.FORM, Kind.WAIT}
"""Something is done in the console."""
_COUNTS = frozenset(Kind) - _IDLE
_POINTS = {Kind.OPEN, Kind.OPEN_MENU, Kind.FOLLOW, Kind.PICK}
_AS = {
    ActionKind.CLICK: _POINTS | {Kind.CONFIRM, Kind.CLOSE, Kind.CHOOSE},
    ActionKind.GO: _POINTS | {Kind.VISIT},
    ActionKind.FILL: {Kind.FILL, Kind.FIELD, Kind.SET_PAIR, Kind.CHOOSE},
    ActionKind.CHOOSE: {Kind.CHOOSE, Kind.FIELD, Kind.FILL, Kind.PICK},
    ActionKind.CHECK: {Kind.TICK},
    ActionKind.UNCHECK: {Kind.UNTICK},
    ActionKind.UPLOAD: {Kind.UPLOAD, Kind.FIELD},
}


@dataclass(slots=True)
class StepRead:
    """What came of the actions of one step, and what was read beside them."""

    left: list[Said]
    """Not taken for an action yet."""
    met: list[Action] = field(default_factory=list)
    half: list[Action] = field(default_factory=list)
    """The thing is right, the kind or the value is not; or only a part of a path."""
    unmet: list[Action] = field(default_factory=list)

    @property
    def wrong(self) -> list[Said]:
        """What would be done and stands in no label."""
        return [said for said in self.left if _does(said)]

    def take(self, said: Said) -> None:
        """It stands for an action: for no second one."""
        self.left.remove(said)


def read_step(actions: Iterable[Action], said: Sequence[Said]) -> StepRead:
    """Lays the actions of a step beside what was read out of it; those in mere words last."""
    step = StepRead([one for one in said if one.kind in _COUNTS])
    for action in sorted(actions, key=lambda action: action.kind is ActionKind.OTHER):
        if action.kind is ActionKind.OTHER:
            _take_other(action, step)
        elif action.kind is ActionKind.GO and ">" in action.name:
            _take_path(action, step)
        else:
            _take(action, step, said)
    return step


def _take(action: Action, step: StepRead, said: Sequence[Said]) -> None:
    named = [one for one in step.left if _is_named(action, one)]
    same = [one for one in named if one.kind in _AS[action.kind]]
    if whole := next((one for one in same if _has_value(action, one)), None):
        step.met.append(action)
        step.take(whole)
    elif near := same or [one for one in named if one.kind in DOES]:
        step.half.append(action)
        step.take(near[0])
    elif _is_of_several(action, said):
        step.met.append(action)
    else:
        step.unmet.append(action)


def _is_of_several(action: Action, said: Sequence[Said]) -> bool:
    """Whether it is one of the fields of a single entry, which another action has taken."""
    name = _plain(action.name)
    entries = (one for one in said if one.kind is Kind.FIELD)
    entry = next((one for one in entries if name in map(_plain, one.entry)), None)
    return entry is not None and _has_value(action, entry)


def _take_path(action: Action, step: StepRead) -> None:
    """A path of a menu: in one piece or in several, one for each part."""
    ways = [one for one in step.left if one.kind in _AS[ActionKind.GO]]
    path = _path(action.name)
    if whole := next((one for one in ways if _path(one.label) == path), None):
        step.met.append(action)
        step.take(whole)
        return
    parts = action.name.split(">")
    used = 0
    for part in parts:
        if hit := next((one for one in ways if _plain(one.label) == _plain(part)), None):
            used += 1
            ways.remove(hit)
            step.take(hit)
    came = step.met if used == len(parts) else step.half if used else step.unmet
    came.append(action)


def _take_other(action: Action, step: StepRead) -> None:
    words = _words(action.name)

    def likeness(one: Said) -> int:
        return len(words & _words(f"{one.thing} {one.label} {one.value}"))

    if not step.left:
        step.unmet.append(action)
        return
    best = max(step.left, key=likeness)
    step.met.append(action)
    if _does(best):
        step.take(best)


def _does(said: Said) -> bool:
    return said.kind in DOES and said.noun != FIND


def _is_named(action: Action, said: Said) -> bool:
    """Whether it is about what the action names."""
    name = _plain(action.name)
    names = [said.label, said.field, *said.entry]
    if action.kind in (ActionKind.CLICK, ActionKind.GO):
        names.append(said.value)
    if name == _plain(said.thing) or any(name == _plain(one) for one in names if one):
        return True
    if said.label and said.noun not in ("icon", EDIT):
        return False
    meant, told = _words(name), _words(f"{said.label} {said.thing} {said.field}")
    return bool(meant and told) and (meant <= told or told <= meant)


def _has_value(action: Action, said: Said) -> bool:
    """Whether it gives the value that the action has; a row picked from a list gives none."""
    value = _plain(action.value)
    is_given = value in (_plain(said.value), _plain(said.label))
    return not value or (is_given and said.kind is not Kind.PICK)


_EMPTY = frozenset(re.findall(r"\w+", "the a an your this that its of for in to on new and"))


def _plain(text: str) -> str:
    bare = re.sub(r"[“”\"‘’'`*:]", "", text).casefold().strip(" .>→")
    return " ".join(re.sub(r"^(?:the|a|an|your) ", "", bare).split())


def _path(text: str) -> str:
    return _plain(text).replace(" > ", ">")


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", _plain(text)) if word not in _EMPTY}
