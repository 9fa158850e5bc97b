"""English console prose → intents.

A sentence is cut into clauses at its imperative verbs; what stands before the first verb ("In the X
dialog box,") is where to look. Each clause is read by the rule of its verb.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.policy.literal.intents import Intent, IntentKind, Place
from appliance.policy.literal.masking import LABEL, LITERAL, MARK, OTHER, Masked, mask

K = IntentKind
_NOUNS = (
    r"check ?box(?:es)?|push button|radio button|drop[- ]?down (?:list|menu|arrow|box)|dropdown|"
    r"dialog box|launch dialog box|dialog|window|wizard|form|page|panel|pane|view|screen|"
    r"tab|category|button|icon|link|option|menu entry|menu item|menu|list|text box|text field|"
    r"field|box|column|section|area|label|toggle|switch|card|tile|table|drawer|step|row|entry"
)
_OPENERS = {"dialog box", "launch dialog box", "dialog", "window", "wizard", "form", "drawer",
            "page", "panel", "pane", "screen", "view", "step"}  # fmt: skip
_VERBS = (
    r"double-click|right-click|click|press|hit|push|select|choose|pick|enter|type|specify|provide|"
    r"input|set|fill in|fill out|paste|copy|open|go to|go|navigate to|navigate|expand|switch to|"
    r"switch|access|visit|return to|check|tick|enable|turn on|uncheck|untick|clear|deselect|disable|"
    r"turn off|upload|browse to|browse|confirm|wait for|wait until|wait|verify that|verify|make sure|"
    r"ensure|log in|log into|log on|sign in|sign into|run|move|drag|leave|keep|skip|ignore|locate|"
    r"find|search for|search|filter|note|repeat|download|configure|add|remove|delete|create|edit|"
    r"update|adjust|change|assign|review|see|view|use|ask|attach|detach|resize|accept|close|save|"
    r"name|give|scroll|hover over|point to|decide|follow|complete|start|stop|rename|define|launch"
)
_BEGIN = rf"(?:please |then |also |next,? |now |finally,? |first,? |again,? |just |simply )*(?:{_VERBS})\b"
_START = _BEGIN.replace(f"(?:{_VERBS})", f"(?P<verb>{_VERBS})")
_NOUN_VERBS = r"name|access|view|input|filter|search|note|check|run|start|stop|use|find|follow|list|launch|define"
"""Verbs that are more often nouns: a clause starts with them only at the start of the sentence."""
_CUT = re.compile(
    rf"(?P<sep>^\W*(?=(?:{_BEGIN}))|(?:[,;]? and then |[,;]? and |[,;] then |[,;] (?:but |or )?|\s+then |\s+or "
    rf"|(?:(?<=column)|(?<=dialog)|(?<=window)|(?<= tab)|(?<= box)|(?<=menu)|(?<=list)|(?<=page)) (?=click|select|choose|enter))"
    rf"(?=(?:{_BEGIN}))(?!(?:{_NOUN_VERBS})\b(?! the\b)))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(rf"^(?:or )?{_START}\s*(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)
_MODAL = re.compile(
    r"\b(?:you|users?) (?:can|could|may|might)(?: also| choose to)?\b", re.IGNORECASE
)
_MUST = re.compile(r"^you (?:must|should|need to|have to|will need to) (?:also )?", re.IGNORECASE)
_OPTIONAL = re.compile(
    r"^\W*(?:optional(?:ly)?\b\W*|if (?:desired|needed|necessary|required)\b\W*)", re.IGNORECASE
)
_CONDITION = re.compile(r"^(?:if|when|in case|unless|for (?:some|other) cases?)\b", re.IGNORECASE)
_LEAD = re.compile(
    rf"(?P<prep>in|on|from|under|at|within|inside|for|to|into|using|with|next to)\s+(?:the |a |an |your |its )?"
    rf"(?P<mark>{LABEL})(?:'s)?(?:\s+(?P<noun>{_NOUNS}))?",
    re.IGNORECASE,
)


def read(sentence: Sentence, step: str) -> Iterator[Intent]:
    """The intents of one English sentence."""
    masked = mask(sentence)
    text = masked.text.strip()
    optional = bool(_OPTIONAL.match(text))
    conditional = not optional and bool(_CONDITION.match(text))
    text = _OPTIONAL.sub("", text)
    text = _MUST.sub("", text)
    make = _Maker(masked, step, optional or bool(_MODAL.search(text)), conditional)
    cuts = list(_CUT.finditer(text))
    if not cuts or (cuts[0].start() > 0 and not _is_lead(text[: cuts[0].start()])):
        yield from _unasked(text, make)
        return
    place = Place()
    if lead := text[: cuts[0].start()].strip(" ,"):
        openings, place = _lead(lead, make)
        yield from openings
    ends = [m.start() for m in cuts[1:]] + [len(text)]
    for cut, end in zip(cuts, ends, strict=True):
        if cut.group("sep").strip(" ,;").lower() == "or":
            continue  # an alternative to what has just been done
        clause = text[cut.end() : end].strip(" ,;.")
        match = _CLAUSE.match(clause)
        if match:
            intents = list(_clause(match.group("verb").lower(), match.group("rest"), place, make))
            place = _carried(place, intents)
            yield from intents


def _unasked(text: str, make: "_Maker") -> Iterator[Intent]:
    """A sentence without an instruction: a claim, or "In the X tab, you can …", which still leads there."""
    lead, comma, rest = text.partition(",")
    if comma and _is_lead(lead) and _MODAL.search(rest) and not make.conditional:
        openings, _ = _lead(lead, make)
        yield from (replace(o, is_optional=False) for o in openings)
    yield from _declarative(text, make)


def _carried(place: Place, intents: list[Intent]) -> Place:
    """A row named in one clause is meant in the next as well."""
    for intent in intents:
        if intent.kind is K.PICK:
            place = replace(place, row=intent.thing)
        if intent.kind in (K.OPEN, K.OPEN_MENU):
            is_menu = intent.kind is K.OPEN_MENU or "menu" in intent.noun
            place = Place(row=place.row, in_menu=is_menu)
    return place


class _Maker:
    """Makes intents that know their sentence and step."""

    def __init__(self, masked: Masked, step: str, optional: bool, conditional: bool) -> None:
        self.masked, self.step = masked, step
        self.optional, self.conditional = optional, conditional

    def __call__(
        self,
        kind: IntentKind,
        label: str | Inline | None = None,
        *,
        noun: str = "",
        thing: str = "",
        value: str | None = None,
        place: Place = Place(),  # noqa: B008 - frozen
    ) -> Intent:
        mark = self.masked.mark(label) if isinstance(label, str) else label
        return Intent(
            kind=kind,
            step=self.step,
            sentence=self.masked.sentence,
            label=mark,
            noun=noun.lower(),
            thing=_phrase(self.masked.spoken(thing)),
            value=self.masked.mark(value) if value else None,
            place=place,
            is_optional=self.optional,
            is_conditional=self.conditional,
        )


def _phrase(text: str) -> str:
    """A noun phrase without articles and relative clauses."""
    text = re.split(
        r"\b(?:that|which|from|in|you|to|where|whose|when|so|with)\b",
        text.strip(" .,:;"),
        maxsplit=1,
    )[0]
    text = re.sub(
        r"\b(?:the|a|an|your|its|one or more|new|newly created|existing)\b", " ", text, flags=re.I
    )
    return re.sub(r"\s+", " ", text).strip(" .,:;")


_IS_LEAD = re.compile(
    r"^\W*(?:in|on|from|under|at|within|to|for|after|once|using|with|if|when|as|next|then|first|by|before|"
    r"optionally|optional|depending|according|next to|beside|below|above|inside)\b",
    re.IGNORECASE,
)


def _is_lead(text: str) -> bool:
    return bool(_IS_LEAD.match(text.strip()))


def _lead(text: str, make: _Maker) -> tuple[list[Intent], Place]:
    """What stands before the first verb: things to open, and where to look."""
    openings: list[Intent] = []
    place = Place()
    if re.match(r"^\W*to\b", text, re.IGNORECASE) and not re.match(
        rf"^\W*to the {LABEL}", text, re.I
    ):
        # a purpose ("To allow SSH access,"): only what stands after its comma says where
        text = text.partition(",")[2]
    for m in _LEAD.finditer(text):
        noun, mark = (m.group("noun") or "").lower(), m.group("mark")
        opened, place = _where(m.group("prep").lower(), noun, make.masked.mark(mark), place, make)
        openings += opened
    if re.search(r"\b(?:actions column|drop-?down|menu|list)\b", text, re.IGNORECASE):
        place = replace(place, in_menu=True)
    if found := re.search(
        r"\brow (?:of|for|with|that shows) (?:the |your |an? )?([^,]+)", text, re.IGNORECASE
    ):
        place = replace(place, row=_phrase(make.masked.spoken(found.group(1))))
    return openings, place


def _where(
    prep: str, noun: str, label: Inline, place: Place, make: _Maker
) -> tuple[list[Intent], Place]:
    if noun in _OPENERS:
        return [make(K.EXPECT_OPEN, label, noun=noun)], replace(place, dialog=label)
    if noun in ("tab", "category", "menu", "step") and prep in ("in", "on", "from", "under", "to"):
        kind = make(K.OPEN, label, noun=noun)
        return [kind], replace(place, in_menu=noun == "menu")
    if noun in ("column", "table"):
        return [], replace(place, column=label, in_menu=True)
    if noun == "section" or prep == "under":
        return [], replace(place, section=label)
    return [], replace(place, field=label, in_menu="list" in noun or "menu" in noun)


# -- declarative sentences -------------------------------------------------------------------------

_APPEARS = re.compile(
    rf"(?P<mark>{LABEL})(?:\s*:?\s*{MARK})?\s+(?P<noun>dialog box|dialog|window|page|wizard|panel|form|drawer)\s+"
    r"(?:will )?(?:appears?|opens?|is (?:displayed|shown|opened)|shows up|open|appear)",
    re.I,
)
_OPENS = re.compile(
    rf"(?:which|this|that|it)\s+(?:will )?(?:opens?|displays?|shows?|brings up)\s+(?:the |a |an )?(?P<mark>{LABEL})"
    r"(?:\s+(?P<noun>dialog box|dialog|window|page|wizard|panel|form|drawer))?",
    re.I,
)
_MESSAGE = re.compile(
    rf"\b(?:message|notice|notification|toast|banner|alert)\b[^{MARK[1:-1]}]*(?P<mark>{MARK})", re.I
)
_STATUS = re.compile(
    rf"\b(?:status|state)\b[^{MARK[1:-1]}]{{0,40}}(?P<mark>{MARK})"
    rf"|(?:becomes|turns|changes to|shows?)\s+(?P<mark2>{MARK})",
    re.I,
)
_FIELDS_ARE = re.compile(
    rf"^(?:the )?(?P<labels>{LABEL}(?:(?:, and |, | and ){LABEL})*) (?:fields?|boxe?s?|options?)\s+(?:is|are)\b",
    re.I,
)
_TITLE = re.compile(rf"^(?P<mark>{LABEL})\s*(?P<noun>tab|page|section|panel|step)?\s*[:.]?$", re.I)


def _declarative(text: str, make: _Maker) -> Iterator[Intent]:
    """A claim about what the console shows, or nothing to do."""
    if m := _TITLE.match(text):
        noun = (m.group("noun") or "").lower()
        yield make(
            K.OPEN if noun in ("tab", "step", "page", "panel") else K.INFORM,
            m.group("mark"),
            noun=noun,
        )
        return
    if make.optional or make.conditional:
        yield make(K.INFORM)
        return
    if m := _APPEARS.search(text) or _OPENS.search(text):
        yield make(K.EXPECT_OPEN, m.group("mark"), noun=m.group("noun") or "")
    elif m := _MESSAGE.search(text):
        yield make(K.EXPECT_TEXT, m.group("mark"), noun="message")
    elif m := _FIELDS_ARE.match(text):
        for mark in re.findall(LABEL, m.group("labels")):
            yield make(K.EXPECT_FIELD, mark, noun="field")
    elif m := _STATUS.search(text):
        yield make(K.EXPECT_TEXT, m.group("mark") or m.group("mark2"), noun="status", thing=text)
    else:
        yield make(K.INFORM)


# -- clauses by verb -------------------------------------------------------------------------------

_Rule = Callable[[str, Place, _Maker], Iterator[Intent]]
_PROJECT = re.compile(
    r"\b(?:project|tenant|region)\b.*\bdrop[- ]?down\b|\bdrop[- ]?down\b.*\bproject\b|appropriate (?:project|region)",
    re.I,
)


def _clause(verb: str, rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    rest, claims = _without_claims(rest, make)
    rule = _RULES.get(verb)
    if rule is None:
        yield _other(verb, rest, place, make)
    else:
        yield from rule(rest, place, make)
    yield from claims


def _without_claims(rest: str, make: _Maker) -> tuple[str, list[Intent]]:
    """Cut ", which opens the X dialog" off a clause."""
    m = re.search(r",? which\b.*$", rest, re.IGNORECASE | re.DOTALL)
    if not m:
        return rest, []
    claims = [i for i in _declarative(m.group().strip(" ,"), make) if i.kind is not K.INFORM]
    return rest[: m.start()], claims


_LOCATED = re.compile(
    rf"\b(?:in|on|from|of|under|for|next to|beside|to the (?:left|right) of)\s+(?:the |its |your |each )?"
    rf"(?:(?P<mark>{LABEL})\s*(?P<noun>{_NOUNS})?|(?P<plain>actions column|drop-?down (?:list|menu)|list|menu|toolbar|row))?",
    re.IGNORECASE,
)


def _located(tail: str, place: Place, make: _Maker) -> Place:
    """Where the words after a label say that it is."""
    for m in _LOCATED.finditer(tail):
        if mark := m.group("mark"):
            place = _where(
                "in", (m.group("noun") or "").lower(), make.masked.mark(mark), place, make
            )[1]
        elif m.group("plain"):
            place = replace(
                place, in_menu=place.in_menu or m.group("plain").lower() not in ("row", "toolbar")
            )
    if found := re.search(
        r"\b(?:of|for|next to|beside|in the row of)\s+(?:the |your |an? )?([\w\- ]+)$",
        tail.strip(" ."),
        re.I,
    ):
        place = replace(place, row=_phrase(found.group(1)))
    return place


def _click(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    rest = re.sub(r"^on\s+", "", rest.strip(), flags=re.IGNORECASE)
    if m := re.match(
        rf"^(?:the |your )?(?P<mark>{LABEL})\s+of the (?P<row>[\w ]+)", rest, re.IGNORECASE
    ):
        row = _phrase(m.group("row"))
        yield make(K.FOLLOW, m.group("mark"), thing=row, place=replace(place, row=row))
        return
    if m := re.match(
        rf"^(?:the |a |an |your |its )?(?P<mark>{MARK})\s*(?P<noun>{_NOUNS})?(?P<tail>.*)$",
        rest,
        re.I | re.S,
    ):
        if re.match(r"\s*to assign|\s*for (?:the|each)", m.group("tail")) and make.masked.mark(
            m.group("mark")
        ).text.strip() in ("+", "-", "–"):
            yield make(K.MOVE, m.group("mark"), thing=m.group("tail"))
            return
        place = _located(m.group("tail"), place, make)
        yield make(K.OPEN, m.group("mark"), noun=m.group("noun") or "", place=place)
        return
    if m := re.match(
        r"^the (?:name|id|link)(?: link)? of (?:the |an? |your )?(?P<row>.+)$", rest, re.IGNORECASE
    ):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
    elif re.search(
        r"\b(?:menu button|arrow|more icon|ellipsis|three dots|actions menu|more menu|menu icon)\b",
        rest,
        re.I,
    ):
        yield make(K.OPEN_MENU, place=_located(rest, place, make))
    elif m := re.match(r"^(?:the )?(?P<row>[\w\- ]+?)(?:'s)? name\b", rest, re.IGNORECASE):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
    else:
        yield make(K.UNCLEAR, thing=rest, place=place)


def _open(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    rest = re.sub(r"^to\s+", "", rest.strip(), flags=re.IGNORECASE)
    if m := re.match(
        rf"^(?:the |your )?(?P<mark>{LABEL})\s*(?P<noun>{_NOUNS})?(?P<tail>.*)$", rest, re.I | re.S
    ):
        place = _located(m.group("tail"), place, make)
        yield make(K.OPEN, m.group("mark"), noun=m.group("noun") or "tab", place=place)
    elif re.search(
        r"\b(?:web )?browser\b|address bar|terminal|shell|console log", rest, re.IGNORECASE
    ):
        yield make(K.EXTERNAL)
    elif m := re.match(
        r"^(?:the )?(?:details? page of |page of )?(?:the |your )?(?P<row>[\w\- ]+)", rest, re.I
    ):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
    else:
        yield make(K.UNCLEAR, thing=rest, place=place)


_SELECT_LABEL = re.compile(
    rf"^(?P<art>an? |the |your )?(?P<mark>{MARK})\s*(?P<noun>{_NOUNS}|project)?(?P<tail>.*)$",
    re.I | re.S,
)


def _select(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    rest = rest.strip()
    if _PROJECT.search(rest):
        yield make(K.SWITCH_PROJECT, thing=rest)
        return
    if re.match(r"^(?:the |one of the |from the )?following\b", rest, re.IGNORECASE):
        yield make(K.INFORM)
        return
    if m := re.match(
        r"^(?:the )?check ?box(?:es)?\b(?P<tail>.*)$", rest, re.IGNORECASE | re.DOTALL
    ):
        yield from _select_checkbox(m.group("tail"), place, make)
        return
    if m := _SELECT_LABEL.match(rest):
        yield from _select_label(m, place, make)
    elif place.field and not place.row:
        yield make(K.CHOOSE, thing=rest, place=place)
    else:
        yield from _pick(rest, place, make)


def _select_label(m: re.Match[str], place: Place, make: _Maker) -> Iterator[Intent]:
    noun, tail = (m.group("noun") or "").lower(), m.group("tail")
    mark = m.group("mark")
    if noun.startswith("check") or noun in ("toggle", "switch"):
        yield make(K.TICK, mark, noun=noun, place=place)
        return
    if inside := re.match(
        rf"\s*(?:from|in|for|as)\s+(?:the )?(?P<field>{LABEL})", tail, re.IGNORECASE
    ):
        noun_after = re.match(rf"\s*(?P<noun>{_NOUNS})?", tail[inside.end() :], re.I)
        where = (noun_after.group("noun") or "").lower() if noun_after else ""
        if where not in (
            "column",
            "menu",
            "dialog box",
            "dialog",
            "window",
            "page",
            "tab",
            "table",
        ):
            field = make.masked.mark(inside.group("field"))
            yield make(K.CHOOSE, value=mark, place=replace(place, field=field))
            return
    place = _located(tail, place, make)
    if place.field:
        yield make(K.CHOOSE, value=mark, place=place)
    elif (m.group("art") or "").strip().lower() in ("a", "an") and not noun:
        yield make(
            K.CHOOSE,
            thing=make.masked.mark(mark).text,
            place=replace(place, field=make.masked.mark(mark)),
        )
    else:
        yield make(K.OPEN, mark, noun=noun or "choice", place=place)


def _select_checkbox(tail: str, place: Place, make: _Maker) -> Iterator[Intent]:
    if m := re.match(
        rf"^\s*(?:for|of|next to|to the left of|beside|in front of|labell?ed)?\s*(?:the )?(?P<mark>{LABEL})",
        tail,
        re.I,
    ):
        yield make(K.TICK, m.group("mark"), noun="check box", place=place)
        return
    row = re.sub(
        r"^\s*(?:for|of|next to|to the left of|beside|in front of)\s*", "", tail, flags=re.I
    )
    yield make(K.PICK, thing=row, noun="check box", place=place)


def _pick(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    rest = re.split(r",? (?:and )?(?:under|in|at) the \W* column", rest)[0]
    if m := re.match(
        rf"^(?P<row>[^,]+?) (?:from|in) (?:the )?(?P<mark>{LABEL})(?! (?:page|tab|list|table))",
        rest,
        re.I | re.S,
    ):
        yield make(
            K.CHOOSE,
            thing=m.group("row"),
            place=replace(place, field=make.masked.mark(m.group("mark"))),
        )
        return
    if m := re.search(rf"(?P<row>.*?)(?P<mark>{LITERAL}|{OTHER}|{LABEL})(?P<after>.*)", rest, re.S):
        thing = f"{make.masked.spoken(m.group('row'))} {make.masked.mark(m.group('mark')).text}"
        yield make(K.PICK, thing=thing, value=m.group("mark"), place=place)
        return
    noun = (
        "list" if re.search(r"drop[- ]?down|from (?:the )?list|menu", rest, re.IGNORECASE) else ""
    )
    yield make(K.PICK, thing=rest, noun=noun, place=place)


_INTO = re.compile(
    rf"\s+(?:in|into|as|to|for|on|under)\s+(?:the |your )?(?P<mark>{LABEL})(?:\s+(?:{_NOUNS}))?",
    re.I,
)


def _fill(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    rest = rest.strip()
    if not rest or re.match(
        r"^(?:or select |the )?(?:following|these|required|parameters|values|information|details)\b|^or\b",
        rest,
        re.I,
    ):
        yield make(K.INFORM)
    elif re.search(r"\b(?:user ?name|e-?mail) and password\b|\bcredentials\b", rest, re.I):
        yield make(K.LOG_IN)
    elif m := re.match(
        rf"^(?P<field>(?:the |your |a )?{LABEL}(?:\s+(?:field|box|to|as))?)\s*(?:to|as|=)\s*(?:the )?(?P<mark>{MARK})",
        rest,
        re.I,
    ):
        label = re.search(LABEL, m.group("field"))
        assert label  # noqa: S101 - the pattern has one
        field = make.masked.mark(label.group())
        yield make(K.FILL, field, value=m.group("mark"), place=place)
    elif m := _INTO.search(rest):
        field = make.masked.mark(m.group("mark"))
        given = re.search(f"{LITERAL}|{OTHER}", rest[: m.start()])
        yield make(
            K.FILL,
            field,
            thing=rest[: m.start()],
            value=given.group() if given else None,
            place=place,
        )
    else:
        yield from _fill_each(rest, place, make)


def _fill_each(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    """ "a name for the router and X": one intent for each part."""
    scope = re.search(r"\b(?:for|of) (?:the |your |an? )?(.+)$", rest, re.I | re.S)
    parts = re.split(r",\s*and\s+|,\s*|\s+and\s+", rest)
    for part in parts:
        part = re.sub(
            r"^(?:enter|specify|type|select|choose|an?|the|your)\s+", "", part.strip(), flags=re.I
        )
        literal = re.search(LITERAL, part)
        if m := re.search(LABEL, part):
            yield make(
                K.FILL,
                m.group(),
                thing=part,
                value=literal.group() if literal else None,
                place=place,
            )
        elif literal and place.field:
            yield make(K.FILL, place.field, value=literal.group(), place=place)
        elif part:
            said = (
                part
                if " for " in part or " of " in part or not scope
                else f"{part} for {scope.group(1)}"
            )
            where = place.field
            yield make(
                K.FILL, where, thing=said, value=literal.group() if literal else None, place=place
            )


def _tick(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    yield from _toggle(K.TICK, rest, place, make)


def _untick(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    yield from _toggle(K.UNTICK, rest, place, make)


def _toggle(kind: IntentKind, rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    if m := re.search(
        rf"^(?:the |that )?(?:check ?box(?:es)? (?:for|next to|of) )?(?:the )?(?P<mark>{LABEL})",
        rest,
        re.I,
    ):
        yield make(kind, m.group("mark"), noun="check box", place=place)
    elif re.match(r"^(?:this|the) check ?box|^the (?:check ?box|row)", rest, re.I):
        yield from _select_checkbox(
            re.sub(r"^.*?check ?box(?:es)?", "", rest, flags=re.I), place, make
        )
    else:
        yield make(K.INFORM if kind is K.TICK else K.UNCLEAR, thing=rest)


def _upload(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    m = re.search(LABEL, rest)
    yield make(K.UPLOAD, m.group() if m else None, thing=rest, place=place)


def _confirm(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    if m := re.search(LABEL, rest):
        yield make(K.OPEN, m.group(), place=place)
    else:
        yield make(K.CONFIRM, thing=rest)


def _wait(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    m = re.search(MARK, rest)
    yield make(K.EXPECT_TEXT if m else K.WAIT, m.group() if m else None, noun="status", thing=rest)


def _verify(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    claims = list(_declarative(rest, make))
    if claims and claims[0].kind is not K.INFORM:
        yield from claims
    else:
        yield from _wait(rest, place, make) if re.search(MARK, rest) else iter([make(K.INFORM)])


def _locate(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    yield from _pick(rest, place, make)


def _search(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    given = re.search(f"{LITERAL}|{OTHER}", rest)
    field = place.field or (make.masked.mark(m.group()) if (m := re.search(LABEL, rest)) else None)
    yield make(
        K.FILL,
        field,
        thing=rest,
        noun="search",
        value=given.group() if given else None,
        place=place,
    )


def _log_in(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    yield make(K.LOG_IN, thing=rest)
    if _PROJECT.search(rest):
        yield make(K.SWITCH_PROJECT, thing=rest)


def _move(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    yield make(K.MOVE, thing=rest, place=place)


def _nothing(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    yield make(K.INFORM)


def _outside(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    yield make(K.EXTERNAL)


def _other(verb: str, rest: str, place: Place, make: _Maker) -> Intent:
    """Verbs that say what for rather than how ("Create a project"): unclear, unless they only inform."""
    if make.optional or re.search(r"\bfollowing\b|\bas needed\b|\bsteps\b", rest, re.IGNORECASE):
        return make(K.INFORM)
    return make(K.UNCLEAR, thing=f"{verb} {rest}", place=place)


def _edit(rest: str, place: Place, make: _Maker) -> Iterator[Intent]:
    """ "Update the name of the volume", "Adjust X and Y": fields to be changed."""
    if re.search(r"\bfollowing\b", rest, re.IGNORECASE):
        yield make(K.INFORM)
    elif re.search(LABEL, rest) or re.match(
        r"^(?:the )?(?:name|description|value)", rest, re.IGNORECASE
    ):
        yield from _fill(rest, place, make)
    else:
        yield _other("edit", rest, place, make)


_RULES: dict[str, _Rule] = {
    **dict.fromkeys(("click", "press", "hit", "push", "double-click", "right-click", "hover over", "point to"), _click),
    **dict.fromkeys(("open", "go to", "go", "navigate to", "navigate", "expand", "switch to", "switch", "access", "visit", "return to", "follow"), _open),
    **dict.fromkeys(("select", "choose", "pick"), _select),
    **dict.fromkeys(("enter", "type", "specify", "provide", "input", "set", "fill in", "fill out", "paste", "copy", "name", "give"), _fill),
    **dict.fromkeys(("check", "tick", "enable", "turn on"), _tick),
    **dict.fromkeys(("uncheck", "untick", "clear", "deselect", "disable", "turn off"), _untick),
    **dict.fromkeys(("upload", "browse", "browse to", "attach"), _upload),
    **dict.fromkeys(("confirm", "accept", "save"), _confirm),
    **dict.fromkeys(("wait", "wait for", "wait until"), _wait),
    **dict.fromkeys(("verify", "verify that", "make sure", "ensure"), _verify),
    **dict.fromkeys(("locate", "find"), _locate),
    **dict.fromkeys(("search", "search for", "filter"), _search),
    **dict.fromkeys(("log in", "log into", "log on", "sign in", "sign into"), _log_in),
    **dict.fromkeys(("move", "drag", "assign"), _move),
    **dict.fromkeys(("change", "edit", "update", "adjust", "rename", "define"), _edit),
    **dict.fromkeys(("leave", "keep", "skip", "ignore", "note", "see", "view", "review", "repeat", "decide", "complete", "use"), _nothing),
    **dict.fromkeys(("run", "ask", "download"), _outside),
}  # fmt: skip


def is_label_role(inline: Inline) -> bool:
    """Whether a marked stretch names something in the console."""
    return inline.role in (InlineRole.UI_LABEL, InlineRole.MENU_PATH)
