"""English sentences that ask for nothing: claims about what the console shows."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.maker import Maker
from appliance.policy.literal.read.masking import LABEL, MARK

K = IntentKind

_APPEARS = re.compile(
    rf"(?P<mark>{LABEL})(?:\s*:?\s*{MARK})?\s+(?P<noun>dialog box|dialog|window|page|wizard|panel|form|drawer)\s+"
    r"(?:will )?(?:appears?|opens?|is (?:displayed|shown|opened)|shows up|open|appear)",
    re.I,
)


_NAMED = re.compile(
    rf"\b(?P<noun>dialog box|dialog|window|wizard|panel|form|drawer) (?P<mark>{LABEL})\s+"
    r"(?:will )?(?:appears?|opens?|is (?:displayed|shown|opened)|shows up)",
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


_HOLDS = re.compile(
    rf"^(?:the )?(?P<field>{LABEL}) (?:field |list |box )?is (?P<mark>{MARK}) by default\W*$"
    rf"|^the default (?:value )?(?:of|for) (?:the )?(?P<field2>{LABEL})(?: field| list| box)? is (?P<mark2>{MARK})\W*$"
    rf"|^by default,? (?:the )?(?P<field3>{LABEL}) (?:field |list |box )?is (?:set to )?(?P<mark3>{MARK})\W*$",
    re.I,
)
_TAB_SHOWS = re.compile(
    rf"^the (?P<mark>{LABEL}) (?:tab|category) (?:shows|lists|displays)\b", re.I
)
_TITLE = re.compile(rf"^(?P<mark>{LABEL})\s*(?P<noun>tab|page|section|panel|step)?\s*[:.]?$", re.I)


def declarative(text: str, make: Maker) -> Iterator[Intent]:
    """A claim about what the console shows, or nothing to do."""
    if m := _TITLE.match(text):
        noun = (m.group("noun") or "").lower()
        yield make(
            K.OPEN if noun in ("tab", "step", "page", "panel") else K.INFORM,
            m.group("mark"),
            noun=noun,
        )
        return
    if make.conditional or (make.optional and not _FIELDS_ARE.match(text)):
        yield make(K.INFORM)
        return
    if m := _HOLDS.match(text):
        field = m.group("field") or m.group("field2") or m.group("field3")
        value = m.group("mark") or m.group("mark2") or m.group("mark3")
        yield make(K.EXPECT_DEFAULT, field, value=value)
    elif m := _TAB_SHOWS.match(text):
        yield replace(make(K.OPEN, m.group("mark"), noun="tab"), is_optional=True)
    elif m := _APPEARS.search(text) or _NAMED.search(text) or _OPENS.search(text):
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
