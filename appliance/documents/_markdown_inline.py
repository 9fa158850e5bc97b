"""The inline markup of Markdown: text with marks and the place of every character."""

import re
from itertools import zip_longest

from markdown_it.tree import SyntaxTreeNode

from appliance.core.procedure import InlineRole
from appliance.documents._align import Raw, align, locate
from appliance.documents._html_names import role_of_tag
from appliance.documents._marks import interpret
from appliance.documents._rst_inline import ROLES, TITLE_AND_TARGET
from appliance.documents._source import Source
from appliance.documents._text import RichText, TextBuilder

_NODES = {
    "strong": InlineRole.UI_LABEL,
    "em": InlineRole.EMPHASIS,
    "link": InlineRole.LINK,
    "s": None,
}
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w-]*)(?P<rest>[^>]*)>")
_ALT = re.compile(r"""\balt\s*=\s*["'](?P<alt>[^"'{}]{1,30})["']""")
_SHOWN = re.compile(r"!\[(?P<alt>[^\[\]]{1,30})\]")
_PICTURED = re.compile(r"\s+(?:icon|button|symbol|sign|图标|按钮)", re.IGNORECASE)
"""Words after a picture that say what it shows."""
_CALLED_ICON = re.compile(r"\s+(?:icon\b|图标)", re.IGNORECASE)
_CLASS = re.compile(r"class\s*=\s*[\"']?(?P<names>[^\"'>]*)")
_ROLE = re.compile(r"\{(?P<name>[a-z][\w:+.-]*)\}$")
_ATTRIBUTES = re.compile(r"\{:?\s*[#.:][^{}\n]*\}|(?<![\w:]):[a-z][\w-]*\{(?P<given>[^{}\n]*)\}")
"""Attributes after an element, `**Save**{ .button }`, or of one: `:icon{name="mdi:pencil"}`."""
_ICON = re.compile(r"""\b(?:title|name)\s*=\s*["'](?:[\w-]+:)*(?P<alt>[^"'{}:]{1,30})["']""")


