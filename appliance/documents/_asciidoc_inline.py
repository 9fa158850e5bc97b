"""Running text of AsciiDoc: marks, macros, references and attributes.

https://docs.asciidoctor.org/asciidoc/latest/text/ and the pages behind it.
"""

import html
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from appliance.documents._limits import check_paragraph
from appliance.documents._made import LEFT_OUT, HtmlBuilder

_UNKNOWN = "\ue000"
"""Placeholder for text that is not known; distinct from an ellipsis in a label."""
_FAR = 1_000
"""Longest mark or macro, in characters."""
_CHARACTERS = {
    "amp": "&", "apos": "'", "asterisk": "*", "backslash": "\\", "backtick": "`", "blank": "",
    "brvbar": "¦", "caret": "^", "cpp": "C++", "cxx": "C++", "deg": "°", "empty": "",
    "endsb": "]", "gt": ">", "ldquo": "“", "lsquo": "‘", "lt": "<", "nbsp": "\u00a0",
    "plus": "+", "pp": "++", "quot": '"', "rdquo": "”", "rsquo": "’", "sp": " ",
    "startsb": "[", "tilde": "~", "two-colons": "::", "two-semicolons": ";;", "vbar": "|",
    "wj": "", "zwsp": "",
}  # fmt: skip
"""https://docs.asciidoctor.org/asciidoc/latest/attributes/character-replacement-ref/"""

_NAME = r"[A-Za-z0-9_][\w-]*"
_REFERENCE = re.compile(rf"(\\)?\{{(?:(?:counter2?|set):[^{{}}\n]*|({_NAME}))\}}")
_WORD = r"(?<![\w;:}\\])"
"""Not behind a word: where a mark of one sign may begin."""
_ROLES = r"(?:\[[^\[\]\n]{0,200}\])?"
_URL = r"(?:https?|ftp|irc|mailto):"


def _constrained(sign: str) -> str:
    inner = rf"(?:(?!{sign}(?!\w))[^\x00]){{0,{_FAR}}}?"
    return rf"{_WORD}{_ROLES}{sign}(?=\S)(?P<NAME>{inner}\S|\S){sign}(?!\w)"


def _unconstrained(sign: str) -> str:
    return rf"{_ROLES}{sign}{sign}(?P<NAME>[^\x00]{{1,{_FAR}}}?){sign}{sign}"


