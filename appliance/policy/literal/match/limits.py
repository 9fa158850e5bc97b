"""Checks what a text says about a field against what the page says about it."""

import re
from collections.abc import Iterable, Sequence

from appliance.core.page import Element, Observation, TextBlock, TextKind
from appliance.language.names import plain
from appliance.policy.literal.match.forms import (
    FactCheck,
    agreed_bound,
    bounds_text,
    check_default,
    check_form_edge,
    check_option,
    check_section,
    check_sibling_field,
    check_value,
)
from appliance.policy.literal.match.grounding import TEXTUAL, is_field
from appliance.policy.literal.read.facts import Fact, FactKind, facts_of

F = FactKind
_SENTENCE = re.compile(r"(?<=[.。；;!])\s*(?=\S)")
_NUMERIC = frozenset({"spinbutton", "slider"})
_LETTERS = frozenset({"lower", "upper"})
_BELOW_PX, _BESIDE_PX = 48, 320
_NOTES = frozenset({TextKind.TEXT, TextKind.ERROR, TextKind.LABEL})


def facts_shown(view: Observation, element: Element) -> tuple[Fact, ...]:
    """Collect all that the page says about a field: attributes, help, error, the text beside it."""
    texts = [element.description, element.error, element.placeholder, *_bracketed_hints(element)]
    texts += [t.text for t in _texts_beside(view, element)]
    sentences = [sentence for text in texts if text for sentence in _SENTENCE.split(text)]
    return (
        *_attribute_facts(element),
        *(fact for sentence in sentences for fact in facts_of(sentence)),
    )


def check_fact(
    fact: Fact, page_facts: Sequence[Fact], element: Element, view: Observation
) -> FactCheck | None:
    """Check a fact of the text; None if the page says nothing about it, or nothing clear."""
    same_kind = [other for other in page_facts if other.kind is fact.kind]
    match fact.kind:
        case F.LENGTH:
            return _check_bounds(fact, same_kind, element)
        case F.RANGE:
            is_number = element.role in _NUMERIC | TEXTUAL
            is_same = not fact.unit or _is_unit_shown(fact.unit, same_kind, element, view)
            return _check_bounds(fact, same_kind, element) if is_number and is_same else None
        case F.CHARACTERS | F.BEGINNING | F.ENDING:
            return _check_characters(fact, same_kind)
        case F.OFFERS:
            return check_option(fact.text, element, view)
        case F.TAKES:
            return check_value(fact.text, page_facts, element)
        case F.SECTION:
            return check_section(fact.text, element, view)
        case F.FIRST | F.LAST:
            return check_form_edge(element, view, is_first=fact.kind is F.FIRST)
        case F.HOLDS:
            return check_default(fact.text, element)
        case F.BESIDE:
            return check_sibling_field(fact.text, element, view)
        case _:
            return _check_need(fact, page_facts, element, view)


def _check_bounds(fact: Fact, same_kind: Sequence[Fact], element: Element) -> FactCheck | None:
    least = agreed_bound(shown.least for shown in same_kind)
    most = agreed_bound(shown.most for shown in same_kind)
    if least is None and fact.kind is F.LENGTH and fact.least == 1 and _is_required(element):
        least = 1.0
    pairs = [
        (stated, shown)
        for stated, shown in ((fact.least, least), (fact.most, most))
        if stated is not None
    ]
    if any(shown is None for _, shown in pairs):
        pairs = [pair for pair in pairs if pair[1] is not None and pair[0] != pair[1]]
    elif all(stated == shown for stated, shown in pairs):
        return FactCheck(True, "")
    is_wider = (fact.least is not None and least is not None and fact.least < least) or (
        fact.most is not None and most is not None and fact.most > most
    )
    if not pairs or not (is_wider or fact.is_binding):
        return None
    return FactCheck(False, f'"{element.name}" takes {_bounds_with_unit(least, most, fact)}')


def _is_required(element: Element) -> bool:
    return "required" in element.states


def _bounds_with_unit(least: float | None, most: float | None, fact: Fact) -> str:
    unit = "characters" if fact.kind is F.LENGTH else fact.unit
    return f"{bounds_text(least, most)} {unit}".strip()


def _is_unit_shown(
    unit: str, same_kind: Iterable[Fact], element: Element, view: Observation
) -> bool:
    unit_name = plain(unit).rstrip("s")
    texts = [element.name, element.description, element.placeholder, element.value or ""]
    texts += [t.text for t in _texts_beside(view, element)]
    shown_units = {
        w.rstrip("s") for text in texts for w in re.findall(r"[^\W\d_]+(?:/s)?|%", plain(text))
    }
    return unit_name in shown_units or any(
        plain(f.unit).rstrip("s") == unit_name for f in same_kind
    )


def _check_characters(fact: Fact, same_kind: Sequence[Fact]) -> FactCheck | None:
    sets = {f.characters for f in same_kind}
    if len(sets) != 1:
        return None
    page_set = sets.pop()
    text_set = fact.characters
    if text_set == page_set:
        return FactCheck(True, "")
    only_in_text = _split_letters(text_set) - _split_letters(page_set)
    only_on_page = _split_letters(page_set) - _split_letters(text_set)
    if "letter" in text_set:  # said of letters in general: not of their case
        only_in_text -= _LETTERS
    if "letter" in page_set:
        only_on_page -= _LETTERS
    if not only_in_text and not (only_on_page and fact.is_binding):
        return None
    rule = next(f.text for f in same_kind)
    return FactCheck(False, f'the page says "{rule}"')


