"""Edits in the file's own style, that leave everything else as it was."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import appliance
from appliance.core.procedure import Document, Inline, Procedure, Sentence
from appliance.core.result import Finding
from appliance.core.verdict import DivergenceKind, Severity
from appliance.documents import Edit, Editable, SourceText, Stretch, edit_for, markup_pattern

BUNDLED = sorted(
    path
    for path in (Path(appliance.__file__).parent / "practice" / "documentation").rglob("*")
    if path.suffix in (".md", ".rst", ".html")
)

MARKDOWN = """\
# Zones

## Register one

1. Click **Products** > **Zones &amp; records**, then press **Register
   domain**, then wait for `a or b`.
2. Choose **Access** page or **Big**.

   | Name  | Meaning        |
   |-------|----------------|
   | Small | What is little |
   | Other | Anything       |
"""
RST = """\
Zones
=====

Register one
------------

#. Choose :menuselection:`Products --> Zones`, then press :guilabel:`Access && keys`.
#. Click :guilabel:`Access`.
"""
DOCBOOK = """\
<section><title>Zones</title>
<procedure><title>Register one</title>
<step><para>Click <menuchoice><guimenu>Products</guimenu>
<guimenuitem>Zones &amp; records</guimenuitem></menuchoice>.</para></step>
<step><para>Press <guibutton>Create</guibutton>.</para></step>
</procedure>
</section>
"""
GRID = """\
Zones
=====

Register one
------------

#. Enter:

   +--------+-----------+
   | Field  | Text      |
   +========+===========+
   | Name   | Type the  |
   |        | name.     |
   +--------+-----------+
   | 名称   | Nothing.  |
   +--------+-----------+

#. Click **Create**.
"""
SIMPLE = """\
Zones
=====

Register one
------------

#. Enter:

   ======  =================
   Field   Text
   ======  =================
   Name    Type the name.
   Size    Nothing.
   ======  =================