class MarkdownInline:
    """Builds `RichText` from markdown-it's inline tokens."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def plain(self, text: str, line: int) -> RichText:
        """Text without markup that stands on a line."""
        builder = TextBuilder()
        builder.add(text, locate(self._source, text, line).offsets)
        return interpret(builder.build())

    def text(
        self, node: SyntaxTreeNode, line: int, columns: tuple[int, int] | None = None
    ) -> RichText:
        """The text of an inline token whose content starts on `line`."""
        raw = locate(self._source, node.content, line, columns)
        walk = _InlineWalk(raw)
        walk.children(node)
        return interpret(walk.builder.build())


class _InlineWalk:
    """Walks the children of one inline token along its raw text."""

    def __init__(self, raw: Raw) -> None:
        self.builder = TextBuilder()
        self._raw = raw
        self._position = 0
        self._role: str | None = None
        self._open: list[tuple[str, InlineRole | None, int]] = []

    def children(self, node: SyntaxTreeNode) -> None:
        for child, following in zip_longest(node.children, node.children[1:]):
            is_before_code = following is not None and following.type == "code_inline"
            role = _ROLE.search(child.content) if child.type == "text" and is_before_code else None
            if role is not None:  # MyST's {guilabel}`Save`
                self._text(child.content[: role.start()])
                self._step_over(role.group())
                self._role = role["name"].rpartition(":")[2]
            elif child.type == "code_inline" and self._role is not None:
                self._interpreted(child, self._role)
                self._role = None
            else:
                self._child(child)

    def _interpreted(self, node: SyntaxTreeNode, name: str) -> None:
        role = ROLES.get(name, InlineRole.LITERAL)
        titled = TITLE_AND_TARGET.match(node.content) if role is InlineRole.LINK else None
        self._step_over(node.markup)
        before = self.builder.length
        self._add(titled["title"] if titled else node.content, entities=False)
        self.builder.mark(role, before, titled["target"] if titled else None)
        self._step_over(node.markup)

    def _child(self, node: SyntaxTreeNode) -> None:
        match node.type:
            case "text" | "text_special":
                self._text(node.content)
            case "softbreak" | "hardbreak":
                self._break()
            case "code_inline":
                self._code(node)
            case "html_inline":
                self._html(node.content)
            case "image":
                self._image()
            case "link":
                self._link(node)
            case _:
                self._marked(node)

    def _add(self, text: str, *, entities: bool = True) -> None:
        indices, self._position = align(text, self._raw.text, self._position, entities=entities)
        self.builder.add(text, [self._raw.place(i) for i in indices])

    def _text(self, content: str) -> None:
        position = 0
        for attributes in _ATTRIBUTES.finditer(content):
            self._add(content[position : attributes.start()])
            start = self._raw.text.find("{", self._position)
            self._position = self._raw.text.find("}", self._position) + 1 or self._position
            position = attributes.end()
            if attributes["given"] and (alt := _ICON.search(self._raw.text, start, self._position)):
                self._named_icon(alt)
        self._add(content[position:])

    def _break(self) -> None:
        at = self._raw.text.find("\n", self._position)
        if at >= 0:
            self.builder.add("\n", [self._raw.place(at)])
            self._position = at + 1

    def _step_over(self, markup: str) -> None:
        at = self._raw.text.find(markup, self._position) if markup else -1
        if at >= 0:
            self._position = at + len(markup)

    def _code(self, node: SyntaxTreeNode) -> None:
        self._step_over(node.markup)
        before = self.builder.length
        self._add(node.content, entities=False)
        self.builder.mark(InlineRole.LITERAL, before)
        self._step_over(node.markup)

    def _marked(self, node: SyntaxTreeNode) -> None:
        self._step_over(node.markup)
        before = self.builder.length
        self.children(node)
        role = _NODES.get(node.type)
        if role is not None:
            self.builder.mark(role, before)
        self._step_over(node.markup)

    def _link(self, node: SyntaxTreeNode) -> None:
        is_auto = node.markup in ("autolink", "linkify")
        self._step_over("<" if is_auto else "[")
        before = self.builder.length
        self.children(node)
        self.builder.mark(InlineRole.LINK, before, str(node.attrs.get("href", "")) or None)
        if is_auto:
            self._step_over(">")
        else:
            self._skip_target()

    def _image(self) -> None:
        start = self._raw.text.find("![", self._position)
        self._step_over("![")
        self._skip_target()
        if start >= 0 and (alt := _SHOWN.match(self._raw.text, start)):
            self._picture(alt)

    def _skip_target(self) -> None:
        """Skip past the `](…)` or `][…]` of a link."""
        text = self._raw.text
        at = text.find("]", self._position)
        if at < 0:
            return
        self._position = at + 1
        if text[at + 1 : at + 2] == "[":
            self._step_over("]")
        elif text[at + 1 : at + 2] == "(":
            depth = 0
            for index in range(at + 1, len(text)):
                depth += (text[index] == "(") - (text[index] == ")")
                if depth == 0:
                    self._position = index + 1
                    return

    def _picture(self, alt: re.Match[str]) -> None:
        """Add the alternative text of a picture used in a sentence: "the ⟨three dots⟩ icon"."""
        end = self._position
        if _PICTURED.match(self._raw.text, end):
            self._position = alt.start("alt")
            self._add(alt["alt"])
            self._position = end

    def _named_icon(self, icon: re.Match[str]) -> None:
        """Add the name of an icon, followed by the word "icon" unless the text has it."""
        end = self._position
        self._position = icon.start("alt")
        self._add(icon["alt"])
        if not _CALLED_ICON.match(self._raw.text, end):
            self.builder.add(" icon", [self._raw.place(end - 1)] * len(" icon"))
        self._position = end

    def _html(self, content: str) -> None:
        self._step_over(content)
        if alt := _ALT.search(self._raw.text, self._position - len(content), self._position):
            self._picture(alt)
        tag = _TAG.match(content)
        if tag is None:
            return
        name = tag["name"].lower()
        if name == "br":
            self.builder.add("\n", [self._raw.place(max(self._position - 1, 0))])
        elif not tag["close"]:
            names = _CLASS.search(tag["rest"])
            role = role_of_tag(name, names["names"].split() if names else ())
            self._open.append((name, role, self.builder.length))
        else:
            self._close(name)

    def _close(self, name: str) -> None:
        while self._open:
            opened, role, before = self._open.pop()
            if opened == name:
                if role is not None:
                    self.builder.mark(role, before)
                return
