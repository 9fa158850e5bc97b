"""English clauses that choose: options, entries, rows, check boxes, a region."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import Inline, InlineRole
from appliance.policy.literal.read.english_gestures import icon_clicks
from appliance.policy.literal.read.english_places import NOUNS, locate, noun_first
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import LABEL, LITERAL, MARK, VALUE, plain_value

K = IntentKind

PROJECT = re.compile(
    r"\b(?:project|tenant|region)\b.*\bdrop[- ]?down\b|\bdrop[- ]?down\b.*\bproject\b|appropriate (?:project|region)",
    re.I,
)
_LIST = rf"{MARK}(?:(?:,? and (?:also )?|, )(?:the |your |an? |also )*{MARK})*"
_SELECT_LABEL = re.compile(
    rf"^(?P<art>an? |the |your |also )?(?P<mark>{_LIST})\s*(?P<noun>{NOUNS}|project)?(?P<tail>.*)$",
    re.I | re.S,
)
_IN_FIELD = re.compile(
    rf"\s*(?:from|in|for|as)\s+(?:the |its |your )?(?:(?P<pre>{NOUNS})\s+)?(?P<field>{LABEL})\s*(?P<noun>{NOUNS})?",
    re.I,
)
_NOT_FIELDS = ("column", "menu", "dialog box", "dialog", "window", "page", "tab", "table")
_REGION = re.compile(rf"^(?:to )?(?:the |your )?region (?:to |of )?(?P<mark>{LABEL})", re.I)


def region_of(rest: str, make: IntentMaker) -> Intent | None:
    """Read "(select) the region **X**" or "(change) the region to **X**"; None if it names no region."""
    m = _REGION.match(rest)
    return make(K.OPEN, m.group("mark"), noun="region") if m else None


def select(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "select …", "choose …", "pick …"."""
    rest = noun_first(rest.strip())
    if PROJECT.search(rest):
        yield make(K.SWITCH_PROJECT, thing=rest)
    elif region := region_of(rest, make):
        yield region
    elif icon_intents := icon_clicks(rest, place, make):
        yield from icon_intents
    elif re.match(r"(?:(?:the |one of the |from the )?following|whether|if|how)\b", rest, re.I):
        yield make(K.INFORM)
    elif re.match(r"^(?:the )?(?:drop[- ]?down )?(?:arrow|menu button)\b", rest, re.IGNORECASE):
        yield make(K.OPEN_MENU, place=locate(rest, place, make))
    elif m := re.match(r"^(?:the )?check ?box(?:es)?\b(?P<tail>.*)$", rest, re.I | re.S):
        yield from _tick_check_boxes(m.group("tail"), place, make)
    elif m := re.match(r"^(?:the )?(?P<row>[\w\- ]+?)['’]s check ?box\b", rest, re.IGNORECASE):
        yield make(K.PICK, thing=m.group("row"), noun="check box", place=place)
    elif m := re.match(rf"(?:the |an? )?(?P<field>{LABEL}) as (?P<value>{LITERAL})", rest, re.I):
        field_place = replace(place, field=make.masked.mark(m.group("field")))
        yield make(K.CHOOSE, value=m.group("value"), place=field_place)
    elif m := _SELECT_LABEL.match(rest):
        yield from _select_labels(m, place, make)
    else:
        yield from _choose_by_words(rest, place, make)