def _split_letters(characters: frozenset[str]) -> frozenset[str]:
    return characters - {"letter"} | (_LETTERS if "letter" in characters else frozenset())


_EMPTYABLE = TEXTUAL | {"combobox", "listbox"}


def _check_need(
    fact: Fact, page_facts: Sequence[Fact], element: Element, view: Observation
) -> FactCheck | None:
    is_required = "required" in element.states
    is_optional = any(f.kind is F.OPTIONAL for f in page_facts)
    says_required = is_required or any(f.kind is F.REQUIRED for f in page_facts)
    if is_optional and says_required:
        return None
    match fact.kind:
        case F.REQUIRED if is_required:
            return FactCheck(True, "")
        case F.REQUIRED if is_optional or (
            element.role in _EMPTYABLE
            and element.value == ""
            and _marks_other_fields(view, element)
        ):
            return FactCheck(False, f'"{element.name}" is optional')
        case F.OPTIONAL if is_optional or (
            not says_required and _marks_other_fields(view, element)
        ):
            return FactCheck(True, "")
        case F.EMPTY if element.value == "" and not says_required:
            return FactCheck(True, "")
        case F.OPTIONAL if is_required and element.role in TEXTUAL and not element.value:
            return FactCheck(False, f'"{element.name}" must be filled in')
        case _:
            return None


def _marks_other_fields(view: Observation, element: Element) -> bool:
    """Whether the form marks other fields as required, so that this one is optional."""
    return any(
        "required" in e.states
        and is_field(e)
        and (e.dialog, e.frame) == (element.dialog, element.frame)
        for e in view.elements
    )


def _bracketed_hints(element: Element) -> tuple[str, ...]:
    """The bracketed parts of its name: "Name (optional)"."""
    return tuple(re.findall(r"[(（][^()（）]+[)）]", element.name))


def _texts_beside(view: Observation, element: Element) -> list[TextBlock]:
    """The texts right below or beside the field, unless another field is as near."""
    fields = [
        e for e in view.elements if is_field(e) and e.frame == element.frame and e.id != element.id
    ]
    return [
        t for t in view.texts
        if t.kind in _NOTES and t.row is None
        and (t.dialog, t.frame) == (element.dialog, element.frame)
        and (distance := _distance(element, t)) is not None
        and not any(
            (other_distance := _distance(e, t)) is not None and other_distance <= distance
            for e in fields
        )
    ]  # fmt: skip


def _distance(element: Element, text: TextBlock) -> float | None:
    """How far, in pixels, the text is below or beside the field; None if it is elsewhere."""
    e, t = element.box, text.box
    gap_below, gap_beside = t.y - (e.y + e.height), t.x - (e.x + e.width)
    if (
        t.x <= e.x
        and t.y <= e.y
        and e.x + e.width <= t.x + t.width
        and e.y + e.height <= t.y + t.height
    ):
        return 0.0  # the words stand around it, in one paragraph
    is_below = -6 <= gap_below <= _BELOW_PX and t.x < e.x + e.width and e.x < t.x + t.width
    is_beside = -2 <= gap_beside <= _BESIDE_PX and t.y < e.y + e.height and e.y < t.y + t.height
    if is_below:
        return max(gap_below, 0.0)
    return max(gap_beside, 0.0) if is_beside else None


_CLASSES_OF_ITEM = {
    r"\d": {"digit"}, r"\w": {"lower", "upper", "digit", "underscore"}, "a-z": {"lower"},
    "A-Z": {"upper"}, "0-9": {"digit"}, "-": {"hyphen"}, r"\-": {"hyphen"}, "_": {"underscore"},
    ".": {"dot"}, r"\.": {"dot"}, " ": {"space"}, "/": {"slash"}, r"\/": {"slash"},
}  # fmt: skip
_PATTERN_ITEM = re.compile(r"\\.|[a-zA-Z0-9]-[a-zA-Z0-9]|.")


def _attribute_facts(element: Element) -> list[Fact]:
    bounds = element.bounds
    if bounds is None:
        return []
    facts: list[Fact] = []
    if bounds.min_length is not None or bounds.max_length is not None:
        facts.append(_fact(F.LENGTH, least=bounds.min_length, most=bounds.max_length))
    if bounds.least is not None or bounds.most is not None:
        facts.append(_fact(F.RANGE, least=bounds.least, most=bounds.most))
    return [*facts, *_pattern_facts(bounds.pattern)]


def _pattern_facts(pattern: str) -> list[Fact]:
    """Read a simple regular expression: one repeated character class; nothing from any other."""
    m = re.fullmatch(
        r"\^?\[(?P<set>[^\]\[^]+)\](?:(?P<many>[*+])|\{(?P<least>\d+),(?P<most>\d+)?\})\$?", pattern
    )
    if m is None:
        return []
    characters: set[str] = set()
    for item in _PATTERN_ITEM.findall(m.group("set")):
        if item not in _CLASSES_OF_ITEM:
            return []
        characters |= _CLASSES_OF_ITEM[item]
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
