"""HTML pages to blocks, with selectolax; positions come from a scan of the source beside it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from selectolax.lexbor import LexborHTMLParser, LexborNode

from appliance.documents._blocks import (
    Admonition,
    Block,
    BulletList,
    Cell,
    CodeBlock,
    Comment,
    Definition,
    DefinitionList,
    FigureBlock,
    Heading,
    Item,
    OrderedList,
    Paragraph,
    Parsed,
    Quote,
    Tab,
    Table,
    Tabs,
    extent,
    paragraphs,
)
from appliance.documents._html_names import role_of_tag
from appliance.documents._html_scan import scan
from appliance.documents._limits import Depth, check_cells
from appliance.documents._marks import interpret
from appliance.documents._source import Source
from appliance.documents._text import RichText, TextBuilder
from appliance.language.words import in_text

# Where a page keeps what it is about, surest first.
_MAIN = (
    "[itemprop=articleBody]",
    "main article",
    "[role=main]",
    "main",
    "article",
    ".markdown-body",
    "#main-content",
    "#content",
    ".document .body",
    ".content",
)
_IGNORED = frozenset(
    in_text(
        """
    nav footer header aside script style template noscript head svg form iframe select
    textarea
    """
    )
)
_IGNORED_CLASSES = frozenset(
    in_text(
        """
    headerlink toc sidebar navigation breadcrumb breadcrumbs navbar footer feedback toctree-
    wrapper related anchor prev-next-nav sr-only
    """
    )
)
_HEADING = re.compile(r"h[1-6]")
_INLINE = frozenset(
    in_text(
        """
    a abbr b bdi bdo br button cite code data del dfn em font i img ins kbd label mark q s
    samp small span strike strong sub sup time tt u var wbr -text
    """
    )
)
_NOTES = re.compile(
    r"(?:^|[-_])(?P<kind>note|tip|hint|warning|important|caution|danger|attention|info|seealso)(?:$|[-_])",
    re.I,
)
_NOTE_CLASSES = frozenset(
    in_text(
        """
    admonition callout alert note-box help-note admonitionblock note
    """
    )
)
_TAB_SETS = frozenset(("tabs", "tab-set", "tabset", "tabbed-set", "sd-tab-set", "sphinx-tabs"))
_TAB_LABELS = frozenset(("tab", "tab-label", "sd-tab-label"))
_TAB_PANELS = frozenset(("tabpanel", "tab-panel", "tab-pane", "tabbed-block", "sd-tab-content"))


def parse_html(source: Source) -> Parsed:
    """The blocks of an HTML page's main content."""
    scanned = scan(source.text, 0, len(source.text))
    page = LexborHTMLParser(source.text)
    places = scanned.places(_text_nodes(page.root))
    main = _main(page)
    blocks = _Walk(source, places).blocks(_children(main)) if main is not None else []
    title_tag = page.css_first("title")
    title = " ".join((title_tag.text() if title_tag else "").split())
    comments = tuple(Comment(text=t, start=s) for t, s in scanned.comments)
    return Parsed(
        blocks=tuple(blocks), title=re.split(r"\s+[|–—-]\s+", title)[0], comments=comments
    )


def parse_fragment(source: Source, start: int, end: int) -> Sequence[Block]:
    """The blocks of a piece of HTML inside another document."""
    return parse_markup(source.text[start:end], source, range(start, end))


def parse_markup(markup: str, source: Source, places: Sequence[int]) -> Sequence[Block]:
    """The blocks of HTML built from a source; `places[i]` is the source offset of `markup[i]`."""
    scanned = scan(markup, 0, len(markup))
    page = LexborHTMLParser(markup)
    places_by_node = scanned.places(_text_nodes(page.root))
    places_by_node = {
        key: tuple(places[at] for at in offsets) for key, offsets in places_by_node.items()
    }
    return (
        _Walk(source, places_by_node).blocks(_children(page.body)) if page.body is not None else ()
    )


