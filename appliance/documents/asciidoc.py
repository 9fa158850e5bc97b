"""Parse AsciiDoc into blocks by way of HTML that maps each character to its source offset.

As Asciidoctor reads it, without what needs it to be run: `include` and attributes that are set
elsewhere are shown as `…`, and told; no macro of an extension but tabs. Titles of two lines are not
read as such. https://docs.asciidoctor.org/asciidoc/latest/
"""

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from appliance.documents._antora import component_attributes
from appliance.documents._asciidoc_inline import Inline
from appliance.documents._asciidoc_lines import AttributeEntry, Line, Lines
from appliance.documents._asciidoc_tables import Table, table_of
from appliance.documents._blocks import Comment, Parsed
from appliance.documents._limits import Depth
from appliance.documents._made import HtmlBuilder, outside_text_problem
from appliance.documents._source import Source

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?$")
_ATTRIBUTES = re.compile(r"\[(|[\w.#%,\"'*<^>$][^\n]*)\]$")
_ANCHOR = re.compile(r"\[\[[^\[\]]*\]\]$")
_TITLE = re.compile(r"\.([^\s.].*)$")
_FENCE = re.compile(r"(-{4,}|={4,}|\*{4,}|\.{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,})([\w,-]*)$")
_TABLE = re.compile(r"[|,:!]={3,}$")
_MACRO = re.compile(r"(image|video|audio|toc|unknown)::[^\[\s]*\[[^\]]*\]$")
_RULE = re.compile(r"(?:'{3,}|<{3,}|-{3}|\*{3}|- - -|\* \* \*)$")
_NOTE = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")
_NOTES = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))
_ITEM = re.compile(
    r"[ \t]*(?:(?P<bullet>\*{1,5}|-)|(?P<ordered>\.{1,5}|\d{1,6}\.|[A-Za-z]\.|[ivxIVX]{1,8}\))"
    r"|(?P<callout><(?:\d{1,4}|\.)>))[ \t]+(?=\S)"
)
_TERM = re.compile(r"[ \t]*(?!//)(?P<term>\S(?:.*?\S)??)(?P<sign>:{2,4}|;;)(?:[ \t]+|$)")
_CHECK_BOX = re.compile(r"\[[ xX*]\][ \t]+")
_CODE = frozenset(("source", "listing", "literal", "stem", "latexmath", "asciimath", "plantuml"))


_ELSEWHERE = "an include, or an attribute that is not set here"
_TABS = ('div role="tab"', 'div role="tabpanel"')


@dataclass(slots=True)
class _BlockAttributes:
    """Attributes and title given above a block."""

    style: str = ""
    language: str = ""
    options: frozenset[str] = frozenset()
    named: dict[str, str] = field(default_factory=dict)
    title: Line | None = None


def parse_asciidoc(source: Source) -> Parsed:
    """The blocks of a document."""
    reader = _Reader(source)
    reader.read()
    return Parsed(
        blocks=tuple(reader.builder.blocks()),
        comments=tuple(reader.comments),
        problems=outside_text_problem(source, reader.elsewhere, _ELSEWHERE),
    )


