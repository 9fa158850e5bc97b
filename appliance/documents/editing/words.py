"""Find and read plain words in markup, with entities, escapes, line breaks and table cells."""

import html
import re
from functools import lru_cache
from html.entities import codepoint2name

from appliance.documents._text import CJK

BREAK = re.compile(r"[ \t]*(?:\|[ \t]*)?\r?\n[ \t]*(?:[|>][ \t]*)*")
"""Between the lines of one text; in a grid table or a quotation, with what stands at their ends."""

_MARKUP = r"(?:\*{1,3}|_{1,2}|`{1,2}|</?[A-Za-z][^<>]*>|:[\w:+.-]+:(?=`)|\\[ ]?)"
_GAP = rf"(?:{BREAK.pattern}|\s|&nbsp;|&\#160;)"
_CJK = re.compile(f"[{CJK}]")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_RST_ROLE = re.compile(r":[\w:+.-]+:(?=`)")
_SYMBOLS = re.compile(r"\*{1,3}|`{1,2}|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)")
_ESCAPED = re.compile(r"\\(?=[^\w\s])|\\ ")


@lru_cache(maxsize=256)
def markup_pattern(words: str) -> re.Pattern[str]:
    """A pattern for all ways to write these words in a source of any format."""
    folded = " ".join(words.split())
    parts = [_char(char) for char in folded]
    pattern = parts[:1]
    for before, char, part in zip(folded, folded[1:], parts[1:], strict=False):
        if " " in (before, char):
            between = f"{_MARKUP}*"
        elif _CJK.match(before) or _CJK.match(char):
            between = f"(?:{_MARKUP}|{BREAK.pattern})*"
        else:
            between = "" if before.isalnum() and char.isalnum() else f"{_MARKUP}*"
        pattern += [between, part]
    return re.compile("".join(pattern))


def plain(source: str, format: str) -> str:
    """The words of a stretch of source as a reader sees them, with white space folded."""
    text = BREAK.sub("\n", source)
    if format != "rst":
        text = html.unescape(_TAG.sub("", text))
    if format not in ("html", "xml"):
        text = _RST_ROLE.sub("", text).replace("&&", "&") if format == "rst" else text
        text = _ESCAPED.sub("", _SYMBOLS.sub("", text))
    text = re.sub(rf"(?<=[{CJK}])\n(?=[{CJK}])", "", text)
    return " ".join(text.split())


def _char(char: str) -> str:
    if char == " ":
        return f"{_GAP}+"
    if char.isalnum():
        return char
    code, name = ord(char), codepoint2name.get(ord(char), "")
    named = f"&{name};|" if name else ""
    escaped = re.escape(char)
    doubled = "&{1,2}|" if char == "&" else ""
    return rf"(?:{named}&\#0*{code};|&\#[xX]0*{code:x};|\\{escaped}|{doubled}{escaped})"