def _own_children(
    node: LexborNode, tags: Sequence[str], container_tag: str | None = None
) -> Iterator[LexborNode]:
    """The children of a list or table, inside any wrappers but not inside a nested one.

    A nested one reads its own children; reading them here too would double them at every level.
    """
    container_tag = container_tag or node.tag
    for child in _children(node):
        if child.tag in tags:
            yield child
        elif child.tag != container_tag:
            yield from _own_children(child, tags, container_tag)


def _children(node: LexborNode | None) -> list[LexborNode]:
    children = []
    child = node.child if node is not None else None
    while child is not None:
        children.append(child)
        child = child.next
    return children


def _text_nodes(root: LexborNode | None) -> list[tuple[int, str]]:
    """Every text node with its id, in document order; scripts and styles left out."""
    nodes: list[tuple[int, str]] = []
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        if node.tag == "-text":
            nodes.append((node.mem_id, node.text_content or ""))
        elif node.tag not in ("script", "style", "title", "textarea"):
            stack += reversed(_children(node))
    return nodes


def _main(page: LexborHTMLParser) -> LexborNode | None:
    for selector in _MAIN:
        element = page.css_first(selector)
        if element is not None and len(element.text(strip=True)) > 0:
            return element
    return page.body


class _Walk:
    """Turns elements into blocks."""

    def __init__(self, source: Source, places: dict[int, tuple[int, ...]]) -> None:
        self._source = source
        self._places = places
        self._depth = Depth()

    def blocks(self, nodes: Iterable[LexborNode]) -> list[Block]:
        result: list[Block] = []
        inline_nodes: list[LexborNode] = []
        nodes = list(nodes)
        with self._depth.below(lambda: self._place(nodes)):
            for node in nodes:
                if _is_ignored(node):
                    continue
                if _is_inline(node):
                    inline_nodes.append(node)
                    continue
                result += self._paragraph(inline_nodes)
                inline_nodes = []
                result += self._block(node)
            return result + self._paragraph(inline_nodes)

    def _place(self, nodes: Iterable[LexborNode]) -> int:
        """The offset of the first text in some elements; 0 if they have none."""
        places = (at for node in nodes for key, _ in _text_nodes(node) if (at := self._places[key]))
        return next(places, (0,))[0]

    def _block(self, node: LexborNode) -> list[Block]:
        name = node.tag or ""
        if _HEADING.fullmatch(name):
            text = self._text(_children(node))
            level = int(name[1])
            return (
                [Heading(text=text, level=level, start=text.start, end=text.end)]
                if text.text
                else []
            )
        if kind := _note_kind(node):
            return self._admonition(node, kind)
        if _is_tab_set(node) and (tabs := self._tabs(node)):
            return tabs
        return self._by_tag(node)

    def _by_tag(self, node: LexborNode) -> list[Block]:
        match node.tag:
            case "ol" | "ul" | "menu":
                return self._list(node)
            case "dl":
                return self._definitions(node)
            case "table":
                return self._table(node)
            case "pre":
                return self._code(node)
            case "figure":
                return self._figure(node)
            case "blockquote":
                blocks = self.blocks(_children(node))
                start, end = extent(blocks, 0)
                return [Quote(blocks=tuple(blocks), start=start, end=end)] if blocks else []
            case "details":
                return self._details(node)
        return self.blocks(_children(node))

    def _text(self, nodes: Iterable[LexborNode]) -> RichText:
        builder = TextBuilder()
        for node in nodes:
            self._inline(node, builder)
        return interpret(builder.build())

    def _inline(self, node: LexborNode, builder: TextBuilder) -> None:
        if node.tag == "-text":
            text = node.text_content or ""
            builder.add(text, self._places.get(node.mem_id) or (0,) * len(text))
        elif node.tag == "br":
            builder.add("\n", [self._source.start_of(1)])
        elif not _is_ignored(node):
            before = builder.length
            for child in _children(node):
                self._inline(child, builder)
            role = role_of_tag(node.tag or "", _classes(node))
            if role is not None and builder.length > before:
                builder.mark(role, before, node.attributes.get("href"))

    def _paragraph(self, nodes: Sequence[LexborNode]) -> list[Block]:
        text = self._text(nodes)
        figures = [f for n in nodes for f in self._images(n, text)]
        if not text.text:
            return figures
        return [Paragraph(text=text, start=text.start, end=text.end), *figures]

    def _images(self, node: LexborNode, near: RichText) -> list[Block]:
        if node.tag == "-text":
            return []
        image_nodes = [node] if node.tag == "img" else node.css("img")
        at = near.start if near.text else 0
        return [
            FigureBlock(
                target=i.attributes.get("src") or "",
                caption=i.attributes.get("alt") or "",
                start=at,
                end=at,
            )
            for i in image_nodes
            if near.text
        ]

    def _list(self, node: LexborNode) -> list[Block]:
        items = []
        for child in _children(node):
            if child.tag == "li":
                blocks = tuple(self.blocks(_children(child)))
                if blocks:
                    start, end = extent(blocks, 0)
                    items.append(Item(blocks=blocks, start=start, end=end))
        if not items:
            return []
        start, end = extent(items, 0)
        if node.tag != "ol":
            return [BulletList(items=tuple(items), start=start, end=end)]
        number = node.attributes.get("start") or "1"
        first = int(number) if number.isascii() and number.isdigit() else 1
        return [OrderedList(items=tuple(items), first=first, start=start, end=end)]

    def _definitions(self, node: LexborNode) -> list[Block]:
        items: list[Definition] = []
        for child in _own_children(node, ("dt", "dd")):
            if child.tag == "dt":
                term = self._text(_children(child))
                if term.text:
                    items.append(
                        Definition(terms=(term,), blocks=(), start=term.start, end=term.end)
                    )
            elif items:
                last = items.pop()
                more = self.blocks(_children(child))
                end = max(last.end, extent(more, last.end)[1])
                blocks = (*last.blocks, *more)
                items.append(Definition(terms=last.terms, blocks=blocks, start=last.start, end=end))
        if not items:
            return []
        start, end = extent(items, 0)
        return [DefinitionList(items=tuple(items), start=start, end=end)]

    def _table(self, node: LexborNode) -> list[Block]:
        header: tuple[str, ...] = ()
        rows: list[tuple[Cell, ...]] = []
        count = 0
        for row in _own_children(node, ("tr",)):
            cells = [c for c in _children(row) if c.tag in ("td", "th")]
            count += len(cells)
            check_cells(count, partial(self._place, cells))
            row_cells = tuple(self._cell(c) for c in cells)
            if cells and (all(c.tag == "th" for c in cells) or _is_in_head(row)):
                header = tuple(" ".join(t.text for t in paragraphs(c.blocks)) for c in row_cells)
            elif row_cells:
                rows.append(row_cells)
        parts = [b for r in rows for c in r for b in c.blocks]
        if not parts:
            return []
        start, end = extent(parts, 0)
        return [Table(header=header, rows=tuple(rows), start=start, end=end)]

    def _cell(self, node: LexborNode) -> Cell:
        span = node.attributes.get("rowspan") or "1"
        rows = int(span) if span.isascii() and span.isdigit() else 1
        return Cell(blocks=tuple(self.blocks(_children(node))), rows=rows)

    def _code(self, node: LexborNode) -> list[Block]:
        offsets = [o for n, _ in _text_nodes(node) for o in self._places.get(n, ())]
        if not offsets:
            return []
        inner = node.css_first("code")
        names = [*_classes(node), *(_classes(inner) if inner else [])]
        language = next(
            (n.removeprefix("language-") for n in names if n.startswith("language-")), ""
        )
        text = node.text_content or ""
        return [CodeBlock(text=text, language=language, start=offsets[0], end=offsets[-1] + 1)]

    def _figure(self, node: LexborNode) -> list[Block]:
        image, caption = node.css_first("img"), node.css_first("figcaption")
        if image is None:
            return self.blocks(_children(node))
        text = self._text(_children(caption)) if caption else RichText("", ())
        target = image.attributes.get("src") or ""
        caption_text = text.text or image.attributes.get("alt") or ""
        if not text.text:
            return []
        return [FigureBlock(target=target, caption=caption_text, start=text.start, end=text.end)]

    def _tabs(self, node: LexborNode) -> list[Block]:
        """Tabs from labels and panels; empty if their numbers differ."""
        labels = list(_outermost(node, _is_tab_label, is_barrier=_is_tab_panel))
        panels = list(_outermost(node, _is_tab_panel))
        if len(labels) != len(panels):
            return []
        tabs = []
        for label, panel in zip(labels, panels, strict=True):
            title, blocks = self._text(_children(label)), tuple(self.blocks(_children(panel)))
            if title.text and blocks:
                start, end = extent(blocks, title.start)
                tabs.append(Tab(title=title, blocks=blocks, start=min(title.start, start), end=end))
        if not tabs:
            return []
        start, end = extent(tabs, 0)
        return [Tabs(tabs=tuple(tabs), start=start, end=end)]

    def _details(self, node: LexborNode) -> list[Block]:
        children = _children(node)
        summary = next((c for c in children if c.tag == "summary"), None)
        title = self._text(_children(summary)) if summary else None
        blocks = tuple(self.blocks(c for c in children if c.tag != "summary"))
        if not blocks or title is None or not title.text:
            return list(blocks)
        _, end = extent(blocks, 0)
        return [Admonition(kind="details", title=title, blocks=blocks, start=title.start, end=end)]

    def _admonition(self, node: LexborNode, kind: str) -> list[Block]:
        title = None
        blocks: list[Block] = []
        for child in _children(node):
            names = set(_classes(child))
            if names & {"admonition-title", "title", "callout-title", "note-title"}:
                title = self._text(_children(child))
            else:
                blocks += self.blocks([child])
        if not blocks:
            return []
        start, end = extent(blocks, 0)
        title = title if title and title.text else None
        return [Admonition(kind=kind, title=title, blocks=tuple(blocks), start=start, end=end)]


