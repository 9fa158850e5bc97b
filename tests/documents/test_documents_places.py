"""Places: what is written at a known line and column is found there, in every format."""

from dataclasses import dataclass, field

import pytest
from documents_checks import check_shape, fields, inlines
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.documents import parse_document

_SETTINGS = settings(max_examples=150, deadline=None)
_MARKUP = {
    "markdown": {"label": ("**", "**"), "literal": ("`", "`")},
    "rst": {"label": (":guilabel:`", "`"), "literal": ("``", "``")},
    "html": {"label": ("<b>", "</b>"), "literal": ("<code>", "</code>")},
    "xml": {
        "label": ("<guilabel>", "</guilabel>"),
        "literal": ("<userinput>", "</userinput>"),
    },
    "asciidoc": {"label": ("**", "**"), "literal": ("``", "``")},
}
_ESCAPED = {
    "markdown": {"*": "\\*", "_": "\\_", "&": "&amp;"},
    "rst": {"*": "\\*", "_": "\\_"},
    "html": {"&": "&amp;", "<": "&lt;"},
    "xml": {"&": "&amp;", "<": "&lt;", "the": "&the;", "and": "&#x26;"},
    "asciidoc": {"*": "{asterisk}", "the": "{the}"},
}
# Few words, so that labels repeat, also inside plain text and inside role names.
_WORDS = ["Save", "guilabel", "a", "Network", "IP", "子网", "x-1", "Click", "state"]
_PLAIN = [*_WORDS, "the", "and", "*", "_", "&", "code"]

labels = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=3).map(" ".join)
runs = st.one_of(
    st.tuples(st.just("plain"), st.sampled_from(_PLAIN)),
    st.tuples(st.just("label"), labels),
    st.tuples(st.just("literal"), st.sampled_from(["a", "Save", "x-1", "code"])),
)
gaps = st.sampled_from([" ", " ", " ", "  ", "\n"])
steps = st.lists(st.tuples(runs, gaps), min_size=1, max_size=12)


@dataclass
class Writer:
    """Writes a source and remembers where each marked text was put."""

    format: str
    text: str = ""
    marked: list[tuple[str, int, int]] = field(default_factory=list)

    def write(self, text: str) -> None:
        self.text += text

    def run(self, kind: str, text: str, indent: str) -> None:
        if kind == "plain":
            self.write(_ESCAPED[self.format].get(text, text))
            return
        opening, closing = _MARKUP[self.format][kind]
        self.write(opening)
        line = self.text.count("\n") + 1
        self.marked.append((text, line, len(self.text) - self.text.rfind("\n")))
        self.write(text + closing)

    def step(self, parts: list[tuple[tuple[str, str], str]]) -> None:
        number, indent = {
            "markdown": ("1. ", "   "),
            "rst": ("#. ", "   "),
            "html": ("<li>", "  "),
            "xml": ("<step><para>", "  "),
            "asciidoc": (". ", "  "),
        }[self.format]
        self.write(number + "Click")
        for (kind, text), gap in parts:
            # A mark must not touch the next one, nor a line begin with what opens a block.
            plain_next = kind == "plain" and text in "*_&"
            self.write(gap.replace("\n", "\n" + indent) if not plain_next else " ")
            self.run(kind, text, indent)
        ends = {"html": "</li>", "xml": "</para></step>"}
        self.write(f" now.{ends.get(self.format, '')}\n")


def written(format: str, listed: list[list[tuple[tuple[str, str], str]]]) -> Writer:
    writer = Writer(format)
    writer.write(
        {
            "markdown": "# Guide\n\n## Save Network\n\nSave **Network**.\n\n",
            "rst": "Guide\n=====\n\nSave Network\n------------\n\nSave :guilabel:`Network`.\n\n",
            "html": "<main><h1>Guide</h1><h2>Save Network</h2><p>Save <b>Network</b>.</p>\n<ol>",
            "asciidoc": ":the: the $\n\n= Guide\n\n== Save Network\n\nSave *Network*.\n\n",
            "xml": '<!DOCTYPE article [<!ENTITY the "the &#36;">]>\n'
            "<article><title>Guide</title><section><title>Save Network</title>"
            "<para>Save <guilabel>Network</guilabel>.</para>\n<procedure>",
        }[format]
    )
    for parts in listed:
        writer.step(parts)
    ends = {"html": "</ol></main>\n", "xml": "</procedure></section></article>\n"}
    writer.write(ends.get(format, ""))
    return writer


