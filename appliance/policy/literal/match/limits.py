"""Whether what a text says of a field is what the page says of it."""

import re
from collections.abc import Iterable, Sequence

from appliance.core.page import Element, Observation, TextBlock, TextKind
from appliance.language.names import plain
from appliance.policy.literal.match.forms import (
    Judged,
    at_end,
    beside,
    holds,
    in_section,
    offers,
    takes,
)
from appliance.policy.literal.match.grounding import TEXTUAL, is_field
from appliance.policy.literal.read.facts import Fact, FactKind, facts_of

F = FactKind
_SENTENCE = re.compile(r"(?<=[.。；;!])\s*(?=\S)")
_NUMERIC = frozenset({"spinbutton", "slider"})
_LETTERS = frozenset({"lower", "upper"})
_BELOW_PX, _BESIDE_PX = 48, 320
_NOTES = frozenset({TextKind.TEXT, TextKind.ERROR, TextKind.LABEL})


def shown_of(view: Observation, element: Element) -> tuple[Fact, ...]:
    """All that the page says of a field: attributes, help, error, the text beside it."""
    texts = [element.description, element.error, element.placeholder, *_hints(element)]
    texts += [t.text for t in _beside(view, element)]
    sentences = [one for text in texts if text for one in _SENTENCE.split(text)]
    return (*_attributes(element), *(fact for one in sentences for fact in facts_of(one)))


def judge(fact: Fact, shown: Sequence[Fact], element: Element, view: Observation) -> Judged | None:
    """Whether it is so; None where the page does not say, or not clearly."""
    like = [other for other in shown if other.kind is fact.kind]
    match fact.kind:
        case F.LENGTH:
            return _bounded(fact, like, element)
        case F.RANGE:
            is_number = element.role in _NUMERIC | TEXTUAL
            is_same = not fact.unit or _is_unit_shown(fact.unit, like, element, view)
            return _bounded(fact, like, element) if is_number and is_same else None
        case F.CHARACTERS | F.BEGINNING | F.ENDING:
            return _characters(fact, like)
        case F.OFFERS:
            return offers(fact.text, element, view)
        case F.TAKES:
            return takes(fact.text, shown, element)
        case F.SECTION:
            return in_section(fact.text, element, view)
        case F.FIRST | F.LAST:
            return at_end(element, view, is_first=fact.kind is F.FIRST)
        case F.HOLDS:
            return holds(fact.text, element)
        case F.BESIDE:
            return beside(fact.text, element, view)
        case _:
            return _needed(fact, shown, element, view)


def _bounded(fact: Fact, like: Sequence[Fact], element: Element) -> Judged | None:
    least, most = _one(f.least for f in like), _one(f.most for f in like)
    if least is None and fact.kind is F.LENGTH and fact.least == 1 and _is_needed(element):
        least = 1.0
    pairs = [
        (mine, theirs)
        for mine, theirs in ((fact.least, least), (fact.most, most))
        if mine is not None
    ]
    if any(theirs is None for _, theirs in pairs):
        pairs = [pair for pair in pairs if pair[1] is not None and pair[0] != pair[1]]
    elif all(mine == theirs for mine, theirs in pairs):
        return Judged(True, "")
    is_wider = (fact.least is not None and least is not None and fact.least < least) or (
        fact.most is not None and most is not None and fact.most > most
    )
    if not pairs or not (is_wider or fact.is_hard):
        return None
    return Judged(False, f'"{element.name}" takes {_range(least, most, fact)}')


def _is_needed(element: Element) -> bool:
    return "required" in element.states


def _one(values: Iterable[float | None]) -> float | None:
    """What all that say something agree on."""
    known = {value for value in values if value is not None}
    return known.pop() if len(known) == 1 else None


def _range(least: float | None, most: float | None, fact: Fact) -> str:
    what = "characters" if fact.kind is F.LENGTH else fact.unit
    if least is not None and most is not None:
        limits = f"{least:g} to {most:g}"
    else:
        limits = f"at least {least:g}" if least is not None else f"at most {most:g}"
    return f"{limits} {what}".strip()


def _is_unit_shown(unit: str, like: Iterable[Fact], element: Element, view: Observation) -> bool:
    wanted = plain(unit).rstrip("s")
    texts = [element.name, element.description, element.placeholder, element.value or ""]
    texts += [t.text for t in _beside(view, element)]
    shown = {
        w.rstrip("s") for text in texts for w in re.findall(r"[^\W\d_]+(?:/s)?|%", plain(text))
    }
    return wanted in shown or any(plain(f.unit).rstrip("s") == wanted for f in like)


def _characters(fact: Fact, like: Sequence[Fact]) -> Judged | None:
    sets = {f.characters for f in like}
    if len(sets) != 1:
        return None
    theirs = sets.pop()
    mine = fact.characters
    if mine == theirs:
        return Judged(True, "")
    more, less = _spread(mine) - _spread(theirs), _spread(theirs) - _spread(mine)
    if "letter" in mine:  # said of letters in general: not of their case
        more -= _LETTERS
    if "letter" in theirs:
        less -= _LETTERS
    if not more and not (less and fact.is_hard):
        return None
    rule = next(f.text for f in like)
    return Judged(False, f'the page says "{rule}"')


