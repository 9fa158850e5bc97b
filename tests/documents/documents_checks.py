"""What must hold for every procedure of every document: places that point at what they say."""

import html
import re
from collections.abc import Iterator

from appliance.core.procedure import WAY, Document, Field, Inline, InlineRole, Note, Sentence, Step
from appliance.core.source import Span
from appliance.documents._xml_names import IGNORED

_CJK = "\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"


MADE = ("“", "”", "…", "‘", "©", "®", "™", "—", "→", "⇒", "←", "⇐")
"""What is made of markup: quotes, signs, and the title of what is referred to."""


def source_at(document: Document, span: Span) -> str:
    """The source text at a span."""
    lines = document.lines[span.line - 1 : span.end_line]
    if not lines:
        return ""
    if span.line == span.end_line:
        return lines[0][span.column - 1 : span.end_column - 1]
    middle = list(lines[1:-1])
    return "\n".join([lines[0][span.column - 1 :], *middle, lines[-1][: span.end_column - 1]])


def folded(text: str) -> str:
    """White space folded as a reader folds it."""
    text = re.sub(rf"(?<=[{_CJK}])\s*\n\s*(?=[{_CJK}])", "", text)
    return " ".join(text.split())


def bare(text: str, format: str = "") -> str:
    """Letters and digits only: what is left when markup, escapes and borders are taken away."""
    if format == "xml":
        text = _without_ignored(text)
    if format != "rst":
        text = html.unescape(re.sub(r"<!--.*?-->|</?[a-z][^<>]*>", "", text, flags=re.DOTALL))
    return re.sub(r"[\W_]+", "", text)


_NOT_SHOWN = {
    "rst": re.compile(r":[\w-]+:`"),
    "asciidoc": re.compile(
        r":[\w-]+:`|(?:pass|btn|kbd|menu):|(?:link|xref):[^\s\[\]]*(?=\[)|<<[^<>,\n]*,"
        r"|\[[^\[\]\n]*\](?=#)"
    ),
}
"""Words of markup that may stand within a label or a literal: names of roles and macros, and where
a link leads."""


_IGNORED = re.compile(rf"<({'|'.join(IGNORED)})\b[^<>]*>(?:(?!</?\1\b).)*</\1>", re.DOTALL)
"""An element of XML that no reader sees, without another of its name in it."""


def _without_ignored(text: str) -> str:
    shown = _IGNORED.sub("", text)
    return shown if shown == text else _without_ignored(shown)


def sentences(document: Document) -> Iterator[Sentence]:
    for procedure in document.procedures:
        yield from procedure.prerequisites
        yield from procedure.results
        for step in procedure.steps:
            yield from _in_step(step)


def _in_step(step: Step) -> Iterator[Sentence]:
    for part in step.body:
        match part:
            case Sentence():
                yield part
            case Note():
                yield from part.sentences
            case Field():
                yield from _in_field(part)
            case Step():
                yield from _in_step(part)
            case _:
                pass


def _in_field(field: Field) -> Iterator[Sentence]:
    yield from field.description
    for note in field.notes:
        yield from note.sentences
    for option in field.options:
        yield from _in_field(option)


def fields(document: Document) -> Iterator[Field]:
    def below(field: Field) -> Iterator[Field]:
        yield field
        for option in field.options:
            yield from below(option)

    for procedure in document.procedures:
        for step in procedure.walk():
            for field in step.fields:
                yield from below(field)


def inlines(document: Document) -> Iterator[Inline]:
    for sentence in sentences(document):
        yield from sentence.inlines
    for field in fields(document):
        yield from field.labels


def _literally(there: str, unmarked: str, format: str) -> str:
    """What is shown where tags are text, and entities are not: in AsciiDoc, in Markdown's code."""
    if format == "asciidoc":
        return html.unescape(unmarked)
    return "".join(_shown_of_markdown(there)) if format == "markdown" else there


def _shown_of_markdown(source: str) -> Iterator[str]:
    """Its parts without tags and entities, but for those in code, which are text."""
    for part in re.split(r"((?<!\\)`[^`]*(?:`|$))", source):
        untagged = re.sub(r"</?[a-z][\w-]*(?=[\s/>])[^<>]*>", "", part)
        yield part if part.startswith("`") else html.unescape(untagged)


def check_places(document: Document) -> None:
    """Every inline's source text is the inline's text; every span lies in the document."""

    def said(text: str) -> str:
        return bare(text, document.format)

    for inline in inlines(document):
        there = source_at(document, inline.span)
        if document.format == "rst" and "|" in there:
            continue  # a substitution says something else, and borders lie between wrapped cells
        if document.format == "asciidoc" and ("{" in there or inline.text == "…"):
            continue  # an attribute says something else
        if inline.role is InlineRole.MENU_PATH:
            assert all(said(part) in said(there) for part in inline.parts), (inline, there)
        elif document.format == "rst" and inline.span.line != inline.span.end_line:
            words = [said(w) for w in inline.text.split()]  # in a table, borders lie between
            assert all(w in said(there) for w in words), (inline, there)
        else:
            # In what is taken for a label or a literal as a whole, there may be markup.
            unmarked = _NOT_SHOWN.get(document.format, _NOT_SHOWN["rst"]).sub("", there)
            shown = bare(inline.text, "rst")
            literally = _literally(there, unmarked, document.format)
            ways = (said(there), said(unmarked), bare(there, "rst"), bare(literally, "rst"))
            assert shown in ways, (inline, there)
    for sentence in sentences(document):
        assert sentence.text == folded(sentence.text)
        there = source_at(document, sentence.span)
        is_made = document.format in ("xml", "asciidoc")
        if is_made and sentence.text.startswith(("(Optional) ", *MADE)):
            continue  # an attribute of the step says so, or an element
        # An entity, a substitution or an attribute stands for its first character.
        assert there[0] in (sentence.text[0], "&", "|", "{"), (sentence, there)
        for inline in sentence.inlines:
            assert sentence.text[inline.start : inline.end] == inline.text


def check_shape(document: Document) -> None:
    """Ids are unique, spans lie in the document, steps have numbers and something in them."""
    ids = [p.id for p in document.procedures]
    assert len(ids) == len(set(ids))
    for procedure in document.procedures:
        assert 1 <= procedure.span.line <= procedure.span.end_line <= len(document.lines)
        assert procedure.steps and procedure.title_path and procedure.title
        assert procedure.language in ("en", "zh")
        for step in procedure.walk():
            assert step.body, step
            # Procedures of one section share the way to them.
            assert step.index == WAY or procedure.span.line <= step.span.line
            assert step.span.line <= step.span.end_line
            for nested in step.substeps:
                assert nested.index.startswith(step.index + ".")
    check_places(document)
