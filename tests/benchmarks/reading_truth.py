"""The sentences whose meaning is known, and whether what the reader makes of one is what it means.

What the fields and the actions mean stands in `tests/language/corpus/README.md`.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from appliance.documents import parse_document
from appliance.language import values
from appliance.language.icons import icon_names
from appliance.language.keys import keys_of
from appliance.policy.literal import read_procedure
from appliance.policy.literal.read.intents import Gesture, Intent, IntentKind

FOLDER = Path(__file__).parents[1] / "language" / "corpus"
PARTS = ("seen", "held-out")


class Outcome(StrEnum):
    """What came of one sentence."""

    EXACT = "exact"
    MISSED = "missed"
    HARMFUL = "harmful"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One thing that a person does who follows the sentence."""

    action: str
    target: str = ""
    value: str = ""
    example: bool = False
    """The value is only an example: giving it or another one is right."""
    place: str = ""
    condition: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence with every meaning that is right."""

    id: str
    language: str
    writer: str
    form: str
    sentence: str
    meanings: tuple[tuple[Act, ...], ...]


def entries(part: str) -> list[Entry]:
    """All sentences of a part, in the order of the file."""
    lines = (FOLDER / f"{part}.jsonl").read_text("utf-8").splitlines()
    return [entry_of(json.loads(line)) for line in lines]


def entry_of(fields: dict[str, object]) -> Entry:
    """One line of the corpus; an unknown or missing field is a `TypeError`."""
    meanings = fields.pop("meanings")
    assert isinstance(meanings, list)
    return Entry(
        **fields,  # type: ignore[arg-type]  # the test of the corpus holds the types
        meanings=tuple(tuple(Act(**act) for act in meaning) for meaning in meanings),
    )


_AROUND = {
    "en": "# Create resource\n\n1. Click **Start**.\n2. {}\n",
    "zh": "# 创建资源\n\n1. 单击**开始**。\n2. {}\n",
}


def read(entry: Entry) -> list[Intent]:
    """What the reader makes of the sentence, as the second step of a procedure."""
    text = _AROUND[entry.language].format(entry.sentence)
    document = parse_document(text, f"a.{entry.language}.md", "markdown")
    intents = (i for procedure in document.procedures for i in read_procedure(procedure))
    return [i for i in intents if i.step.split(".")[0] == "2"]


def outcome(entry: Entry, intents: list[Intent]) -> Outcome:
    """The best that any of the right meanings makes of it."""
    found = {_against(meaning, intents) for meaning in entry.meanings}
    return next(one for one in Outcome if one in found)


ACTIONS_OF = {
    IntentKind.LOG_IN: {"login", "goto"},
    IntentKind.SWITCH_PROJECT: {"switch", "select"},
    IntentKind.OPEN: {"click", "goto"},
    IntentKind.OPEN_MENU: {"open-menu"},
    # "Set … to …" tells nobody whether it is a list or a text field.
    IntentKind.FILL: {"type", "select", "search"},
    IntentKind.CHOOSE: {"type", "select"},
    IntentKind.TICK: {"check"},
    IntentKind.UNTICK: {"uncheck"},
    IntentKind.PICK: {"pick", "select"},
    IntentKind.FOLLOW: {"follow"},
    IntentKind.VISIT: {"goto"},
    IntentKind.UPLOAD: {"upload"},
    IntentKind.CONFIRM: {"confirm", "submit"},
    IntentKind.CLOSE: {"close"},
    IntentKind.MOVE: {"move"},
    IntentKind.SET_PAIR: {"pair"},
    IntentKind.FIELD: {"type", "select"},
    IntentKind.EXPECT_OPEN: {"expect"},
    IntentKind.EXPECT_TEXT: {"expect", "wait"},
    IntentKind.EXPECT_FIELD: {"expect"},
    IntentKind.EXPECT_DEFAULT: {"expect"},
    IntentKind.PRESS: {"press"},
    IntentKind.DRAG: {"drag"},
    IntentKind.FORM: {"form"},
    IntentKind.REPEAT: {"repeat"},
    IntentKind.WAIT: {"wait"},
    IntentKind.EXTERNAL: {"external"},
    IntentKind.INFORM: set(),
    IntentKind.UNCLEAR: set(),
}
_GESTURES = {
    Gesture.DOUBLE_CLICK: {"double-click"},
    Gesture.RIGHT_CLICK: {"right-click"},
    Gesture.HOVER: {"hover"},
}
_POINTS = {"click", "goto", "select", "check", "pick", "follow", "open-menu", "double-click"}
"""Pointing at the right thing in another manner is half read, not read wrongly."""
_CLAIMS = {"expect", "wait"}
_IDLE = {"nothing", "copy", "scroll"}
_START = {"Start", "开始"}


def _against(meaning: tuple[Act, ...], intents: list[Intent]) -> Outcome:
    meant = [act for act in meaning if not _is_idle(act)]
    done = [i for i in intents if _actions(i)]
    full, is_strange = _aligned(meant, done)
    if is_strange:
        return Outcome.HARMFUL
    is_puzzled = any(i.kind is IntentKind.UNCLEAR and not _actions(i) for i in intents)
    is_outside = any(i.kind is IntentKind.EXTERNAL for i in intents) and not any(
        act.action == "external" for act in meant
    )
    is_all = full == len(meant)
    return Outcome.EXACT if is_all and not is_puzzled and not is_outside else Outcome.MISSED


def _is_idle(act: Act) -> bool:
    return act.action in _IDLE or (act.action == "wait" and not act.target)


def _aligned(meant: list[Act], done: list[Intent]) -> tuple[int, bool]:
    """How many are wholly read, in order; and whether something is done that is not meant.

    The best way to lay both beside each other: as little as possible done that is not meant.
    """
    best = [(0, 0, 0)] * (len(meant) + 1)  # strange (negative), fully read, half read
    for intent in done:
        strange = _does(intent)
        row = [(best[0][0] - strange, *best[0][1:])]
        for n, act in enumerate(meant):
            grade = _grade(act, intent)
            alone = (best[n + 1][0] - strange, *best[n + 1][1:])
            before = best[n]
            paired = (before[0], before[1] + (grade == 2), before[2] + (grade == 1))
            row.append(max(row[n], alone, *([paired] if grade else [])))
        best = row
    return best[-1][1], best[-1][0] < 0


def _does(intent: Intent) -> bool:
    """Whether it changes or presses anything: claims and work elsewhere do not."""
    return not _actions(intent) <= _CLAIMS | {"external", "repeat"}


def _grade(act: Act, intent: Intent) -> int:
    """2: it says just this; 1: the same thing, but only half of it; 0: something else."""
    is_sure = not (intent.is_conditional or intent.is_optional)
    if act.condition and is_sure and act.action not in _CLAIMS:
        return 0
    if act.action not in _actions(intent):
        return _pointed(act, intent)
    if act.action in _CLAIMS or act.action in ("repeat", "external"):
        texts = (*_names(intent), intent.sentence.text)
        named = (one for one in (act.target, act.value) if one)
        is_meant = act.action != "expect" or not (act.target or act.value)
        is_meant = is_meant or any(_alike(n, text, is_loose=True) for n in named for text in texts)
        return 2 if is_meant else 0
    if act.action == "press":
        return 2 if keys_of(act.target) == intent.thing else 0
    grade = _value(act, intent) if _is_named(act, intent) else 0
    is_as_sure = is_sure is not (bool(act.condition) or act.optional)
    is_whole = is_as_sure and bool(
        _fields(intent) or not (act.target or act.place) or act.action in _UNNAMED
    )
    return grade if is_whole else min(grade, 1)


def _pointed(act: Act, intent: Intent) -> int:
    """Whether it points at what is meant, in another manner.

    An option without its field's name is clicked: "Select **Internal**" is wholly read so.
    """
    actions = _actions(intent)
    if act.action not in _POINTS or not actions & _POINTS:
        return 0
    marked = [one.text for one in (intent.label, intent.value, intent.place.field) if one]
    names = [*((name, False) for name in marked), (intent.thing, True)]
    wanted = [one for one in (act.target, act.value) if one]
    if not any(_alike(one, name, is_loose=loose) for one in wanted for name, loose in names):
        return 0
    is_option = act.action == "select" and not act.target and bool(actions & {"click", "check"})
    is_sure = not (intent.is_conditional or intent.is_optional)
    return 2 if is_option and is_sure is not (bool(act.condition) or act.optional) else 1


def _actions(intent: Intent) -> set[str]:
    actions = set(_GESTURES.get(intent.gesture) or ACTIONS_OF[intent.kind])
    is_again = intent.label is not None and intent.label.text in _START
    if is_again or (intent.kind is IntentKind.UNCLEAR and intent.noun == "same"):
        actions.add("repeat")  # what the step before asks for, once more
    if intent.kind is IntentKind.CHOOSE and intent.value is not None:
        chosen = intent.value.text.casefold()
        actions |= {"check"} if chosen in values.ON.both else set()
        actions |= {"uncheck"} if chosen in values.OFF.both else set()
    return actions


def _value(act: Act, intent: Intent) -> int:
    """2: the value that is meant; 1: none, though one is meant; 0: another."""
    given = intent.value.text if intent.value else ""
    meant = act.value or (act.target if act.action == "search" else "")
    names = [_plain(name) for name in _names(intent)]
    if act.action not in _VALUED or _plain(given) == _plain(meant):
        return 2
    if meant and re.fullmatch(
        rf"{re.escape(_plain(meant))} ?(?:[kmgt]i?b|[a-z]+s|%)", _plain(given)
    ):
        return 2  # with its unit
    if not meant:
        return 2 if _plain(given) in names or any(_plain(given) in name for name in names) else 0
    if given:
        return 0
    is_in_words = intent.kind in _WORDED and any(_plain(meant) in name for name in names)
    return 2 if act.example or is_in_words else 1


_UNNAMED = {"pair", "search", "confirm", "submit", "login"}
_VALUED = {"type", "select", "search", "upload", "switch"}
_WORDED = {IntentKind.PICK, IntentKind.SWITCH_PROJECT, IntentKind.UPLOAD}
"""These carry the value in the words for the thing."""


def _names(intent: Intent) -> tuple[str, ...]:
    """All by which it calls what it is about."""
    field = intent.place.field
    entry = intent.entry.labels if intent.entry else ()
    marked = (*((intent.label,) if intent.label else ()), *((field,) if field else ()), *entry)
    return (*(one.text for one in marked), *((intent.thing,) if intent.thing else ()))


def _is_named(act: Act, intent: Intent) -> bool:
    """Whether what it names is what is meant; what names nothing but the value is half read."""
    names = _fields(intent)
    target = act.target or act.place
    if act.action in ("search", "pair") or not names or not (target or act.value):
        return True
    if not target and act.action == "select":
        return not intent.value or _plain(intent.value.text) == _plain(act.value)
    if not target:  # what to type is said, not where
        return all(_alike(act.value, name, is_loose=True) for name in names)
    marked = intent.label.text if intent.label else ""
    return any(_alike(target, name, is_loose=name != marked) for name in names)


def _fields(intent: Intent) -> list[str]:
    """The names that are not just the value once more."""
    value = _plain(intent.value.text) if intent.value else ""
    return [one for one in _names(intent) if not value or value not in _plain(one)]


_EMPTY = frozenset(
    re.findall(
        r"\w+",
        "a an the your this its of to for in on button tab page field box icon list menu link "
        "check checkbox drop down dropdown toggle switch name",
    )
)
_NAMES = ("name", "名称")
_HINT = re.compile(r"(?<=\S)\s*[(（][^)）]*[)）]$")
"""As in "Size (GiB)"."""
_EMPTY_ZH = re.compile(r"按钮|页面|页签|选项卡|输入框|下拉框|开关|图标|复选框|目标|的|名称$")


def _alike(meant: str, read_as: str, *, is_loose: bool) -> bool:
    """Whether both call the same thing; loosely, where the text marks no name."""
    one, other = (_plain(_HINT.sub("", text)) for text in (meant, read_as))
    if one == other or set(icon_names(one)) & set(icon_names(other)):
        return True
    if other in _NAMES and one.endswith(other):  # the form has one name
        return True
    if re.search(r"[一-鿿]", one + other):
        short, long = sorted((_EMPTY_ZH.sub("", one), _EMPTY_ZH.sub("", other)), key=len)
        return short == long or (is_loose and bool(short) and short in long)
    words, others = set(one.split()), set(other.split())
    told, others_told = words - _EMPTY or words, others - _EMPTY or others
    stems, other_stems = {w.rstrip("s") for w in told}, {w.rstrip("s") for w in others_told}
    return stems == other_stems or (
        is_loose and bool(stems) and stems <= {w.rstrip("s") for w in others}
    )


def _plain(text: str) -> str:
    kept = unicodedata.normalize("NFKC", text).casefold()
    kept = re.sub(r"(?<=[一-鿿])\s+|\s+(?=[一-鿿])", "", kept)
    bare = re.sub(r"[^\w+*/:.\-]+", " ", kept).strip(" .:-")
    return " ".join((bare or kept).split())


def problems(entries: list[Entry]) -> Iterator[str]:
    """What is wrong with the corpus itself."""
    ids: set[str] = set()
    sentences: set[str] = set()
    for entry in entries:
        if entry.id in ids or not entry.id.startswith(f"{entry.writer}-"):
            yield f"{entry.id}: the id is taken or not the writer's"
        if _plain(entry.sentence) in sentences:
            yield f"{entry.id}: the same sentence stands twice"
        if entry.language not in _AROUND or not entry.meanings or not all(entry.meanings):
            yield f"{entry.id}: no known language or no meaning"
        for act in (act for meaning in entry.meanings for act in meaning):
            if act.action not in ACTIONS:
                yield f"{entry.id}: {act.action!r} is no action of the corpus"
        ids.add(entry.id)
        sentences.add(_plain(entry.sentence))


ACTIONS = frozenset(
    {"click", "goto", "login", "switch", "open-menu", "type", "select", "search", "check"}
    | {"uncheck", "pick", "follow", "upload", "confirm", "submit", "close", "move", "pair"}
    | {"form", "repeat", "press", "hover", "double-click", "right-click", "drag", "scroll"}
    | {"copy", "expect", "wait", "external", "nothing"}
)