def _spread(characters: frozenset[str]) -> frozenset[str]:
    return characters - {"letter"} | (_LETTERS if "letter" in characters else frozenset())


_EMPTIES = TEXTUAL | {"combobox", "listbox"}


def _needed(
    fact: Fact, shown: Sequence[Fact], element: Element, view: Observation
) -> Judged | None:
    is_required = "required" in element.states
    is_optional = any(f.kind is F.OPTIONAL for f in shown)
    says_required = is_required or any(f.kind is F.REQUIRED for f in shown)
    if is_optional and says_required:
        return None
    match fact.kind:
        case F.REQUIRED if is_required:
            return Judged(True, "")
        case F.REQUIRED if is_optional or (
            element.role in _EMPTIES and element.value == "" and _marks_others(view, element)
        ):
            return Judged(False, f'"{element.name}" is optional')
        case F.OPTIONAL if is_optional or (not says_required and _marks_others(view, element)):
            return Judged(True, "")
        case F.EMPTY if element.value == "" and not says_required:
            return Judged(True, "")
        case F.OPTIONAL if is_required and element.role in TEXTUAL and not element.value:
            return Judged(False, f'"{element.name}" must be filled in')
        case _:
            return None


def _marks_others(view: Observation, element: Element) -> bool:
    """Whether the form marks what it needs, and not this."""
    return any(
        "required" in e.states
        and is_field(e)
        and (e.dialog, e.frame) == (element.dialog, element.frame)
        for e in view.elements
    )


def _hints(element: Element) -> tuple[str, ...]:
    """What stands in brackets in its name: "Name (optional)"."""
    return tuple(re.findall(r"[(（][^()（）]+[)）]", element.name))


def _beside(view: Observation, element: Element) -> list[TextBlock]:
    """The texts right below the field, or right beside it, that are nearer to no other field."""
    fields = [
        e for e in view.elements if is_field(e) and e.frame == element.frame and e.id != element.id
    ]
    return [
        t for t in view.texts
        if t.kind in _NOTES and t.row is None
        and (t.dialog, t.frame) == (element.dialog, element.frame)
        and (far := _distance(element, t)) is not None
        and not any((other := _distance(e, t)) is not None and other <= far for e in fields)
    ]  # fmt: skip


def _distance(element: Element, text: TextBlock) -> float | None:
    """How far below or beside it; None where it stands elsewhere."""
    e, t = element.box, text.box
    below, beside = t.y - (e.y + e.height), t.x - (e.x + e.width)
    if (
        t.x <= e.x
        and t.y <= e.y
        and e.x + e.width <= t.x + t.width
        and e.y + e.height <= t.y + t.height
    ):
        return 0.0  # the words stand around it, in one paragraph
    is_below = -6 <= below <= _BELOW_PX and t.x < e.x + e.width and e.x < t.x + t.width
    is_beside = -2 <= beside <= _BESIDE_PX and t.y < e.y + e.height and e.y < t.y + t.height
    if is_below:
        return max(below, 0.0)
    return max(beside, 0.0) if is_beside else None


_SHORT = {
    r"\d": {"digit"}, r"\w": {"lower", "upper", "digit", "underscore"}, "a-z": {"lower"},
    "A-Z": {"upper"}, "0-9": {"digit"}, "-": {"hyphen"}, r"\-": {"hyphen"}, "_": {"underscore"},
    ".": {"dot"}, r"\.": {"dot"}, " ": {"space"}, "/": {"slash"}, r"\/": {"slash"},
}  # fmt: skip
_ITEM = re.compile(r"\\.|[a-zA-Z0-9]-[a-zA-Z0-9]|.")


def _attributes(element: Element) -> list[Fact]:
    bounds = element.bounds
    if bounds is None:
        return []
    facts: list[Fact] = []
    if bounds.min_length is not None or bounds.max_length is not None:
        facts.append(_fact(F.LENGTH, least=bounds.min_length, most=bounds.max_length))
    if bounds.least is not None or bounds.most is not None:
        facts.append(_fact(F.RANGE, least=bounds.least, most=bounds.most))
    return [*facts, *_of_pattern(bounds.pattern)]


def _of_pattern(pattern: str) -> list[Fact]:
    """What a regular expression of the plainest kind says: one run of one set of characters."""
    m = re.fullmatch(
        r"\^?\[(?P<set>[^\]\[^]+)\](?:(?P<many>[*+])|\{(?P<least>\d+),(?P<most>\d+)?\})\$?", pattern
    )
    if m is None:
        return []
    characters: set[str] = set()
    for item in _ITEM.findall(m.group("set")):
        if item not in _SHORT:
            return []
        characters |= _SHORT[item]
    if characters >= _LETTERS:
        characters = characters - _LETTERS | {"letter"}
    facts = [_fact(F.CHARACTERS, characters=frozenset(characters), text=pattern)]
    if m.group("least"):
        most = float(m.group("most")) if m.group("most") else None
        facts.append(_fact(F.LENGTH, least=float(m.group("least")), most=most))
    return facts


def _fact(
    kind: FactKind,
    *,
    least: float | None = None,
    most: float | None = None,
    characters: frozenset[str] = frozenset(),
    text: str = "",
) -> Fact:
    return Fact(kind=kind, start=0, end=0, text=text, least=least, most=most, characters=characters)
