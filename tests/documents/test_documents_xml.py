"""DocBook and DITA: the procedures that a reader of the published page sees, with true places."""

from html import escape

import pytest
from documents_checks import MADE, check_shape, inlines
from hypothesis import example, given, settings
from hypothesis import strategies as st

from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, InlineRole
from appliance.documents import _xml_names as names
from appliance.documents import parse_document

DOCBOOK = """\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbookx.dtd" [
<!ENTITY product "Console &amp; Co">
]>
<article xmlns:xlink="http://www.w3.org/1999/xlink">
 <info><title>Buckets</title><author><personname>Nobody</personname></author></info>
 <section>
  <title>Create a bucket</title>
  <para>&product; keeps files.<indexterm><primary>file</primary></indexterm></para>
  <procedure>
   <step><para>Choose <menuchoice><guimenu>Storage</guimenu>
        <guimenuitem>Buckets</guimenuitem></menuchoice>.</para></step>
   <step performance="optional"><para>Click <guibutton>新建 &lt;one&gt;</guibutton>.</para>
    <substeps><step><para>In <guilabel>Name</guilabel>, enter <userinput>web</userinput>.</para>
    </step></substeps></step>
   <step><para>Enter:</para><variablelist><varlistentry><term><guilabel>Region</guilabel></term>
    <listitem><para>Where it is.</para></listitem></varlistentry></variablelist></step>
  </procedure>
 </section>
</article>
"""
DITA = """\
<!DOCTYPE task PUBLIC "-//OASIS//DTD DITA Task//EN" "task.dtd">
<task id="t"><title>Delete a bucket</title><prolog><author>Nobody</author></prolog>
<taskbody><context>It must be empty.</context>
<steps><step><cmd>Click <menucascade><uicontrol>More</uicontrol><uicontrol>Delete</uicontrol>
</menucascade>.</cmd><info>A question appears.</info></step>
<step importance="optional"><cmd>Enter <codeph>delete</codeph>.</cmd>
<choices><choice>Click <uicontrol>Now</uicontrol>.</choice></choices></step>
</steps></taskbody></task>
"""


def read(text: str) -> Document:
    document = parse_document(text, "guide/page.xml", "xml")
    check_shape(document)
    return document


def labels(document: Document) -> list[tuple[str, str, int]]:
    """Role, words and line of each mark in the steps, in reading order."""
    return [(i.role.value, i.text, i.span.line) for i in inlines(document)]


def test_docbook():
    document = read(DOCBOOK)
    assert document.title == "Buckets" and document.problems == ()
    (procedure,) = document.procedures
    assert procedure.title_path == ("Buckets", "Create a bucket")
    assert [s.text for s in procedure.introduction] == ["Console & Co keeps files."]
    assert [(s.index, s.is_optional) for s in procedure.walk()] == [
        ("1", False),
        ("2", True),
        ("2.1", False),
        ("3", False),
    ]
    assert labels(document) == [
        ("menu_path", "Storage > Buckets", 11),
        ("ui_label", "新建 <one>", 13),
        ("ui_label", "Name", 14),
        ("literal", "web", 14),
        ("ui_label", "Region", 16),
    ]
    (field,) = procedure.steps[2].fields
    assert [one.text for one in field.labels] == ["Region"] and field.span.line == 16


def test_dita():
    document = read(DITA)
    (procedure,) = document.procedures
    assert procedure.title == "Delete a bucket"
    assert [s.text for s in procedure.prerequisites] == ["It must be empty."]
    assert [(s.index, s.is_optional) for s in procedure.steps] == [("1", False), ("2", True)]
    assert labels(document)[0] == ("menu_path", "More > Delete", 4)
    assert ("literal", "delete", 6) in labels(document)


def test_a_title_of_a_procedure_is_its_title():
    text = DOCBOOK.replace("<procedure>", "<procedure><title>With the console</title>")
    (procedure,) = read(text).procedures
    assert procedure.title_path == ("Buckets", "Create a bucket", "With the console")


@pytest.mark.parametrize(
    "there",
    [
        '<uicontrol conref="shared.dita#shared/save"/>',
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="save.xml"/>',
        "<uicontrol>&save;</uicontrol>",
    ],
)
def test_text_that_stands_elsewhere_is_told_and_never_left_out(there):
    document = read(DITA.replace("<codeph>delete</codeph>", there))
    assert "guide/page.xml:6: takes text from elsewhere" in document.problems[0]
    step = document.procedures[0].steps[1]
    assert step.text == "(Optional) Enter …. Click Now."
    assert [i.text for i in inlines(document)] == ["More > Delete", "Now"], "… names nothing"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<project><name>x</name></project>", "guide/page.xml: its root is <project>"),
        ("<task>\n<title>x</task>", "guide/page.xml:2: is not well-formed XML (mismatched tag)"),
        ("", "guide/page.xml:1: is not well-formed XML (no element found)"),
    ],
)
def test_what_is_no_documentation_is_told(text, why):
    document = read(text)
    assert document.procedures == () and document.problems[0].startswith(why)


def test_what_html_calls_a_character_is_one_and_a_reference_without_words_is_open():
    document = read(DITA.replace("empty.", 'empty&nbsp;&mdash; see <xref href="x.dita"/>.'))
    assert [s.text for s in document.procedures[0].prerequisites] == ["It must be empty — see …."]
    assert document.problems == ()


def test_entities_that_grow_without_end_are_refused():
    grown = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    text = f'<!DOCTYPE task [<!ENTITY e0 "ha">{grown}]><task><title>&e8;</title></task>'
    try:
        assert read(text).procedures == ()
    except DocumentError as error:
        assert "grow" in str(error)


def test_no_file_is_opened(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    text = f'<!DOCTYPE task [<!ENTITY e SYSTEM "{secret.as_uri()}">]>' + DITA.partition("\n")[2]
    document = read(text.replace("It must be empty.", "It must be &e;."))
    assert "hidden" not in str(document) and "takes text from elsewhere" in document.problems[0]


ANY = sorted(
    {*names.SECTIONS, *names.LISTS, *names.ITEMS, *names.BLOCKS, *names.NOTES, *names.PATHS}
    | {*names.INLINES, *names.IGNORED, *names.ABOUT, "title", "table", "varlistentry", "other"}
)
TREES = st.recursive(
    st.sampled_from(["Click ", "Save", ". ", "a & b", "\n", "单击", "<!-- c -->", "if "]),
    lambda inner: st.tuples(st.sampled_from(ANY), st.lists(inner, max_size=4)),
    max_leaves=40,
)


def markup(tree: str | tuple[str, list]) -> str:
    if isinstance(tree, str):
        return tree if tree.startswith("<!--") else escape(tree)
    return f"<{tree[0]}>{''.join(map(markup, tree[1]))}</{tree[0]}>"


@settings(max_examples=150, deadline=None)
@given(trees=st.lists(TREES, max_size=5))
@example(trees=[("guibutton", ["Click ", "<!-- c -->", "Save"])])
def test_whatever_stands_in_what_it_is_read_with_true_places(trees):
    document = read(f"<article><title>T</title>{''.join(map(markup, trees))}</article>")
    assert document.problems == ()
    for inline in inlines(document):
        if inline.role is InlineRole.MENU_PATH or inline.text.startswith(MADE):
            continue
        line = document.lines[inline.span.line - 1] + "\n"
        first, there = escape(inline.text)[0], line[inline.span.column - 1]
        assert there == first or (there.isspace() and first.isspace())