_IN_BRACKETS = rf"\[(?P<NAME>(?:\\\]|[^\]]){{0,{_FAR}}})\]"
_FORMS: tuple[tuple[str, str], ...] = (
    (
        "escape",
        r"\\(?P<NAME>(?!<[-=])[*_`#^~{<\[+:|]|->|=>|<-|<="
        r"|(?:https?|link|xref|kbd|btn|menu|image|icon|pass):)",
    ),
    ("verbatim", rf"\+\+\+(?P<NAME>[^\x00]{{0,{_FAR}}}?)\+\+\+"),
    ("passed", rf"pass:[a-z,]*{_IN_BRACKETS}"),
    ("quoted", r"\"`(?P<NAME>[^`\n][^\x00]{0,400}?)`\""),
    ("single", r"'`(?P<NAME>[^`\n][^\x00]{0,400}?)`'"),
    ("plain_code", rf"`\+(?P<NAME>[^\x00]{{1,{_FAR}}}?)\+`"),
    ("wide_code", _unconstrained("`")),
    ("code", _constrained("`")),
    ("wide_plain", rf"\+\+(?P<NAME>[^\x00]{{1,{_FAR}}}?)\+\+"),
    ("plain", _constrained(r"\+")),
    ("wide_bold", _unconstrained(r"\*")),
    ("bold", _constrained(r"\*")),
    ("wide_italic", _unconstrained("_")),
    ("italic", _constrained("_")),
    ("wide_span", _unconstrained("#")),
    ("span", _constrained("#")),
    ("raised", r"\^(?P<NAME>[^\s^]{1,99})\^"),
    ("lowered", r"~(?P<NAME>[^\s~]{1,99})~"),
    ("key", rf"kbd:{_IN_BRACKETS}"),
    ("button", rf"btn:{_IN_BRACKETS}"),
    ("menu", r"menu:(?P<NAME>[^\s\[:][^\[\n]{0,200})\[(?P<entries>[^\]\n]{0,400})\]"),
    ("picture", r"(?:image|icon):(?!:)\S[^\[\n]{0,400}\[(?P<NAME>[^\]]{0,400})\]"),
    ("unseen", rf"(?:footnote(?:ref)?:[\w-]*|indexterm:|anchor:[\w.-]+){_IN_BRACKETS}"),
    ("formula", rf"(?:stem|latexmath|asciimath|indexterm2):{_IN_BRACKETS}"),
    ("link", rf"(?:link:|xref:)(?P<to_link>[^\s\[\]]{{1,800}}){_IN_BRACKETS}"),
    ("address", rf"(?<![\w/])(?P<to_address>{_URL}[^\s\[\]<>]{{1,800}}){_IN_BRACKETS}"),
    (
        "bare_address",
        r"<?(?<![\w/])(?P<NAME>(?:https?|ftp)://[^\s\[\]<>]{1,800}[^\s\[\]<>.,;:!?)'\"])>?",
    ),
    ("reference", r"<<(?P<to_reference>[^\s<>,][^<>,\n]{0,200})(?:,\s*(?P<NAME>[^<>]{0,400}))?>>"),
    ("anchor", r"\[\[[^\[\]\n]{1,200}\]\]"),
    ("hidden_term", r"\(\(\([^()]{1,200}\)\)\)"),
    ("term", r"\(\((?P<NAME>[^()\s][^()]{0,200})\)\)"),
    ("break", r"(?<=[ \t])\+[ \t]*(?=\n|$)"),
    (
        "replaced",
        r"(?<=\s)--(?=\s)|(?<=\w)--(?=\w)|\.\.\.|(?<![-<=])(?:->|=>|<-|<=)(?![->=])|\((?:C|R|TM)\)",
    ),
    ("entity", r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"),
)
_ANY = re.compile(
    "|".join(f"(?P<is_{name}>{form.replace('<NAME>', f'<{name}>')})" for name, form in _FORMS)
)
_REPLACED = {
    "--": "—", "...": "…", "->": "→", "=>": "⇒", "<-": "←", "<=": "⇐", "(C)": "©", "(R)": "®",
    "(TM)": "™",
}  # fmt: skip
"""https://docs.asciidoctor.org/asciidoc/latest/subs/replacements/"""
_ELEMENTS = {
    "wide_code": "code", "code": "code", "wide_bold": "b", "bold": "b", "wide_italic": "em",
    "italic": "em", "button": "b", "key": "kbd",
}  # fmt: skip
_AS_IT_IS = frozenset(("plain_code", "plain", "wide_plain", "verbatim", "passed", "formula", "key"))
_ATTRIBUTE = re.compile(r",?\s*(?:[\w-]+=(?:\"[^\"]*\"|[^,\"]*)|opts?=\S+)\s*(?=,|$)|\^\s*$")
Piece: TypeAlias = tuple[str, int]
"""A stretch of the source, with the offset of its first character."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Text with attribute values filled in; `places[i]` is the source offset of `text[i]`."""

    text: str
    places: list[int]


class Inline:
    """Writes running text."""

    def __init__(self, builder: HtmlBuilder, elsewhere: Callable[[int], None]) -> None:
        self._builder, self._elsewhere = builder, elsewhere

    def write(self, lines: Iterable[Piece], attributes: Mapping[str, str]) -> None:
        """Lines of one text."""
        texts, places = list[str](), list[int]()
        for line, offset in lines:
            if texts:
                places.append(offset - 1)
            texts.append(line)
            places += range(offset, offset + len(line))
        run = _Run("\n".join(texts), places)
        check_paragraph(run.text, lambda: places[0])
        self._write(self._expanded(run, attributes))

    def _expanded(self, run: _Run, attributes: Mapping[str, str]) -> _Run:
        """Fill in attribute values; every character of a value maps to its reference."""
        pieces, places, position = list[str](), list[int](), 0
        for match in _REFERENCE.finditer(run.text):
            place = run.places[match.start() + bool(match[1])]
            pieces.append(run.text[position : match.start()])
            places += run.places[position : match.start()]
            position = match.end()
            if match[1] or match[2] is None:
                replacement = match.group().removeprefix("\\") if match[1] else ""
            else:
                replacement = _value(match[2].lower(), attributes)
                if _UNKNOWN in replacement:
                    self._elsewhere(place)
            pieces.append(replacement)
            places += [place] * len(replacement)
        return _Run("".join([*pieces, run.text[position:]]), [*places, *run.places[position:]])

    def _write(self, run: _Run) -> None:
        position = 0
        for match in _ANY.finditer(run.text):
            self._text(run, position, match.start())
            self._form(run, match)
            position = match.end()
        self._text(run, position, len(run.text))

    def _text(self, run: _Run, start: int, end: int) -> None:
        text = run.text[start:end].replace(_UNKNOWN, LEFT_OUT)
        self._builder.text(text, run.places[start:end])

    def _form(self, run: _Run, match: re.Match[str]) -> None:
        name = next(name for name, _ in _FORMS if match[f"is_{name}"] is not None)
        at = run.places[match.start()]
        inner_span = match.span(name) if name in match.re.groupindex else (-1, -1)
        if inner_span[0] < 0:
            inner_span = match.start(), match.start()
        inner = _Run(run.text[slice(*inner_span)], run.places[slice(*inner_span)])
        match name:
            case "link" | "address" | "reference" | "bare_address":
                self._link(run, match, inner, at)
            case "menu":
                self._menu(run, match, inner, at)
            case "picture":
                alt = html.escape(inner.text.partition(",")[0].strip('"'))
                self._builder.put(f'<img src="" alt="{alt}">', at)
            case "break" | "entity":
                self._builder.put("<br>" if name == "break" else match.group(), at)
            case "replaced":
                self._builder.text(_REPLACED[match.group()], [at])
            case "quoted" | "single":
                opening, closing = "“”" if name == "quoted" else "‘’"
                self._builder.text(opening, [at])
                self._write(inner)
                self._builder.text(closing, [run.places[match.end() - 1]])
            case "unseen" | "anchor" | "hidden_term":
                pass
            case "escape":
                self._text(inner, 0, len(inner.text))
            case _:
                self._element(name, inner, at)

    def _element(self, name: str, inner: _Run, at: int) -> None:
        """Markup around text; text from another file is not marked, for it names nothing."""
        tag = "" if _UNKNOWN in inner.text else _ELEMENTS.get(name, "")
        tag = "code" if name == "plain_code" else tag
        self._builder.put(f"<{tag}>" if tag else "", at)
        if name in _AS_IT_IS:
            self._text(inner, 0, len(inner.text))
        else:
            self._write(inner)
        self._builder.put(f"</{tag}>" if tag else "", inner.places[-1] if inner.places else at)

    def _link(self, run: _Run, match: re.Match[str], inner: _Run, at: int) -> None:
        """`link:to[text]`; without a text, the address or a placeholder for a title elsewhere."""
        groups = match.groupdict()
        name = next((n for n in ("to_link", "to_address", "to_reference") if groups[n]), "")
        target_span = match.span(name) if name else match.span("bare_address")
        self._builder.put(f'<a href="{html.escape(run.text[slice(*target_span)].strip("+"))}">', at)
        if name and (link_text := _without_attributes(inner)).text:
            self._write(link_text)
        elif name == "to_reference" or match.group().startswith("xref:"):
            self._builder.text(LEFT_OUT, [at])
        else:
            self._text(run, *target_span)
        self._builder.put("</a>", at)

    def _menu(self, run: _Run, match: re.Match[str], first: _Run, at: int) -> None:
        """`menu:File[Save As > PDF]`."""
        self._builder.put('<span class="menuselection">', at)
        self._text(first, 0, len(first.text))
        start, end = match.span("entries")
        for entry in re.finditer(r"[^>\s](?:[^>]*[^>\s])?", run.text[:end][start:]):
            self._builder.text(" > ", [run.places[start + entry.start() - 1]] * 3)
            self._text(run, start + entry.start(), start + entry.end())
        self._builder.put("</span>", at)


def _value(name: str, attributes: Mapping[str, str]) -> str:
    """The value of an attribute; `_UNKNOWN` if it is not set here."""
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    value = attributes.get(name)
    if value is None:
        return _UNKNOWN
    return value


def value_of(text: str, attributes: Mapping[str, str]) -> str:
    """Fill in the attributes that a value refers to, as they are when it is set."""
    return _REFERENCE.sub(
        lambda match: (
            match.group() if match[1] or match[2] is None else _value(match[2].lower(), attributes)
        ),
        text,
    )


def _without_attributes(run: _Run) -> _Run:
    """The text of a link without `,window=_blank` and `^`."""
    text = run.text
    while (match := _ATTRIBUTE.search(text)) and match.end() == len(text):
        text = text[: match.start()]
    start = 1 if len(text) > 1 and text[0] == text[-1] == '"' else 0
    end = len(text) - start
    return _Run(text[start:end], run.places[start:end])