def _choose_by_words(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    if place.field and not place.row:
        yield make(K.CHOOSE, thing=rest, place=place)
    else:
        yield from pick(rest, place, make)


_CHECK_BOX_NAME = re.compile(
    r"(?:Enable|Allow|Require|Include|Automatically|Always|Never|Prevent|Force|Do not|Don['’]t"
    r"|I (?:agree|acknowledge|accept|understand|have)) \w|(?:启用|允许|自动|强制|我已)[\u4e00-\u9fff]{2}"
)
"""How check boxes are labelled, but neither buttons nor options."""
_VALUE_ROLES = (InlineRole.LITERAL, InlineRole.EMPHASIS)
_KIND_NOUN = re.compile(
    r"^(?!(?:from|in|as|for|and|to|then|if|on|of|or)\b)(?P<kind>[a-z]+)(?=[\s.,]*$| (?:for|from|in|of)\b)"
)
_YOU_WANT = re.compile(r"\s*(?:(?:that|which) )?you (?:want|wish|need|would like)\b", re.I)


def _select_labels(m: re.Match[str], place: Place, make: IntentMaker) -> Iterator[Intent]:
    noun, tail = (m.group("noun") or "").lower(), m.group("tail")
    article = (m.group("art") or "").strip().lower()
    marks = re.findall(MARK, m.group("mark"))
    in_field = _IN_FIELD.match(tail)
    is_field = in_field and (in_field.group("noun") or "").lower() not in _NOT_FIELDS
    target_place = locate(tail, place, make)
    for mark in marks:
        label = make.masked.mark(mark)
        if noun.startswith("check") or noun in ("toggle", "switch"):
            yield make(K.TICK, mark, noun=noun, place=place)
        elif _CHECK_BOX_NAME.match(label.text) and not noun and not in_field:
            yield make(
                K.TICK,
                mark,
                noun="check box",
                place=replace(place, field=None, section=place.section or place.field),
            )
        elif not noun and _is_kind_of_thing(article, label, tail, target_place):
            yield make(K.PICK, thing=label.text, place=replace(place, field=None))
        elif label.role in _VALUE_ROLES and (kind_match := _KIND_NOUN.match(tail)) and not noun:
            yield make(K.PICK, thing=kind_match.group("kind"), value=mark, place=place)
        elif in_field and is_field:
            list_label = make.masked.mark(in_field.group("field"))
            yield make(K.CHOOSE, value=mark, place=replace(place, field=list_label))
        elif target_place.field or (
            target_place.section and not noun and label.role is not InlineRole.LINK
        ):
            field = target_place.field or target_place.section
            section = target_place.section if target_place.field else None
            yield make(
                K.CHOOSE, value=mark, place=replace(target_place, field=field, section=section)
            )
        elif article in ("a", "an", "your") and not noun:
            yield make(K.CHOOSE, thing=label.text, place=replace(place, field=label))
        else:
            yield make(K.OPEN, mark, noun=noun or "choice", place=target_place)
    if next_selection := re.match(
        rf"^,?\s*(?:and then|then)\s+(?:to )?(?:the )?(?P<rest>{LABEL}.*)$", tail, re.I | re.S
    ):
        yield from select(next_selection.group("rest"), Place(), make)


def _is_kind_of_thing(article: str, label: Inline, tail: str, target_place: Place) -> bool:
    """Whether the mark is a kind of thing, not a control: "the **Pond** you want to drain".

    It may be a link to the explanation of that kind.
    """
    if label.role is not InlineRole.LINK:
        return article == "the" and bool(_YOU_WANT.match(tail))
    is_one = article in ("a", "an", "your") or (article == "the" and label.text.islower())
    return is_one and not target_place.field


def _tick_check_boxes(tail: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    if m := re.match(
        rf"^\s*(?:for|of|next to|to the left of|beside|in front of|labell?ed)?\s*(?:the )?(?P<marks>{_LIST})",
        tail,
        re.I,
    ):
        for mark in re.findall(MARK, m.group("marks")):
            yield make(K.TICK, mark, noun="check box", place=place)
        return
    row = re.sub(
        r"^\s*(?:for|of|next to|to the left of|beside|in front of)\s*", "", tail, flags=re.I
    )
    yield make(K.PICK, thing=row, noun="check box", place=place)


_FILE = re.compile(
    r"^(?:the |an? |your )?(?:[\w.]+ ){0,3}?(?:files?|archive|spreadsheet|picture|photo|screenshot)\b"
    r"|\bfrom (?:your|the local) (?:own )?(?:computer|device|disk|machine|desktop|phone)\b",
    re.I,
)


def capitalized_option(text: str, make: IntentMaker) -> Inline | None:
    """The option that the text gives as a bare capitalized word ("CSV")."""
    name = text.strip()
    is_name = re.fullmatch(r"[A-Z][\w.+-]*", name) is not None
    return plain_value(make.masked, name) if is_name else None


_IN_SECTION = re.compile(
    rf"^(?P<row>[^{MARK[1:-1]}]+?) (?:from|in|under|of) (?:the |its |your )?(?P<mark>{LABEL}) (?:section|heading|panel|card)\b",
    re.I,
)


def pick(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read a choice of something without a label: "the volume", "the instance from the **X** list"."""
    if not rest.strip():  # "Find and open the group"
        yield make(K.INFORM)
        return
    if _FILE.search(rest):
        value_match = re.search(VALUE, rest)
        yield make(
            K.UPLOAD, thing=rest, value=value_match.group() if value_match else None, place=place
        )
        return
    rest = re.split(r",? (?:and )?(?:under|in|at) the \W* column", rest)[0]
    if m := re.match(
        rf"^(?P<row>[^,]+?) (?:from|in|as) (?:the |its |your )?(?:(?:field|list|box) )?(?P<mark>{LABEL})(?! (?:page|tab|table|section|heading)\b)",
        rest,
        re.I | re.S,
    ):
        field, value_match = make.masked.mark(m.group("mark")), re.search(MARK, m.group("row"))
        yield make(
            K.CHOOSE,
            thing=m.group("row"),
            value=value_match.group() if value_match else capitalized_option(m.group("row"), make),
            place=replace(place, field=field),
        )
        return
    if m := _IN_SECTION.match(rest):
        section = make.masked.mark(m.group("mark"))
        yield make(K.PICK, thing=m.group("row"), place=replace(place, section=section))
        return
    if not place.field and (
        m := re.match(
            rf"^the (?:name|link)(?: link)? of (?:the |your |an? )?(?P<row>[^{MARK[1:-1]}]+)$",
            rest.strip(" ."),
            re.I,
        )
    ):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
        return
    if m := re.search(MARK, rest):
        is_row = make.masked.mark(m.group()).role is InlineRole.UI_LABEL
        thing = f"{rest[: m.start()]} {m.group() if is_row else ''}"
        yield make(K.PICK, thing=thing, value=m.group(), place=place)
        return
    noun = (
        "list" if re.search(r"drop[- ]?down|from (?:the )?list|menu", rest, re.IGNORECASE) else ""
    )
    if two_things := re.match(
        r"^(?P<one>the [\w\- ]+?) and (?P<other>(?:the|a|an) [\w\- ]+)$", rest, re.I
    ):
        yield make(K.PICK, thing=two_things.group("one"), noun=noun, place=place)
        rest = two_things.group("other")
    yield make(K.PICK, thing=rest, noun=noun, place=place)


def tick(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "tick …", "turn on …"."""
    yield from _set_check_boxes(K.TICK, rest, place, make)


def untick(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "clear …", "turn off …"."""
    yield from _set_check_boxes(K.UNTICK, rest, place, make)


def _set_check_boxes(
    kind: IntentKind, rest: str, place: Place, make: IntentMaker
) -> Iterator[Intent]:
    if m := re.search(
        rf"^(?:the |that )?(?:check ?box(?:es)? (?:for|next to|of) |switch |toggle )?(?:the )?(?P<marks>{_LIST})",
        rest,
        re.I,
    ):
        if kind is K.UNTICK and re.match(
            r" (?:field|text|value|input|search)\b", rest[m.end() :], re.I
        ):
            yield make(K.INFORM)
            return
        is_tab = re.match(r" (?:tab|page|panel)\b", rest[m.end() :], re.I)
        for mark in re.findall(MARK, m.group("marks")):
            if is_tab:
                yield make(K.OPEN, mark, noun="tab", place=place)
            else:
                yield make(kind, mark, noun="check box", place=place)
    elif re.match(r"^this check ?box", rest, re.I):
        yield make(K.INFORM)  # "Clear this check box to …": the other choice
    elif re.match(r"^(?:this|the) (?:check ?)?box(?:es)? |^the (?:check ?box|row)", rest, re.I):
        yield from _tick_check_boxes(
            re.sub(r"^.*?(?:check ?)?box(?:es)?", "", rest, flags=re.I), place, make
        )
    else:
        yield make(K.INFORM if kind is K.TICK else K.UNCLEAR, thing=rest)
