"""AsciiDoc: the procedures that a reader of the published page sees, with true places."""

from html import escape

import pytest
from documents_checks import check_shape, fields, inlines

from appliance.core.errors import LimitError
from appliance.core.procedure import Document
from appliance.documents import parse_document
from appliance.documents._blocks import OrderedList, Table, paragraphs
from appliance.documents._source import Source
from appliance.documents.asciidoc import parse_asciidoc
from appliance.documents.load import read_file

GUIDE = """\
= Buckets
A. Writer <writer@example.org>
:product: Console & Co
:save: *Save*

// Nobody sees this.
[[create]]
== Create a bucket

{product} keeps files.((buckets))

.Prerequisites
* You have *Editor* rights.

.Procedure
. Choose menu:Storage[Buckets > New].
+
[NOTE]
====
It opens https://example.org/[a page,window=_blank].
====
. Click btn:[Create all], or press kbd:[Ctrl+S]. +
  Then {save}.
+
--
.. In the **Na**me field, enter `web`.
.. Choose `+a*b*+`.

--
+
image::create.png[The form]
. Choose one:

*Small*:: Cheap.
*Large*::
  Dear.
+
Very dear.
"""


def read(text: str) -> Document:
    document = parse_document(text, "guide/page.adoc", "asciidoc")
    check_shape(document)
    return document


def labels(document: Document) -> list[tuple[str, str, int]]:
    """Role, words and line of each mark in the steps, in reading order."""
    return [(i.role.value, i.text, i.span.line) for i in inlines(document)]


def step_texts(document: Document) -> list[tuple[str, str]]:
    return [(s.index, s.text) for p in document.procedures for s in p.walk()]


def test_a_guide():
    document = read(GUIDE)
    assert document.title == "Buckets" and document.problems == ()
    (procedure,) = document.procedures
    assert procedure.title_path == ("Buckets", "Create a bucket") and procedure.span.line == 8
    said = [s.text for s in procedure.introduction]
    assert said == ["Console & Co keeps files.buckets", "Prerequisites"]
    assert [s.text for s in procedure.prerequisites] == ["You have Editor rights."]
    assert step_texts(document) == [
        ("1", "Choose Storage > Buckets > New."),
        ("2", "Click Create all, or press Ctrl+S. Then Save."),
        ("2.1", "In the Name field, enter web."),
        ("2.2", "Choose a*b*."),
        ("3", "Choose one:"),
    ]
    assert labels(document)[1:] == [
        ("menu_path", "Storage > Buckets > New", 16),
        ("link", "a page", 20),
        ("ui_label", "Create all", 22),
        ("key", "Ctrl+S", 22),
        ("ui_label", "Save", 23),
        ("ui_label", "Na", 26),
        ("literal", "web", 26),
        ("literal", "a*b*", 27),
        ("ui_label", "Small", 34),
        ("ui_label", "Large", 35),
    ]
    assert [[s.text for s in f.description] for f in fields(document)] == [
        ["Cheap."],
        ["Dear.", "Very dear."],
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("*Save*", "Save"),
        ("**Sa**ve", "Save"),
        ("the 4 * 4 * 4", "the 4 * 4 * 4"),
        (r"\*Save*", "*Save*"),
        ("a_b_c and _x_", "a_b_c and x"),
        ("[.term]#Save#", "Save"),
        ('"`Save`"', "“Save”"),
        ("(C) a -> b...", "© a → b…"),
        ("one -- two", "one — two"),
        (r"a \-> b", "a -> b"),
        ("&lt;x&gt; <y>", "<x> <y>"),
        ("pass:[*x*] +++*y*+++", "*x* *y*"),
        ("x^2^ H~2~O", "x2 H2O"),
        ("<<create,There>> or <<create>>", "There or …"),
        ("xref:other.adoc#x[Other page]", "Other page"),
        ("https://example.org/a.", "https://example.org/a."),
        ("link:a.html[]", "a.html"),
        ("a footnote:[Nobody reads it.] b", "a b"),
        (r"\{product} and {nbsp}{plus}", "{product} and +"),
        ("image:edit.png[Edit] x", "x"),
    ],
)
def test_running_text(written, shown):
    text = f"= T\n\n. Click *Go*. {written}\n"
    ((_, step),) = step_texts(read(text))
    assert step.removeprefix("Click Go. ") == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(
            ". Click *A*.\n\n. Click *B*.\n+\nMore.\n. Click *C*.\n",
            [("1", "Click A."), ("2", "Click B. More."), ("3", "Click C.")],
            id="blank lines, and an item right below a joined text",
        ),
        pytest.param(
            ". Click *A*:\n.. Click *B*.\n... Click *C*.\n\n+\nFor B.\n\n\n+\n"
            "For A.\n. Click *D*.\n",
            [("1", "Click A: For A."), ("1.1", "Click B. For B."), ("1.1.1", "Click C."),
             ("2", "Click D.")],
            id="joined to a list further out",
        ),
        pytest.param(
            ". Click *A*.\n+\n. Click *B*.\n",
            [("1", "Click A."), ("2", "Click B.")],
            id="joined to nothing",
        ),
        pytest.param(
            "[start=4]\n. Click *A*.\n[loweralpha]\n.. Click *B*.\n",
            [("4", "Click A."), ("4.1", "Click B.")],
            id="attributes of lists",
        ),
        pytest.param(
            ". Click *A*.\n+\n----\n. not *this*\n----\n. Click *B*.\n////\n. Click *X*.\n////\n",
            [("1", "Click A."), ("2", "Click B.")],
            id="code and comments",
        ),
        pytest.param(
            "1. Click *A*\n   and wait.\n2. Click *B*.\n",
            [("1", "Click A and wait."), ("2", "Click B.")],
            id="numbers",
        ),
    ],
)  # fmt: skip
def test_lists(text, shown):
    assert step_texts(read(f"= T\n\n{text}")) == shown