#. Click **Create**.
"""
HTML = """\
<h1>Zones</h1>
<ol>
<li>Click <b>Products</b> &gt; <b>Zones &amp; records</b>, then <b class="ui">Access</b>.</li>
<li>Press <b>Create</b>.</li>
</ol>
"""
ASCIIDOC = (
    "= Names of hosts\n\n. Choose menu:Products[Zones].\n. Click btn:[Create], then *Access*.\n"
)
CHINESE = "# 域名\n\n1. 单击「更多 → 变更权限」，再单击「确定」。\n2. 单击「创建\n   域名」。\n"
PLAIN_LABELS = "# Zones\n\n1. Click **Access**, then **Create**.\n"


def finding_at(text: str, path: str, quote: str, suggestion: str, number: int = 0) -> Finding:
    """Of the words at their `number`th place."""
    source = SourceText.of(text)
    match = list(markup_pattern(quote).finditer(text))[number]
    start, end = source.place(match.start()), source.place(match.end())
    return Finding(
        id=f"{start.line}-{start.column}",
        fingerprint="",
        kind=DivergenceKind.RENAMED_LABEL,
        severity=Severity.MISLEADS,
        confidence=0.9,
        document=path,
        line=start.line,
        column=start.column,
        end_line=end.line,
        end_column=end.column,
        quote=match.group(),
        shown="",
        suggestion=suggestion,
        step="1",
    )


def changed(text: str, path: str, quote: str, suggestion: str, number: int = 0) -> list[str] | str:
    """The lines that the patched file has and the old one has not; or why there is no patch."""
    editable = Editable.of(text, path)
    assert editable is not None
    edit = edit_for(editable, finding_at(text, path, quote, suggestion, number))
    if not isinstance(edit, Edit):
        return edit or "nothing to change"
    assert editable.read_with([edit]) is not None, editable.with_edits([edit])
    new = editable.with_edits([edit])
    assert new is not None
    return [line for line in new.splitlines() if line not in text.splitlines()]


@pytest.mark.parametrize(
    ("text", "path", "quote", "suggestion", "lines"),
    [
        pytest.param(
            MARKDOWN, "d.md", "Register domain", "Add zone",
            ["1. Click **Products** > **Zones &amp; records**, then press **Add",
             "   zone**, then wait for `a or b`."],
            id="a quote that wraps",
        ),
        pytest.param(
            MARKDOWN, "d.md", "Register domain", "Add",
            ["1. Click **Products** > **Zones &amp; records**, then press **Add**,",
             "   then wait for `a or b`."],
            id="no room for the break in one word",
        ),
        pytest.param(
            MARKDOWN, "d.md", "Zones & records", "Names & records",
            ["1. Click **Products** > **Names & records**, then press **Register"],
            id="an entity in Markdown",
        ),
        pytest.param(
            "# Z\n\n## Why\n\nIt is kept under **Zones**.\n", "d.md", "Zones", "Names",
            ["It is kept under **Names**."],
            id="what only a model takes for a procedure",
        ),
        pytest.param(
            MARKDOWN, "d.md", "Access", "More > Change access",
            ["2. Choose **More** > **Change access** page or **Big**."],
            id="a path as Markdown has it",
        ),
        pytest.param(
            MARKDOWN, "d.md", "Small", "Tiny", ["   | Tiny  | What is little |"],
            id="a cell of Markdown is padded",
        ),
        pytest.param(
            MARKDOWN, "d.md", "Small", "A|b", ["   | A\\|b  | What is little |"],
            id="a bar in a cell of Markdown",
        ),
        pytest.param(
            HTML, "d.html", "Zones & records", "Names & <more>",
            ["<li>Click <b>Products</b> &gt; <b>Names &amp; &lt;more&gt;</b>,"
             ' then <b class="ui">Access</b>.</li>'],
            id="an entity in HTML",
        ),
        pytest.param(
            HTML, "d.html", "Create", "More > Create",
            ["<li>Press <b>More</b> &gt; <b>Create</b>.</li>"],
            id="a path as HTML has it",
        ),
        pytest.param(
            DOCBOOK, "d.xml", "Zones & records", "Names & <more>",
            ["<guimenuitem>Names &amp; &lt;more&gt;</guimenuitem></menuchoice>.</para></step>"],
            id="an entry of a path in DocBook",
        ),
        pytest.param(
            DOCBOOK, "d.xml", "Create", "Create zone",
            ["<step><para>Press <guibutton>Create zone</guibutton>.</para></step>"],
            id="a label in DocBook",
        ),
        pytest.param(
            ASCIIDOC, "d.adoc", "Create", "Create zone",
            [". Click btn:[Create zone], then *Access*."],
            id="a button in AsciiDoc",
        ),
        pytest.param(
            ASCIIDOC, "d.adoc", "Access", "More > Access",
            [". Click btn:[Create], then *More* > *Access*."],
            id="a path where AsciiDoc has a macro",
        ),
        pytest.param(
            ASCIIDOC, "d.adoc", "Zones", "Names", [". Choose menu:Products[Names]."],
            id="an entry of a path in AsciiDoc",
        ),
        pytest.param(
            RST, "d.rst", "Access", "More > Change access",
            ["#. Click :menuselection:`More --> Change access`."],
            id="a path as reStructuredText has it",
        ),
        pytest.param(
            GRID, "d.rst", "Name", "Full name of the zone",
            ["   +-----------------------+-----------+",
             "   | Field                 | Text      |",
             "   +=======================+===========+",
             "   | Full name of the zone | Type the  |",
             "   |                       | name.     |",
             "   | 名称                  | Nothing.  |"],
            id="a column of a grid table is widened",
        ),
        pytest.param(
            GRID, "d.rst", "Type the name.", "Enter a long title.",
            ["   +--------+-------------+", "   | Field  | Text        |",
             "   +========+=============+", "   | Name   | Enter a     |",
             "   |        | long title. |", "   | 名称   | Nothing.    |"],
            id="a wrapped cell of a grid table",
        ),
        pytest.param(
            SIMPLE, "d.rst", "Name", "Name of it",
            ["   ==========  =================", "   Field       Text",
             "   Name of it  Type the name.", "   Size        Nothing."],
            id="a column of a simple table is widened",
        ),
        pytest.param(
            CHINESE, "d.md", "确定", "更多 > 确定",
            ["1. 单击「更多 → 变更权限」，再单击「更多 → 确定」。"],
            id="a path between Chinese quotes",
        ),
        pytest.param(
            CHINESE, "d.md", "创建域名", "添加区域", ["2. 单击「添加", "   区域」。"],
            id="Chinese over two lines",
        ),
        pytest.param(
            PLAIN_LABELS, "d.md", "Access", "More > Access",
            ["1. Click **More** > **Access**, then **Create**."],
            id="a path where the document has none",
        ),
    ],
)  # fmt: skip
def test_the_smallest_edit_in_the_style_of_the_file(
    text: str, path: str, quote: str, suggestion: str, lines: list[str]
) -> None:
    number = 1 if quote == "Access" and path == "d.rst" else 0
    got = changed(text, path, quote, suggestion, number)
    if path == "d.rst" and isinstance(got, list) and quote in ("Name", "Type the name."):
        got = list(dict.fromkeys(got))
    assert got == lines


@pytest.mark.parametrize(
    ("quote", "suggestion", "why"),
    [
        ("Register domain", "1. press Add zone", "the suggestion is an item of a list"),
        ("Register domain", "press Add zone", "says what to do"),
        ("Register domain", "Press “Add zone” there", "says what to do"),
        ("Register domain", "Now called Add zone", "says what to do"),
        ("Register domain", "Add zone. Then wait", "more than a sentence"),
        ("Register domain", "Add zone.", "only one is a sentence"),
        ("Access", "Access page", "repeats words that stand beside the quote"),
        ("a or b", "b`c", "cannot be written in this markup"),
        ("Access", "Access", "nothing to change"),
    ],
)
def test_what_is_no_replacement_for_the_quote_is_no_patch(
    quote: str, suggestion: str, why: str
) -> None:
    got = changed(MARKDOWN, "d.md", quote, suggestion)
    assert isinstance(got, str), got
    assert why in got


@pytest.mark.parametrize(
    "picture",
    [':icon{name="mdi:pencil"}', "![pencil](p.png)", '<img src="p.png" alt="pencil">'],
)
def test_the_name_of_a_picture_is_not_replaced_by_a_label(picture: str) -> None:
    text = f"# Zones\n\n1. Click **Change**, then {picture} beside it.\n"
    assert "the markup of a picture" in changed(text, "d.md", "pencil", "Edit")
    got = changed(text, "d.md", "Change", "Edit")
    assert got == [f"1. Click **Edit**, then {picture} beside it."]


def test_a_sentence_is_not_replaced_by_a_label() -> None:
    got = changed(
        "# Zones\n\n1. Press Register domain.\n2. Press Create and wait.\n",
        "d.md",
        "Press Register domain.",
        "Add zone",
    )
    assert isinstance(got, str), got


def test_an_edit_with_which_the_document_is_read_otherwise_is_refused() -> None:
    text = "# Zones\n\n1. Click **Access**.\n2. Click **Create**.\n"
    editable = Editable.of(text, "d.md")
    assert editable is not None
    finding = finding_at(text, "d.md", "Access", "Other")
    start = text.index("**Access**")
    broken = Edit(Stretch(start, start + 10), "it\n\nThe rest", finding, "Access", "it\n\nThe rest")
    assert editable.read_with([broken]) is None


def test_several_edits_of_one_grid_table_and_one_line() -> None:
    editable = Editable.of(GRID, "d.rst")
    assert editable is not None
    edits = [
        edit
        for quote, new in (("Name", "Name of the zone"), ("Type the", "Write down the"))
        if isinstance(edit := edit_for(editable, finding_at(GRID, "d.rst", quote, new)), Edit)
    ]
    assert len(edits) == 2
    new = editable.with_edits(edits)
    assert new is not None
    assert "   | Name of the zone | Write down the |" in new.splitlines()
    assert "   | 名称             | Nothing.       |" in new.splitlines()
    assert editable.read_with(edits) is not None


@cache
def bundled(path: Path) -> tuple[Editable, tuple[Inline, ...]]:
    editable = Editable.of(path.read_text("utf-8"), str(path))
    assert editable is not None
    return editable, tuple(inline for inline, _ in editable.inlines)


def told(document: Document) -> Iterator[tuple[str, str, int, str]]:
    """Every sentence and marked text, told independently of what `is_same_document` compares."""
    for procedure in document.procedures:
        yield procedure.id, "", 0, ""
        for step in procedure.walk():
            yield procedure.id, step.index, 0, ""
        for sentence in sentences(procedure):
            yield procedure.id, "", sentence.span.line, re.sub(r"\s", "", sentence.text)


def sentences(node: object) -> Iterator[Sentence]:
    if isinstance(node, Sentence):
        yield node
    elif isinstance(node, tuple):
        for one in node:
            yield from sentences(one)
    elif hasattr(node, "span") or isinstance(node, Procedure):
        for name in ("steps", "prerequisites", "results", "body", "description", "options", "notes",
                     "sentences"):  # fmt: skip
            yield from sentences(getattr(node, name, ()))


REPLACEMENTS = st.one_of(
    st.sampled_from(
        ["New name", "More > Change access", "更多 → 变更", "A & B", "a_b*c", "x | y", "1. it"]
    ),
    st.text('aB 中&<>|*_`>.:-\\"「', min_size=1, max_size=30),
)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(path=st.sampled_from(BUNDLED), number=st.integers(0, 10_000), new=REPLACEMENTS)
def test_no_patch_or_one_that_changes_nothing_else(path: Path, number: int, new: str) -> None:
    editable, labels = bundled(path)
    assume(labels)
    label = labels[number % len(labels)]
    span = label.span
    source = editable.source
    start = source.offset(span.line, span.column)
    end = source.offset(span.end_line, span.end_column)
    assert start is not None
    assert end is not None
    first = finding_at(label.text, str(path), label.text, new)
    finding = replace(
        first,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        quote=source.text[start:end],
    )
    edit = edit_for(editable, finding)
    if not isinstance(edit, Edit):
        return
    read = editable.read_with([edit])
    if read is None:
        return
    here = range(span.line, span.end_line + 1)
    old, now = list(told(editable.document)), list(told(read.document))
    assert len(old) == len(now)
    differing = [(a, b) for a, b in zip(old, now, strict=True) if a[3] != b[3]]
    assert [(a[0], a[1]) for a in old] == [(b[0], b[1]) for b in now]
    for a, b in differing:
        assert any(abs(a[2] - line) <= 8 for line in here), (a, b)
        assert len(b[3]) - len(a[3]) >= -len(re.sub(r"\s", "", edit.quote)), (a, b)
    kept = [line for line in source.text.splitlines() if line in read.source.text.splitlines()]
    lost = len(source.text.splitlines()) - len(kept)
    assert lost <= len(here) + 1 or "|" in source.line(span.line) or "==" in source.text
