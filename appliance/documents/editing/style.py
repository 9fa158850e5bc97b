"""How a document writes labels and paths, so that new ones look like the others."""

import html
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from appliance.core.procedure import Inline, InlineRole
from appliance.documents._marks import ARROW
from appliance.documents._xml_names import INLINES
from appliance.documents.editing.source import SourceText, Stretch
from appliance.documents.editing.words import markup_pattern

_FAR = 200
"""Longest opening markup of a label, in characters."""
_ELEMENTS = "b|strong|code|em|i|span|kbd|samp|tt|a|button|u"
_XML_ELEMENTS = "|".join(INLINES)
_TAG_NAME = re.compile(r"<([A-Za-z][\w-]*)")
_PAIRS = {"「": "」", "【": "】", "“": "”", '"': '"', "『": "』"}
_QUOTES = "".join(_PAIRS)
_OPENINGS = {
    "markdown": re.compile(rf"(?:<(?:{_ELEMENTS})\b[^<>]*>|\*{{1,3}}|_{{1,2}}|`+|[{_QUOTES}])+$"),
    "rst": re.compile(rf"(?::[\w:+.-]+:`|\*{{1,2}}|`{{1,2}}|[{_QUOTES}])$"),
    "html": re.compile(rf"(?:<(?:{_ELEMENTS})\b[^<>]*>|[{_QUOTES}])+$"),
    "xml": re.compile(rf"(?:<(?:{_XML_ELEMENTS})\b[^<>]*>|[{_QUOTES}])+$"),
    "asciidoc": re.compile(rf"(?:\*{{1,2}}|_{{1,2}}|`{{1,2}}|(?:btn|kbd):\[|[{_QUOTES}])+$"),
}
_TOKEN = re.compile(r"<[^<>]*>|:[\w:+.-]+:`|\*+|_+|`+|(?:btn|kbd):\[|.")


class Wrapping(NamedTuple):
    """Markup around a label."""

    opening: str
    closing: str


@dataclass(frozen=True, slots=True)
class PathStyle:
    """How a path is written."""

    around: Wrapping
    joiner: str
    """Between two entries, markup included."""

    def join(self, parts: Iterable[str]) -> str:
        """Join the entries of a path, without the markup around it."""
        return self.joiner.join(parts)


def wrapping_of(source: SourceText, at: Stretch, format: str) -> Wrapping:
    """The markup right around a stretch; empty if the opening is not closed."""
    match = _OPENINGS[format].search(source.text[max(0, at.start - _FAR) : at.start])
    opening = match.group() if match else ""
    closing = "".join(map(_closes, reversed(_TOKEN.findall(opening))))
    if not source.text.startswith(closing, at.end):
        return Wrapping("", "")
    return Wrapping(opening, closing)


def parts_of(words: str) -> tuple[str, ...]:
    """The entries of a path; one for words that are no path."""
    parts = tuple(part.strip() for part in ARROW.split(words))
    return parts if all(parts) else (words,)


def path_style(
    source: SourceText, format: str, labels: Iterable[tuple[Inline, Stretch]], label: Wrapping
) -> PathStyle:
    """The style for paths: as around this label, else the document's most frequent, else usual."""
    styles_used = Counter(
        style
        for inline, at in labels
        if inline.role is InlineRole.MENU_PATH and (style := style_of(source, format, inline, at))
    )
    alike = Counter({style: n for style, n in styles_used.items() if style.around == label})
    for styles in (alike, styles_used):
        if styles:
            return styles.most_common(1)[0][0]
    return _usual(format, label)


def style_of(source: SourceText, format: str, inline: Inline, at: Stretch) -> PathStyle | None:
    """How a path is written; None if it has only one entry."""
    if len(inline.parts) < 2:
        return None
    first, second = (markup_pattern(part).pattern for part in inline.parts[:2])
    match = re.compile(f"(?s:{first}(?P<joiner>.{{1,{_FAR}}}?){second})").match(
        source.text, at.start
    )
    if match is None or match["joiner"].endswith("["):  # of `menu:A[B]`, which ends elsewhere
        return None
    joiner = re.sub(r"\s+", " ", match["joiner"])
    return PathStyle(wrapping_of(source, at, format), joiner)


def escape_markup(words: str, format: str, around: Wrapping, *, in_table: bool) -> str | None:
    """Escape words for their place in the markup; None if that is impossible."""
    is_code = around.opening.endswith("`") and not around.opening.endswith(":`")
    match format:
        case "html" | "xml":
            return html.escape(words, quote=False)
        case "asciidoc":  # a backslash before what is no markup is shown: read again, it is told
            return words
        case "markdown" if is_code:
            text = None if "`" in words else words
        case "markdown":
            text = re.sub(r"([\\`*<\[\]]|(?<!\w)_|_(?!\w)|&(?=#?\w+;))", r"\\\1", words)
        case _ if around.opening == "``":
            text = None if "`" in words else words
        case _ if around.opening.endswith(":`"):
            text = re.sub(r"([\\`])", r"\\\1", words)
            text = re.sub("&", "&&", text) if _is_accelerated(around.opening) else text
        case _:
            text = re.sub(r"([\\`*|]|_(?!\w))", r"\\\1", words)
    return text.replace("|", "\\|") if text and in_table and format == "markdown" else text


def _is_accelerated(opening: str) -> bool:
    return opening.strip(":`").rpartition(":")[2] in ("guilabel", "menuselection")


def _closes(token: str) -> str:
    if name := _TAG_NAME.match(token):
        return f"</{name[1]}>"
    if token.endswith(":["):
        return "]"
    return "`" if token.startswith(":") else _PAIRS.get(token, token)


def _usual(format: str, label: Wrapping) -> PathStyle:
    opening, closing = label
    if opening.endswith(":`"):
        return PathStyle(Wrapping(":menuselection:`", "`"), " --> ")
    if opening and opening[-1] in _PAIRS:
        return PathStyle(label, " → ")
    arrow = " &gt; " if format in ("html", "xml") else " > "
    return PathStyle(label, f"{closing}{arrow}{opening}")