def test_the_list_that_a_blank_line_above_a_join_leaves():
    text = ". Click *A*:\n.. Click *B*.\n\n+\nSaid of A.\n. Click *C*.\n"
    steps = read(f"= T\n\n{text}").procedures[0].steps
    assert [s.index for s in steps] == ["1", "2"]
    assert [type(part).__name__ for part in steps[0].body] == ["Sentence", "Step", "Sentence"]


def test_a_table_of_fields():
    text = """= T

. Fill in the form.
+
[cols="1,2a",options="header"]
|===
|Field |What it is

|*Name*
|Its name.

|*Size*
|One of:

* *Small*
* *Large*

|*Bar*
|One \\| other.
|===
. Click *Save*.
"""
    document = read(text)
    assert [[i.text for i in f.labels] for f in fields(document)][:2] == [["Name"], ["Size"]]
    assert [f.span.line for f in fields(document)][:2] == [9, 12]
    assert next(reversed(list(fields(document)))).description[0].text == "One | other."
    assert step_texts(document)[-1] == ("2", "Click Save.")


def test_cells_over_columns_and_rows():
    """Each row has those that begin in it."""
    text = "= T\n\n. Fill in:\n+\n|===\n|A |B |C\n\n.2+|1 2+|2 3\n|4 |5\n3*|6\n|===\n"
    ((table,),) = [
        [b for b in item.blocks if isinstance(b, Table)]
        for listed in parse_asciidoc(Source("a.adoc", text)).blocks
        if isinstance(listed, OrderedList)
        for item in listed.items[:1]
    ]
    assert table.header == ("A", "B", "C")
    rows = [[next(t.text for t in paragraphs(c.blocks)) for c in row] for row in table.rows]
    assert rows == [["1", "2 3"], ["4", "5"], ["6", "6", "6"]]
    assert table.rows[0][0].rows == 2


def test_tabs_are_alternatives():
    text = """= T

[tabs]
====
Console::
+
. Click *Small*.
. Click *Save*.

API::
+
. Click *Other*.
====
"""
    assert [p.title for p in read(text).procedures] == ["Console", "API"]


@pytest.mark.parametrize(
    ("lines", "shown", "is_told"),
    [
        (":x:\nifdef::x[]\n. Click *A*.\nendif::[]\n. Click *B*.", ["A", "B"], False),
        (":x:\nifndef::x[]\n. Click *A*.\nendif::[]\n. Click *B*.", ["B"], False),
        ("ifdef::x[]\n. Click *A*.\nendif::[]\n. Click *B*.", ["B"], True),
        (':x: 1\nifeval::["{x}" == "1"]\n. Click *A*.\nendif::[]\n. Click *B*.', ["A", "B"], False),
        (':x: 1\nifeval::["{x}" != "1"]\n. Click *A*.\nendif::[]\n. Click *B*.', ["B"], False),
        (":x:\nifdef::x[. Click *A*.]\n. Click *B*.", ["A", "B"], False),
    ],
)
def test_conditions(lines, shown, is_told):
    document = read(f"= T\n\n{lines}\n")
    assert [i.text for i in inlines(document)] == shown
    assert bool(document.problems) is is_told


