"""Parse DocBook and DITA by way of HTML that maps each character to its source offset.

Files of entity declarations below the document root are read (`_entities.py`), and no others: what
a further entity, a `conref` or an `xi:include` would fetch is shown as `…`, and told.
"""

import html
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html.entities import html5
from pathlib import Path
from xml.parsers import expat

from appliance.documents import _xml_names as names
from appliance.documents._blocks import Comment, Parsed
from appliance.documents._entities import MAX_NESTED, EntityFiles
from appliance.documents._made import LEFT_OUT, HtmlBuilder, outside_text_problem
from appliance.documents._source import Source

_ELSEWHERE = "an entity, conref, keyref or include"


def parse_xml(source: Source) -> Parsed:
    """The blocks of a document; none but a problem if it is malformed or of another kind."""
    writer = _Writer(
        source.text, HtmlBuilder(source), EntityFiles(source), str(Path(source.path).parent)
    )
    try:
        writer.write()
    except _OtherRootError as error:
        problem = f"{source.path}: its root is <{error}>: neither DocBook nor DITA; nothing is read"
        return Parsed(blocks=(), problems=(problem,))
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        problem = f"{source.path}:{error.lineno}: is not well-formed XML ({why}); nothing is read"
        return Parsed(blocks=(), problems=(problem,))
    blocks = writer.builder.blocks()
    return Parsed(
        blocks=tuple(blocks),
        comments=tuple(writer.comments),
        problems=outside_text_problem(source, writer.elsewhere, _ELSEWHERE),
    )


class _OtherRootError(Exception):
    """The root element is not one of DocBook or DITA."""


@dataclass(slots=True)
class _Open:
    """An open element."""

    name: str
    is_about: bool = False
    """Whether it holds metadata of a section, of which readers see only the title."""
    closing: str = ""
    """Its closing tag in HTML."""
    list_tag: str = ""
    """For a list, the HTML tag that opens before its first item."""
    is_in_list: bool = False
    """For a list, whether that tag is open."""
    items: int = 0
    has_text: bool = False
    takes_elsewhere: bool = False
    is_partial: bool = False
    """Whether some of its text is in another file, so that it names nothing."""
    begins: int = 0
    """Index of its opening piece of markup."""


