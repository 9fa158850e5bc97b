"""Directives of Sphinx, its extensions and docutils that matter to a reader of procedures."""

from collections.abc import Callable

from docutils import nodes
from docutils.parsers.rst import Directive, directives, states

from appliance.language.words import in_text

_ADMONITIONS = frozenset(
    in_text(
        """
    attention caution danger error hint important note tip warning seealso admonition topic
    sidebar versionadded versionchanged versionremoved deprecated todo prerequisites prereq
    """
    )
)
# What stands behind the `::` of these is a title or version, not text.
_TITLED = frozenset(
    in_text(
        """
    admonition topic sidebar versionadded versionchanged versionremoved deprecated
    """
    )
)
_CODE = frozenset(
    in_text(
        """
    code code-block sourcecode parsed-literal prompt code-tab ipython
    """
    )
)
_FIGURES = frozenset(("figure", "image", "thumbnail"))
_TABS = frozenset(("tabs", "tab-set", "md-tab-set"))
_TAB = frozenset(("tab", "group-tab", "tab-item", "md-tab-item"))
_IGNORED = frozenset(
    in_text(
        """
    toctree contents index highlight highlightlang meta raw include literalinclude role
    default-role math graphviz plantuml mermaid csv-filter target-notes sectnum section-
    numbering header footer title currentmodule module automodule autoclass autofunction
    tabularcolumns acks bibliography rst-class class youtube video
    """
    )
)
# docutils' own, kept because they build what the tree walk reads.
_DOCUTILS = frozenset(
    in_text(
        """
    table list-table csv-table replace unicode date container compound epigraph highlights
    pull-quote line-block rubric
    """
    )
)


class _AnyOption(dict[str, Callable[[str], object]]):
    """Accepts every option, so that an unknown `:linenos:` makes no page unreadable."""

    def __missing__(self, name: str) -> Callable[[str], object]:
        return directives.unchanged


class _Tolerant(Directive):
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    # Not empty, or docutils would not look for options at all.
    option_spec = _AnyOption(name=directives.unchanged)

    def parsed(self, node: nodes.Element) -> nodes.Element:
        """The node with the directive's content in it."""
        node.line = self.lineno
        self.state.nested_parse(self.content, self.content_offset, node)
        return node


class _Container(_Tolerant):
    def run(self) -> list[nodes.Node]:
        return [self.parsed(nodes.container())]


class _Ignored(_Tolerant):
    def run(self) -> list[nodes.Node]:
        return []


class _Note(_Tolerant):
    """Everything behind the `::` is content."""

    optional_arguments = 0

    def run(self) -> list[nodes.Node]:
        return [self.parsed(nodes.admonition(kind=self.name.lower(), title=""))]


class _TitledNote(_Tolerant):
    def run(self) -> list[nodes.Node]:
        title = self.arguments[0] if self.arguments else ""
        return [self.parsed(nodes.admonition(kind=self.name.lower(), title=title))]


class _Code(_Tolerant):
    def run(self) -> list[nodes.Node]:
        text = "\n".join(self.content)
        node = nodes.literal_block(text, text)
        node["language"] = self.arguments[0] if self.arguments else ""
        node.line = self.content_offset + 1
        return [node]


class _Figure(_Tolerant):
    def run(self) -> list[nodes.Node]:
        uri = "".join(self.arguments[0].split()) if self.arguments else ""
        if isinstance(self.state, states.SubstitutionDef):
            return [nodes.image("", uri=uri, alt=str(self.options.get("alt") or ""))]
        node = self.parsed(nodes.figure())
        node["uri"] = uri
        node["alt"] = str(self.options.get("alt") or "")
        return [node]


class _Tabs(_Tolerant):
    def run(self) -> list[nodes.Node]:
        return [self.parsed(nodes.container(tabs=True))]


class _Tab(_Tolerant):
    def run(self) -> list[nodes.Node]:
        title = self.arguments[0] if self.arguments else ""
        return [self.parsed(nodes.container(tab=title))]


def directive_for(name: str) -> type[Directive] | None:
    """The class for a directive's name; None if docutils' own is used."""
    plain = name.lower()
    kinds: tuple[tuple[frozenset[str], type[Directive]], ...] = (
        (_TITLED, _TitledNote),
        (_ADMONITIONS, _Note),
        (_CODE, _Code),
        (_FIGURES, _Figure),
        (_TABS, _Tabs),
        (_TAB, _Tab),
        (_IGNORED, _Ignored),
    )
    if plain in _DOCUTILS:
        return None
    return next((directive for names, directive in kinds if plain in names), _Container)