def _classes(node: LexborNode) -> list[str]:
    return (node.attributes.get("class") or "").split()


def _is_ignored(node: LexborNode) -> bool:
    if node.tag == "-text":
        return False
    if node.tag is None or not node.is_element_node or node.tag in _IGNORED:
        return True
    attributes = node.attributes
    return (
        bool(_IGNORED_CLASSES & set(_classes(node)))
        or attributes.get("role")
        in ("navigation", "contentinfo", "banner", "search", "complementary")
        or "hidden" in attributes
    )


def _is_inline(node: LexborNode) -> bool:
    """Whether an element runs in the text; one that holds a block does not."""
    if node.tag == "-text":
        return True
    if node.tag not in _INLINE:
        return False
    return node.css_first("p, div, ul, ol, dl, table, pre, h1, h2, h3, h4, h5, h6, li") is None


def _outermost(
    node: LexborNode,
    is_match: Callable[[LexborNode], bool],
    is_barrier: Callable[[LexborNode], bool] = lambda node: False,
) -> Iterator[LexborNode]:
    """Elements that match, not inside another match or inside a barrier."""
    for child in _children(node):
        if is_match(child):
            yield child
        elif not is_barrier(child):
            yield from _outermost(child, is_match, is_barrier)


def _is_tab_set(node: LexborNode) -> bool:
    has_list = (child.attributes.get("role") == "tablist" for child in _children(node))
    return bool(_TAB_SETS & set(_classes(node))) or any(has_list)


def _is_tab_label(node: LexborNode) -> bool:
    is_label = node.tag == "label" or bool(_TAB_LABELS & set(_classes(node)))
    return node.attributes.get("role") == "tab" or is_label


def _is_tab_panel(node: LexborNode) -> bool:
    is_panel = bool(_TAB_PANELS & set(_classes(node)))
    return node.attributes.get("role") == "tabpanel" or is_panel


def _is_in_head(row: LexborNode) -> bool:
    return row.parent is not None and row.parent.tag == "thead"


def _note_kind(node: LexborNode) -> str | None:
    if node.tag not in ("div", "aside", "section", "p", "blockquote"):
        return None
    names = _classes(node)
    is_note = bool(_NOTE_CLASSES & {n.lower() for n in names})
    kinds = [m["kind"].lower() for n in names if (m := _NOTES.search(n))]
    if kinds and (is_note or any(k == n.lower() for k in kinds for n in names)):
        return kinds[0]
    return "note" if is_note else None