class _Reader:
    """Builds HTML from the lines of a document."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.builder = HtmlBuilder(source)
        self.comments: list[Comment] = []
        self.elsewhere: list[int] = []
        self._inline = Inline(self.builder, self.elsewhere.append)
        self._attributes = component_attributes(source)
        self._depth = Depth()

    def read(self) -> None:
        """Read the whole document."""
        lines = list(Lines(self._source, self.elsewhere.append, dict(self._attributes)))
        self._blocks(self._without_header(lines), is_page=True)

    def _without_header(self, lines: list[Line | AttributeEntry]) -> list[Line | AttributeEntry]:
        """Keep the title and attributes, drop the lines of authors and revision below it."""
        for number, line in enumerate(lines):
            if isinstance(line, AttributeEntry) or not line.text or line.text.startswith("//"):
                continue
            if not re.match(r"[=#][ \t]+\S", line.text):
                break
            header_end = number + 1
            while header_end < len(lines) and _is_in_header(lines[header_end]):
                header_end += 1
            entries = (
                entry
                for entry in lines[number + 1 : header_end]
                if isinstance(entry, AttributeEntry)
            )
            return [*lines[: number + 1], *entries, *lines[header_end:]]
        return lines

    def _blocks(self, lines: Sequence[Line | AttributeEntry], *, is_page: bool = False) -> None:
        """Every block of some lines."""
        with self._depth.below(lambda: next((x.at for x in lines if isinstance(x, Line)), 0)):
            at = 0
            while at < len(lines):
                at = self._block(lines, at, is_page=is_page)

    def _block(
        self,
        lines: Sequence[Line | AttributeEntry],
        at: int,
        *,
        is_page: bool = False,
        within: tuple[str, ...] = (),
    ) -> int:
        """Read one block with its attributes; return the index of the next one.

        `within`: the markers of the lists it stands in; another item of them ends it.
        """
        at, about = self._about(lines, at)
        if at >= len(lines):
            return at
        line = lines[at]
        assert isinstance(line, Line)  # noqa: S101 - `_about` takes all others
        heading = _HEADING.match(line.text)
        if heading and (is_page or about.style in ("discrete", "float")):
            level = len(heading[1])
            self._put(f"<h{level}>", line)
            self._write([line.cut(*heading.span(2))])
            self._put(f"</h{level}>", line)
            return at + 1
        if _MACRO.match(line.text) or _RULE.match(line.text):
            return at + 1
        if _TABLE.match(line.text):
            return self._table(lines, at, about)
        if fence := _FENCE.match(line.text):
            return self._fenced(lines, at, about, fence)
        if marker_of(line.text) and about.style not in _CODE:
            return self._list(lines, at, about, within)
        return self._paragraph(lines, at, about, within)

    def _about(
        self, lines: Sequence[Line | AttributeEntry], at: int
    ) -> tuple[int, _BlockAttributes]:
        """Skip comments and collect the attributes above a block."""
        about = _BlockAttributes()
        while at < len(lines):
            line = lines[at]
            if isinstance(line, AttributeEntry):
                self._set(line)
            elif line.text.startswith("//"):
                at = self._comment(lines, at)
                continue
            elif title := _TITLE.match(line.text):
                about.title = line.cut(*title.span(1))
            elif match := _ATTRIBUTES.match(line.text):
                _read_attributes(about, match[1])
            elif line.text and not _ANCHOR.match(line.text):
                break
            at += 1
        return at, about

    def _set(self, entry: AttributeEntry) -> None:
        if entry.value is None:
            self._attributes.pop(entry.name, None)
        else:
            self._attributes[entry.name] = entry.value

    def _comment(self, lines: Sequence[Line | AttributeEntry], at: int) -> int:
        """Read consecutive `// text` lines, or a `////` block."""
        first = lines[at]
        assert isinstance(first, Line)  # noqa: S101 - who calls has seen it
        if re.fullmatch(r"/{4,}", first.text):
            inner, behind = _lines_until(lines, at + 1, first.text)
            texts = [line for line in inner if isinstance(line, Line)]
        else:
            behind, texts = at, []
            while behind < len(lines):
                line = lines[behind]
                if not (isinstance(line, Line) and re.match("//(?!//)", line.text)):
                    break
                texts.append(line.cut(2))
                behind += 1
            behind = max(behind, at + 1)
        if texts:
            text = "\n".join(line.text for line in texts)
            self.comments.append(Comment(text=text, start=texts[0].at))
        return behind

    def _paragraph(
        self,
        lines: Sequence[Line | AttributeEntry],
        at: int,
        about: _BlockAttributes,
        within: tuple[str, ...] = (),
    ) -> int:
        inner, behind = _running_lines(lines, at, lambda marker: marker in within)
        first = inner[0]
        if about.style == "comment":
            return behind
        if about.style in _CODE or first.text[0] in " \t":
            self._code(inner, about)
            return behind
        note = _NOTE.match(first.text)
        kind = note[1] if note else about.style if about.style in _NOTES else ""
        if note:
            inner = [first.cut(note.end()), *inner[1:]]
        self._open_note(kind, about, first)
        self._element("p", inner)
        self._put("</div>" if kind else "", first)
        return behind

    def _open_note(self, kind: str, about: _BlockAttributes, first: Line) -> None:
        """Open a note, or write the title of another block."""
        if kind:
            self._put(f'<div class="admonition {kind.lower()}">', first)
        if about.title is not None:
            self._element("p", [about.title], ' class="title"' if kind else "")

    def _code(self, lines: Sequence[Line], about: _BlockAttributes) -> None:
        if not lines:
            return
        language = html.escape(about.language)
        self._put(f'<pre><code class="language-{language}">' if language else "<pre>", lines[0])
        for line in lines:
            self.builder.text(f"{line.text}\n", range(line.at, line.at + len(line.text) + 1))
        self._put("</code></pre>" if language else "</pre>", lines[-1])

    def _fenced(
        self,
        lines: Sequence[Line | AttributeEntry],
        at: int,
        about: _BlockAttributes,
        fence: re.Match[str],
    ) -> int:
        """Read a block between two equal delimiter lines."""
        first = lines[at]
        assert isinstance(first, Line)  # noqa: S101 - who calls has seen it
        inner, behind = _lines_until(lines, at + 1, fence[1])
        texts = [line for line in inner if isinstance(line, Line)]
        sign = fence[1][0] if fence[1] != "--" else "--"
        style = about.style
        if style == "comment" or sign == "/":
            return behind
        if sign in "-.`" or (sign == "--" and style in _CODE):
            about.language = about.language or fence[2].lstrip(",")
            self._code(texts, about)
        elif sign == "+":
            if style not in _CODE:
                for line in texts:
                    self.builder.raw(f"{line.text}\n", line.at)
        elif style == "tabs":
            self._tabs(inner, first)
        elif "collapsible" in about.options:
            title = about.title or first.cut(0, 0)
            self._put("<details>", first)
            self._element("summary", [title])
            self._blocks(inner)
            self._put("</details>", first)
        else:
            kind = style if style in _NOTES else ""
            tag = "blockquote" if sign == "_" else "div"
            self._put(f"<{tag}>", first)
            self._open_note(kind, about, first)
            self._blocks(inner)
            self._put("</div>" if kind else "", first)
            self._put(f"</{tag}>", first)
        return behind

    def _tabs(self, inner: Sequence[Line | AttributeEntry], first: Line) -> None:
        """Read a list of terms as tabs."""
        at, about = self._about(inner, 0)
        if _marker_at(inner, at)[:1] not in (":", ";"):
            self._blocks(inner)
            return
        self._put('<div class="tabs">', first)
        at = self._list(inner, at, about, (), _TABS)
        self._put("</div>", first)
        self._blocks(inner[at:])

    def _table(
        self, lines: Sequence[Line | AttributeEntry], at: int, about: _BlockAttributes
    ) -> int:
        first = lines[at]
        assert isinstance(first, Line)  # noqa: S101 - who calls has seen it
        inner, behind = _lines_until(lines, at + 1, first.text)
        if first.text[0] not in "|!":
            return behind
        self._open_note("", about, first)
        table = table_of(
            [line for line in inner if isinstance(line, Line)], about.named, about.options
        )
        self._put("<table>", first)
        self._rows(table, first)
        self._put("</table>", first)
        return behind

    def _rows(self, table: Table, first: Line) -> None:
        for row in table.rows:
            self._put("<tr>", first)
            for cell in row.cells:
                at = cell.lines[0] if cell.lines else first
                tag = "th" if row.is_header else "td"
                span = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
                self._put(f"<{tag}{span}>", at)
                if cell.is_document:
                    self._blocks(cell.lines)
                else:
                    for text in cell.paragraphs:
                        self._element("p", text)
                self._put(f"</{tag}>", at)
            self._put("</tr>", first)

    def _list(
        self,
        lines: Sequence[Line | AttributeEntry],
        at: int,
        about: _BlockAttributes,
        above: tuple[str, ...],
        terms: tuple[str, str] = ("dt", "dd"),
    ) -> int:
        """Read a list with all its items; `above` holds the markers of the lists around it.

        `terms`: the tags of a term and of what is said of it.
        """
        first = lines[at]
        assert isinstance(first, Line)  # noqa: S101 - who calls has seen it
        marker = marker_of(first.text)
        tag = "ol" if _is_ordered(marker) else "ul"
        if marker[0] in ":;":
            tag = "dl" if terms[0] == "dt" else "div"
        if about.title is not None:
            self._put("<p><b>", first)
            self._write([about.title])
            self._put("</b></p>", first)
        with self._depth.below(lambda: first.at):
            self._put(f"<{tag}{_start_attribute(first, about) if tag == 'ol' else ''}>", first)
            while _marker_at(lines, at) == marker:
                at = self._item(lines, at, (*above, marker), terms)
                at = self._to_next_item(lines, at, marker)
            self._put(f"</{tag}>", first)
        return at

    @staticmethod
    def _to_next_item(lines: Sequence[Line | AttributeEntry], at: int, marker: str) -> int:
        """Skip blank lines if another item follows them."""
        behind = at
        while behind < len(lines) and _is_blank(lines[behind]):
            behind += 1
        return behind if _marker_at(lines, behind) == marker else at

    def _item(
        self,
        lines: Sequence[Line | AttributeEntry],
        at: int,
        markers: tuple[str, ...],
        terms: tuple[str, str],
    ) -> int:
        line = lines[at]
        assert isinstance(line, Line)  # noqa: S101 - who calls has seen it
        is_term = markers[-1][0] in ":;"
        match = (_TERM if is_term else _ITEM).match(line.text)
        assert match is not None  # noqa: S101 - it has a marker
        if is_term:
            name, _, more = terms[0].partition(" ")
            self._element(name, [line.cut(*match.span("term"))], f" {more}" if more else "")
        tag = terms[1] if is_term else "li"
        self._put(f"<{tag}>", line)
        rest = line.cut(match.end())
        if box := _CHECK_BOX.match(rest.text):
            rest = rest.cut(box.end())
        if is_term and not rest.text:
            at = self._below_term(lines, at + 1)
        else:
            text, at = _running_lines(lines, at, bool, first=rest)
            self._element("p", text)
        at = self._attached(lines, at, markers)
        self._put(f"</{tag.split()[0]}>", line)
        return at

    def _below_term(self, lines: Sequence[Line | AttributeEntry], at: int) -> int:
        """Read the text of a term from the lines below it."""
        behind = at
        while behind < len(lines) and _is_blank(lines[behind]):
            behind += 1
        line = lines[behind] if behind < len(lines) else None
        if not isinstance(line, Line) or _interrupts(line.text) or marker_of(line.text):
            return at
        if _HEADING.match(line.text):
            return at
        text, behind = _running_lines(lines, behind)
        self._element(
            "p",
            [
                Line(text_line.text.lstrip(), text_line.at + _indent_of(text_line))
                for text_line in text
            ],
        )
        return behind

    def _attached(
        self, lines: Sequence[Line | AttributeEntry], at: int, markers: tuple[str, ...]
    ) -> int:
        """Read what belongs to an item below its text: blocks attached by `+`, nested lists."""
        while True:
            behind = at
            while behind < len(lines) and _is_blank(lines[behind]):
                behind += 1
            line = lines[behind] if behind < len(lines) else None
            if not isinstance(line, Line):
                return at
            if line.text.strip() == "+":
                if behind > at and len(markers) > 1:
                    return at + 1  # each blank line above it: one list further out
                at = behind + 1
                if at >= len(lines) or _marker_at(lines, at) in markers:
                    return at  # it joins nothing
                at = self._block(lines, at, within=markers)
            elif inner := self._inner_list(lines, behind, markers):
                at = inner
            elif line.text[0] in " \t" and behind > at and not marker_of(line.text):
                at = self._paragraph(lines, behind, _BlockAttributes(), markers)
            else:
                return at

    def _inner_list(
        self, lines: Sequence[Line | AttributeEntry], at: int, markers: tuple[str, ...]
    ) -> int | None:
        """Read a nested list with its attributes, such as `[loweralpha]`."""
        about = _BlockAttributes()
        while at < len(lines):
            line = lines[at]
            match = _ATTRIBUTES.match(line.text) if isinstance(line, Line) else None
            if match is None:
                break
            _read_attributes(about, match[1])
            at += 1
        marker = _marker_at(lines, at)
        if not marker or marker in markers:
            return None
        return self._list(lines, at, about, markers)

    def _element(self, tag: str, lines: Sequence[Line], more: str = "") -> None:
        if not lines:
            return
        self._put(f"<{tag}{more}>", lines[0])
        self._write(lines)
        self._put(f"</{tag}>", lines[-1])

    def _write(self, lines: Sequence[Line]) -> None:
        self._inline.write(lines, self._attributes)

    def _put(self, markup: str, line: Line) -> None:
        if markup:
            self.builder.put(markup, line.at)


def marker_of(text: str) -> str:
    """The marker shared by all items of a list; empty if the line is not an item."""
    if match := _ITEM.match(text):
        if bullet := match["bullet"]:
            return str(bullet)
        if match["callout"]:
            return "<>"
        ordered = str(match["ordered"])
        if ordered[0] == ".":
            return ordered
        if ordered[0].isdigit():
            return "1."
        return "i)" if ordered[-1] == ")" else "a." if ordered.islower() else "A."
    term = _TERM.match(text)
    return str(term["sign"]) if term and not _FENCE.match(text) else ""


def _marker_at(lines: Sequence[Line | AttributeEntry], at: int) -> str:
    line = lines[at] if at < len(lines) else None
    return marker_of(line.text) if isinstance(line, Line) else ""


def _is_ordered(marker: str) -> bool:
    return marker[0] not in "*-<"


def _start_attribute(first: Line, about: _BlockAttributes) -> str:
    """The `start` attribute of an ordered list."""
    number = about.named.get("start", "")
    if not number and (digits := re.match(r"\s*(\d{1,6})\.", first.text)):
        number = digits[1]
    return f' start="{int(number)}"' if number.isascii() and number.isdigit() else ""


def _is_blank(line: Line | AttributeEntry) -> bool:
    return isinstance(line, Line) and not line.text


def _is_in_header(line: Line | AttributeEntry) -> bool:
    return isinstance(line, AttributeEntry) or bool(line.text)


def _indent_of(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())


def _interrupts(text: str) -> bool:
    """Whether a line ends the paragraph above it."""
    return bool(
        not text
        or text == "+"
        or _FENCE.match(text)
        or _TABLE.match(text)
        or _ATTRIBUTES.match(text)
        or _ANCHOR.match(text)
    )


def _running_lines(
    lines: Sequence[Line | AttributeEntry],
    at: int,
    is_end: Callable[[str], bool] = lambda marker: False,
    *,
    first: Line | None = None,
) -> tuple[list[Line], int]:
    """The lines of one text without comments, and the index after it.

    `is_end`: whether a line with this marker ends it; `first`: what is left of its first line.
    """
    first_line = first or lines[at]
    assert isinstance(first_line, Line)  # noqa: S101 - who calls has seen it
    texts, behind = [first_line], at + 1
    while behind < len(lines):
        line = lines[behind]
        if isinstance(line, AttributeEntry) or _interrupts(line.text.strip()):
            break
        if is_end(marker_of(line.text)):
            break
        if not line.text.startswith("//"):
            texts.append(line.cut(_indent_of(line)) if first is not None else line)
        behind += 1
    return texts, behind


def _lines_until(
    lines: Sequence[Line | AttributeEntry], at: int, closing: str
) -> tuple[Sequence[Line | AttributeEntry], int]:
    """The lines before the closing one and the index after it; all lines if it never comes."""
    for behind in range(at, len(lines)):
        line = lines[behind]
        if isinstance(line, Line) and line.text == closing:
            return lines[at:behind], behind + 1
    return lines[at:], len(lines)


def _read_attributes(about: _BlockAttributes, text: str) -> None:
    """Parse `[style%option,language,name=value]` into the attributes."""
    parts = re.findall(r"(?:\"[^\"]*\"|'[^']*'|[^,\"'])+", text)
    for number, part in enumerate(parts):
        name, sign, value = part.strip().partition("=")
        if sign and re.fullmatch(r"[\w-]+", name):
            about.named[name] = value.strip("\"'")
        elif number == 0:
            about.style = re.split(r"[.#%]", name)[0] or about.style
            about.options |= frozenset(re.findall(r"%([\w-]+)", name))
        elif number == 1 and (about.style in ("", "source")):
            about.language = name
    if text.startswith(","):
        about.language = parts[0].strip() if parts else ""
        about.style = about.style or "source"
    named = about.named.get("options") or about.named.get("opts") or ""
    about.options |= frozenset(re.split(r"[,\s]+", named)) - {""}
