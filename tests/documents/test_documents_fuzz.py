"""Whatever text comes in, a document or a `DocumentError` comes out, with true places."""

from html import escape

import pytest
from documents_checks import check_shape
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from appliance.core.errors import DocumentError
from appliance.documents import parse_document

_FORMATS = ("markdown", "rst", "html", "xml", "asciidoc")
_SETTINGS = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# Pieces of all formats: thrown together at random they reach far more than letters do.
_PIECES = st.sampled_from(
    (  # noqa: SIM905 - one a line they would fill two screens
        "1.¦#.¦2.¦A)¦*¦-¦+¦>¦# T¦## Step 1: Go¦## Prerequisites¦Title\n=====¦Sub\n---¦~~~~"
        "¦====  ====¦**Save**¦**Save:**¦*x*¦`code`¦``lit``¦:guilabel:`OK`¦:foo:`bar`¦`r <u>`_"
        "¦:menuselection:`A --> B`¦|s|¦_|_x:¦.. note::¦.. note:: hey¦.. unknown:: x¦.. _label:"
        "¦.. code-block:: sh¦.. figure:: x.png¦   :opt: v¦.. |s| replace:: t¦.. tabs::"
        "¦.. tab:: One¦.. checks:¦.. list-table::¦.. csv-table::¦.. include:: /etc/passwd¦::"
        "¦\\*¦\\¦&amp;¦&lt;¦&#x4e2d;¦<b>¦</b>¦<p>¦</p>¦<ol>¦</ol>¦<li>¦<ul>¦</ul>¦<table>¦<tr>"
        "¦<td>¦</table>¦<dl>¦<dt>¦<dd>¦<br>¦<!--¦-->¦<script>¦<pre>¦</pre>¦<div class='note'>"
        "¦</div>¦<h1>¦</h1>¦<h2>¦<details>¦<summary>¦[a](b)¦[a]¦![i](j)¦!!! note¦??? tip 'T'"
        '¦=== "Tab"¦:::note¦:::¦> [!NOTE]¦| a | b |¦|---|---|¦+---+---+¦Click¦Select one of:'
        "¦Click **X**, then select **Y**.¦Optional:¦(Optional)¦If you want,¦单击¦**确定**¦「取消」"
        "¦。¦：¦Name: x¦Term¦:field: x¦---¦```¦~~~¦    ¦ ¦\t¦\n¦\n\n¦\n\n\n   ¦\n  ¦\x0c¦\u2028¦\r"
        "¦{#id}¦{{< x >}}¦https://x.y¦e.g.¦= T¦== S¦. ¦.. ¦** ¦+¦====¦|===¦|x ¦2+|y ¦a|z ¦[NOTE]"
        "¦NOTE: ¦[tabs]¦.Title¦T::¦:x: *Y*¦{x}¦{nope}¦ifdef::x[]¦endif::[]¦include::a[]¦btn:[Go]"
        "¦menu:A[B > C]¦<<x,y>>¦link:a[b]¦`+x+`¦__e__¦#m#¦[.r]#m#¦//  c¦////¦++++¦--¦pass:[x]"
        "¦x -> y¦\\{x}¦ +"
    ).split("¦")
)
_GAPS = st.sampled_from(["\n", "\n\n", " ", "\n   ", "\n    "])
_TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(_PIECES, _GAPS), max_size=40).map("".join),
    st.lists(_PIECES, max_size=30).map("\n\n".join),
    st.lists(_PIECES, max_size=30).map(" ".join),
)


@pytest.mark.parametrize("format", _FORMATS)
@_SETTINGS
@given(text=_TEXTS)
@example(text=". LIST\n&ap;<a>::")  # an entity and a tag: only one of them is markup everywhere
def test_any_text_is_read_or_refused(format, text):
    try:
        document = parse_document(text, f"guide/page.{format}", format)
    except DocumentError:
        return
    assert document.format == format
    check_shape(document)


def _skeleton(format: str, parts: list[str]) -> str:
    """Steps, so that what the pieces make of them is read as a procedure's."""
    if format == "html":
        return "<h1>T</h1><ol>" + "".join(f"<li>Click <b>X</b>. {p}</li>" for p in parts) + "</ol>"
    if format == "xml":
        steps = (f"<step><cmd>Click <b>X</b>. {escape(p)}</cmd></step>" for p in parts)
        return f"<task><title>T</title><steps>{''.join(steps)}</steps></task>"
    if format == "asciidoc":
        return "= T\n\n" + "\n".join(f". Click *X*. {p}\n" for p in parts)
    title = "# T\n\n" if format == "markdown" else "T\n=\n\n"
    label = "**X**" if format == "markdown" else ":guilabel:`X`"
    indented = (p.replace("\n", "\n   ") for p in parts)
    return title + "\n".join(f"1. Click {label}. {p}\n" for p in indented)


@pytest.mark.parametrize("format", _FORMATS)
@_SETTINGS
@given(
    parts=st.lists(
        st.lists(st.one_of(_PIECES, _GAPS, _PIECES), max_size=12).map("".join),
        min_size=1,
        max_size=4,
    )
)
@example(parts=["``pass:[x]`code`"])  # a literal with a macro in it
@example(parts=["`code`menu:A[B > C]`", "*x*link:a[b]*x*", "`+x+`[.r]#m#`"])
def test_any_text_in_steps_is_read_or_refused(format, parts):
    text = _skeleton(format, parts)
    try:
        document = parse_document(text, f"guide/page.{format}", format)
    except DocumentError:
        return
    check_shape(document)


def test_deep_nesting_is_no_traceback():
    for format, text in (
        ("xml", "<section>" * 20_000 + "x" + "</section>" * 20_000),
        ("html", "<div>" * 20_000 + "Click <b>X</b>, then click <b>Y</b>."),
        ("markdown", "> " * 3_000 + "x"),
        ("asciidoc", "\n".join("=" * n for n in range(4, 400))),
        ("asciidoc", "\n".join(f"{'.' * (n % 5 + 1)} x\n+" for n in range(4_000))),
        ("rst", "\n".join(" " * n + "* x\n" for n in range(400))),
    ):
        try:
            parse_document(text, "deep", format)
        except DocumentError as error:
            assert "deep" in str(error)


def test_nothing_is_printed(capfd):
    parse_document("Title\n==\n\n.. nope:: x\n\n:bad:`x` |y| `z\n\n.. raw:: html\n", "a.rst", "rst")
    assert capfd.readouterr() == ("", "")