@pytest.mark.parametrize("there", ["Click *{save} now*", "Click {save}"])
def test_text_that_stands_elsewhere_is_told_and_names_nothing(there):
    document = read(f"= T\n\n. Click *A*.\n. {there}.\n")
    assert "guide/page.adoc:4: takes text from elsewhere" in document.problems[0]
    assert [i.text for i in inlines(document)] == ["A"]
    assert "…" in document.procedures[0].steps[1].text


def test_an_include_is_told_and_never_opened(tmp_path):
    (tmp_path / "more.adoc").write_text(". Click *B*.\n", "utf-8")
    text = f"= T\n\n. Click *A*.\n\ninclude::{tmp_path}/more.adoc[]\n"
    document = read(text)
    assert "guide/page.adoc:5" in document.problems[0]
    assert [i.text for i in inlines(document)] == ["A"]


def test_a_value_that_grows_is_no_bomb():
    values = "".join(f":a{n + 1}: {{a{n}}}{{a{n}}}\n" for n in range(40))
    with pytest.raises(LimitError, match="no more are read"):
        read(f":a0: ha\n{values}\n\n. Click *{{a40}}*.\n")


def test_comments_hold_checks():
    text = "= T\n\n== Create\n\n// checks:\n// skip: never\n. Click *A*.\n"
    assert read(text).procedures[0].checks.skip == "never"
    text = text.replace("// checks:\n// skip: never\n", "////\nchecks:\nskip: never\n////\n")
    assert read(text).procedures[0].checks.skip == "never"


def test_attributes_of_its_component(tmp_path):
    """As Antora has them; a change there is a new revision of the page."""
    folder = tmp_path / "docs" / "modules" / "ROOT" / "pages"
    folder.mkdir(parents=True)
    page, component = folder / "a.adoc", tmp_path / "docs" / "antora.yml"
    page.write_text("= T\n:own: mine\n\n. Click *{save}* in {own} {flag}{off}.\n", "utf-8")
    component.write_text(
        "asciidoc: {attributes: {save: Save all, own: x@, Flag: true, off: false}}\n", "utf-8"
    )
    document = read_file(page)
    assert step_texts(document) == [("1", "Click Save all in mine ….")]
    assert [(i.text, i.span.column) for i in inlines(document)] == [("Save all", 10)]
    component.write_text("asciidoc: {attributes: {save: Store}}\n", "utf-8")
    changed = read_file(page)
    assert [i.text for i in inlines(changed)] == ["Store"]
    assert changed.revision != document.revision
    component.write_text("asciidoc: [", "utf-8")
    assert inlines_of(read_file(page)) == []


def inlines_of(document: Document) -> list[str]:
    return [i.text for i in inlines(document)]


PAGES = {
    "roles": '<div><div role="tablist"><button role="tab">{0}</button>'
    '<button role="tab">{1}</button></div>'
    '<div role="tabpanel">{2}</div><div role="tabpanel" hidden>{3}</div></div>',
    "labels": '<div class="tabbed-set"><input type="radio"><div class="tabbed-labels">'
    '<label>{0}</label><label>{1}</label></div><div class="tabbed-content">'
    '<div class="tabbed-block">{2}</div><div class="tabbed-block">{3}</div></div></div>',
    "between": '<div class="sd-tab-set"><input><label class="sd-tab-label">{0}</label>'
    '<div class="sd-tab-content">{2}</div><input><label class="sd-tab-label">{1}</label>'
    '<div class="sd-tab-content">{3}</div></div>',
}


@pytest.mark.parametrize("make", PAGES)
def test_tabs_of_html_are_alternatives(make):
    """As Docusaurus and Sphinx's extensions, MkDocs and sphinx-design write them."""
    lists = ("<ol><li>Click <b>A</b>.</li></ol>", "<ol><li>Click <b>B</b>.</li></ol>")
    page = PAGES[make].format("Console", escape("A & B"), *lists)
    document = parse_document(f"<h1>T</h1><p>Before.</p>{page}<p>Behind.</p>", "a.html", "html")
    check_shape(document)
    assert [p.title_path for p in document.procedures] == [("T", "Console"), ("T", "A & B")]