@dataclass(slots=True)
class _Writer:
    """Builds HTML from an XML source as expat parses it."""

    text: str
    builder: HtmlBuilder
    entity_files: EntityFiles
    folder: str
    """Folder of the document."""
    comments: list[Comment] = field(default_factory=list)
    elsewhere: list[int] = field(default_factory=list)
    """Offsets of text that another file holds."""
    _open: list[_Open] = field(default_factory=list)
    _level: int = 0
    """Heading level of the innermost section."""
    _prefix: str = ""
    """Words for what an attribute says of a step, such as "(Optional) "."""
    _ignored: int = 0
    """Number of open elements from an ignored one inwards."""
    _data: bytes = b""
    _last_position: tuple[int, int] = (0, 0)
    """Byte and character index of the last position asked for."""
    _parser: expat.XMLParserType = field(init=False)
    _declaring: expat.XMLParserType = field(init=False)
    """Parser of the document or of the innermost declaration file being read."""
    _nested: int = 0
    _dtd: str | None = None
    """System id of the document type, which is not opened: its entities are known."""

    def write(self) -> None:
        """Build the HTML; raises `ExpatError` if the document is not well formed."""
        self._data = self.text.encode("utf-8", "replace")
        self._parser = self._declaring = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.CommentHandler = self._comment
        parser.SkippedEntityHandler = self._skipped
        parser.ExternalEntityRefHandler = self._external
        parser.StartDoctypeDeclHandler = self._doctype
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
        parser.SetBase(self.folder)
        parser.Parse(self._data, True)

    def _at(self) -> int:
        """The source offset of the parser."""
        index = self._parser.CurrentByteIndex
        byte, character = self._last_position
        if index < byte:
            byte, character = 0, 0
        character += len(self._data[byte:index].decode("utf-8", "ignore"))
        self._last_position = (index, character)
        return character

    def _begin(self, qualified: str, attributes: Mapping[str, str]) -> None:
        name = qualified.rpartition(":")[2]
        at = self._at()
        parent = self._open[-1] if self._open else None
        if parent is None and name not in names.ROOTS:
            raise _OtherRootError(qualified)
        if name == "include":
            self._leave_out_text(at)
        if self._ignored or self._is_ignored(name, parent):
            self._ignored += 1
            return
        if parent is not None:
            self._enter(parent, name, at)
        element = _Open(
            name,
            is_about=name in names.ABOUT and (parent is None or parent.name not in names.STEPS),
            takes_elsewhere=any(attributes.get(attribute) for attribute in names.ELSEWHERE),
            begins=self.builder.pieces,
        )
        self._open.append(element)
        self.builder.put(self._opening(element, parent, attributes), at)
        if name in ("quote", "q"):
            self.builder.put("“", at)
        if name in names.STEPS:
            importance = attributes.get("performance") or attributes.get("importance")
            self._prefix = "(Optional) " if importance == "optional" else ""

    @staticmethod
    def _is_ignored(name: str, parent: _Open | None) -> bool:
        is_about = parent is not None and parent.is_about
        return name in names.IGNORED or name == "include" or (is_about and name != "title")

    def _enter(self, parent: _Open, name: str, at: int) -> None:
        """Open or close the parent's list if it is one; separate entries of a menu path."""
        if parent.name in names.PATHS and parent.has_text:
            self.builder.put(" &gt; ", at)
        if not parent.list_tag:
            return
        is_item = name in names.ITEMS or parent.list_tag == "dl"
        if is_item and not parent.is_in_list and name != "title":
            start = f' start="{parent.items + 1}"' if parent.list_tag == "ol" else ""
            self.builder.put(f"<{parent.list_tag}{start}>", at)
            parent.is_in_list = True
        elif not is_item and parent.is_in_list:
            self.builder.put(f"</{parent.list_tag}>", at)
            parent.is_in_list = False
        parent.items += is_item

    def _opening(self, element: _Open, parent: _Open | None, attributes: Mapping[str, str]) -> str:
        tag = self._tag(element, parent, attributes)
        if not tag:
            return ""
        element.closing = f"</{tag.split()[0]}>"
        target = next(
            (v for k, v in attributes.items() if k.endswith(("href", "url", "linkend"))), ""
        )
        if tag == "a" and target:
            return f'<a href="{html.escape(target)}">'
        return f"<{tag}>"

    def _tag(self, element: _Open, parent: _Open | None, attributes: Mapping[str, str]) -> str:
        name, parent_name = element.name, parent.name if parent else ""
        if name in names.SECTIONS:
            self._level += 1
            return "div"
        if name == "title":
            return self._title(parent)
        if name in names.NOTES:
            return f'div class="admonition {html.escape(attributes.get("type", name))}"'
        if tag := names.LISTS.get(name, ""):
            element.list_tag = tag
            return "div"
        if name == "listitem" and parent_name == "varlistentry":
            return "dd"
        if name in names.ITEMS:
            return names.ITEMS[name]
        if tag := names.BLOCKS.get(name, ""):
            return "th" if tag == "td" and parent_name in names.HEAD_ROWS else tag
        if tag := names.INLINES.get(name, ""):
            is_strong = attributes.get("role") in ("bold", "strong")
            if parent_name in names.PATHS:
                return ""
            return "b" if tag == "em" and is_strong else tag
        return "span" if self._is_in_text() else "div"

    def _title(self, parent: _Open | None) -> str:
        is_about = parent is not None and parent.is_about and len(self._open) > 2
        holder = self._open[-3] if is_about else parent
        if holder is not None and holder.name in names.SECTIONS:
            return f"h{min(max(self._level, 1), 6)}"
        if holder is not None and holder.name == "procedure":
            return f"h{min(self._level + 1, 6)}"
        is_note = holder is not None and holder.name in names.NOTES
        return 'p class="title"' if is_note else "p"

    def _is_in_text(self) -> bool:
        """Whether the current element is inside running text and so may not be a block."""
        return any(
            names.BLOCKS.get(enclosing.name) in ("p", "pre")
            or enclosing.name in ("title", *names.INLINES)
            or names.ITEMS.get(enclosing.name) == "dt"
            for enclosing in self._open[-4:-1]
        )

    def _end(self, qualified: str) -> None:
        if self._ignored:
            self._ignored -= 1
            return
        element, at = self._open[-1], self._at()
        if element.takes_elsewhere and not element.has_text:
            self._leave_out_text(at)
        self._open.pop()
        if element.name in ("xref", "olink") and not element.has_text:
            self.builder.put(LEFT_OUT, at)  # the title of what it leads to
        if element.name in ("quote", "q"):
            self.builder.put("”", at)
        if element.is_in_list:
            self.builder.put(f"</{element.list_tag}>", at)
        is_partial = element.is_partial and element.name in names.INLINES
        if is_partial:
            self.builder.blank(element.begins)
        else:
            self.builder.put(element.closing, at)
        if element.name in names.SECTIONS:
            self._level -= 1
        if self._open:
            self._open[-1].has_text |= element.has_text
            self._open[-1].is_partial |= is_partial

    def _characters(self, text: str) -> None:
        if self._ignored or not self._open:
            return
        at = self._at()
        if text.strip():
            self._open[-1].has_text = True
            self.builder.put(self._prefix, at)
            self._prefix = ""
        elif self._open[-1].name in names.PATHS:
            return
        is_entity = self.text.startswith("&", at)
        for n, character in enumerate(text):
            self.builder.put(html.escape(character, quote=False), at if is_entity else at + n)

    def _comment(self, text: str) -> None:
        self.comments.append(Comment(text=text, start=self._at() + len("<!--")))

    def _skipped(self, name: str, is_parameter: bool) -> None:
        """Handle an undeclared entity; those of HTML are declared in DocBook's own files."""
        if is_parameter or self._ignored:
            return
        if f"{name};" in html5:
            self._characters(html5[f"{name};"])
        else:
            self._leave_out_text(self._at())

    def _doctype(self, _name: str, system_id: str | None, *_: object) -> None:
        self._dtd = system_id

    def _external(
        self, context: str | None, base: str | None, system_id: str | None, _public: str | None
    ) -> int:
        """Read external declarations; external text is not read and expat continues after it."""
        if context is not None:
            self._leave_out_text(self._at())
        elif system_id is not None and system_id != self._dtd:
            self._declare(system_id, base or self.folder)
        return 1

    def _declare(self, system_id: str, base: str) -> None:
        """Read the declarations of a file; of a broken one, those before the error."""
        file_content = (
            self.entity_files.read(system_id, base) if self._nested < MAX_NESTED else None
        )
        data, folder = file_content or (b"", base)
        outer = self._declaring
        self._declaring = outer.ExternalEntityParserCreate(None)
        self._declaring.SetBase(folder)
        self._declaring.CommentHandler = None  # they say nothing of the document
        self._nested += 1
        with suppress(expat.ExpatError):
            self._declaring.Parse(data, True)
        self._nested -= 1
        self._declaring = outer

    def _leave_out_text(self, at: int) -> None:
        self.elsewhere.append(at)
        if not self._ignored and self._open:
            self._open[-1].is_partial = True
            self.builder.put(LEFT_OUT, at)