@pytest.mark.parametrize("format", _MARKUP)
@_SETTINGS
@given(listed=st.lists(steps, min_size=1, max_size=4))
def test_every_label_is_found_at_its_place(format, listed):
    writer = written(format, listed)
    document = parse_document(writer.text, "guide/page", format)
    check_shape(document)
    found = [(i.text, i.span.line, i.span.column) for i in inlines(document)]
    assert found == writer.marked


def grid(rows: list[tuple[list[str], list[str]]], indent: str) -> str:
    """A grid table whose cells hold the given lines."""
    widths = [max(len(line) for row in rows for line in row[i]) + 2 for i in (0, 1)]
    border = indent + "+" + "+".join("-" * w for w in widths) + "+\n"
    text = border
    for first, second in rows:
        for n in range(max(len(first), len(second))):
            cells = (first[n] if n < len(first) else "", second[n] if n < len(second) else "")
            text += (
                indent
                + "|"
                + "|".join(f" {c}".ljust(w) for c, w in zip(cells, widths, strict=True))
                + "|\n"
            )
        text += border
    return text


words = st.sampled_from(["Name", "Save", "IP", "state", "a", "the"])
rows_of_cells = st.lists(
    st.tuples(
        st.lists(words, min_size=1, max_size=3, unique=True),
        st.lists(words, min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=4,
)


@_SETTINGS
@given(rows=rows_of_cells)
def test_labels_in_wrapped_cells_of_a_grid_table(rows):
    """`A or` / `B` on two lines of a cell, with the same words in the cell beside it."""
    cells = [
        (
            [f":guilabel:`{w}`" + (" or" if w != first[-1] else "") for w in first],
            [f"{w} :guilabel:`{w}`" for w in second],
        )
        for first, second in rows
    ]
    table = grid(cells, "   ")
    text = f"T\n=\n\n#. Enter the following values:\n\n{table}\n#. Click :guilabel:`Save`.\n"
    document = parse_document(text, "page.rst", "rst")
    check_shape(document)
    found = [[label.text for label in f.labels] for f in fields(document)]
    assert found == [first for first, _ in rows]
    lines = text.split("\n")
    for entry in fields(document):
        for label in entry.labels:
            left = lines[label.span.line - 1].index("|")
            middle = lines[label.span.line - 1].index("|", left + 1)
            assert left < label.span.column - 1 < middle
        for sentence in entry.description:
            for inline in sentence.inlines:
                row = lines[inline.span.line - 1]
                middle = row.index("|", row.index("|") + 1)
                assert inline.span.column - 1 > middle


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("rst", "#. Click :guilabel:`A`,\tthen :guilabel:`A` and\n   :guilabel:`A B\n   C`.\n"),
        ("markdown", "1. Click **A**,\tthen **A** and\n   **A B\n   C**.\n"),
        (
            "markdown",
            "> 1. Click **A**, then **A** and\n>    **A B\n>    C**.\n\n## T\n\n1. Click **A**.",
        ),
        ("html", "<ol><li>Click <b>A</b>,\tthen <b>A</b> and\n <b>A B\n C</b>.</li></ol>"),
    ],
)
def test_labels_over_two_lines_and_tabs(format, text):
    document = parse_document(text, "page", format)
    check_shape(document)


def test_menu_paths_of_all_kinds():
    for format, text in {
        "rst": "#. Choose :menuselection:`File --> New & old > &Open`.",
        "markdown": "1. Choose **File** > **New & old** > **Open**.",
        "html": "<ol><li>Choose <b>File</b> &gt; <b>New &amp; old</b> &rarr; <b>Open</b>.</ol>",
    }.items():
        document = parse_document(text, "page", format)
        check_shape(document)
        (path,) = inlines(document)
        assert path.parts == ("File", "New & old", "Open")
        assert path.span.line == 1
        assert text[path.span.column - 1 :].startswith("File")


@pytest.mark.parametrize(
    "text", ["\ufeff1. Click **A**.", "x\r\n\r\n1. Click **A**.\r\n", "\r\r1. Click **A**."]
)
def test_line_ends_and_byte_order_marks(text):
    document = parse_document(text, "page.md", "markdown")
    check_shape(document)
    (label,) = inlines(document)
    assert label.text == "A"
