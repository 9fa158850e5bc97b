"""What is beyond a limit is refused at once, with its line, and the others are read."""

import random
import time
from pathlib import Path

import pytest
from documents_fuzzing import LIMIT_S, SIZE, Case, cases, complaint, read, seconds, slowness
from hypothesis import HealthCheck, Phase, given, settings

from appliance.core.errors import DocumentError, LimitError
from appliance.documents import load_documents, parse_document
from appliance.documents._limits import (
    MAX_BYTES,
    MAX_CELLS,
    MAX_PARAGRAPH,
    MAX_PROBLEMS,
    MAX_SENTENCE,
    MAX_STEPS,
)
from appliance.documents.apart import Reader

GUIDE = "# Create a bucket\n\n1. Click **Create**.\n2. Click **Save**.\n"
_ALIASES = "\n".join(
    f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else 'x'] * 9)}]" for n in range(9)
)
"""349 bytes of it stood for 150 MB; all of it, for more than any machine has."""
BOMB = f"{GUIDE}\n<!-- checks:\nprocedures:\n{_ALIASES}\n-->\n"
_ROW = "<tr>" + "<td>x</td>" * 100 + "</tr>"


@pytest.mark.parametrize(
    ("format", "text", "says"),
    [
        ("markdown", BOMB, ":8:7: `&a0` is an anchor, and anchors are not read"),
        (
            "markdown",
            GUIDE + "3. Select " + "the " * (MAX_SENTENCE // 4),
            f":5: a sentence of more than {MAX_SENTENCE:,} characters",
        ),
        (
            "markdown",
            "# T\n\n" + "1. Click **X**.\n" * (MAX_STEPS + 1),
            f":{MAX_STEPS + 3}: a procedure of more than {MAX_STEPS:,} steps",
        ),
        ("markdown", GUIDE + "\n" + "> " * 50 + "x\n", ":6: nested too deeply: at most"),
        ("html", "<h1>T</h1>\n" + "<div>" * 120 + "x", ":2: nested too deeply: at most 100"),
        ("rst", "\n".join(" " * n + "* x\n" for n in range(300)), "nested too deeply"),
        (
            "html",
            "<p>a</p>\n<table>" + _ROW * (MAX_CELLS // 100 + 1) + "</table>",
            f":2: a table of more than {MAX_CELLS:,} cells",
        ),
        (
            "markdown",
            GUIDE + "3. Select " + "[" * MAX_PARAGRAPH,
            f":5: a paragraph of more than {MAX_PARAGRAPH:,} characters",
        ),
        ("rst", "T\n=\n\n" + "*a `b <c\n" * 6000, ":4: a paragraph of more than"),
        ("rst", "T\n=\n\n" + "+-" * 25_000, ":4: a paragraph of more than"),
        (
            "rst",
            "T\n=\n\n" + "`a\n\n" * (MAX_PROBLEMS + 1),
            f":{2 * MAX_PROBLEMS + 4}: more than {MAX_PROBLEMS:,} mistakes in the markup: no more"
            " are read; the first is in line 4: Inline interpreted text",
        ),
        ("markdown", "x\n" * (MAX_BYTES // 2 + 1), f"is longer than {MAX_BYTES:,} bytes"),
    ],
)
def test_a_limit_is_named_with_its_line(format, text, says):
    began = time.process_time()
    with pytest.raises(LimitError) as refused:
        parse_document(text, f"guide/page.{format}", format)
    assert says in str(refused.value)
    assert str(refused.value).startswith(f"guide/page.{format}:")
    assert time.process_time() - began < 5


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "# T\n\n1. Select **X** " + "then select the the disk. " * 380,
        "# T\n\n1. Click **A**" + ". **A** e.g. `b`" * 550,
        "# T\n\n" + "1. Click **X**.\n" * MAX_STEPS,
    ],
)
def test_what_was_quadratic_takes_twice_as_long_for_twice_as_much(text):
    half = Case("markdown", text[: len(text) // 2], "", 1)
    whole = Case("markdown", text, "", 1)
    # Another process may take the cache meanwhile: the best of several is the reader's own.
    assert any(seconds(whole) < 3.5 * seconds(half) for _ in range(5))


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "a::\n\n",
        "* a\n\n1. b\n\n",
        "#. a\n\n b\n\n",
        "-a  b\n",
        "A\n=\n",
        "=\n",
        "a\n b\n",
        ":a: b\n",
        "将\n\n",
    ],
)
def test_thousands_of_the_smallest_constructs_take_about_a_second(piece):
    case = Case("rst", "", piece, SIZE // len(piece))
    # "About": half of that where the machine does nothing else.
    assert any(seconds(case) < 2 * LIMIT_S * slowness() for _ in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("format", ["rst", "markdown"])
def test_words_that_a_parser_wrote_anew_are_not_searched_for_in_every_line(format):
    lines = [f"{n + 1}. Click **A{n}**\x0cor\x1c**B{n}**.\n" for n in range(300)]
    steps = parse_document("T\n=\n\n" + "".join(lines), f"page.{format}", format)
    places = [
        (label.text, label.span.line, label.span.column)
        for step in steps.procedures[0].steps
        for sentence in step.body
        for label in sentence.labels()
    ]
    assert places[:2] == [("A0", 4, 12), ("B0", 4, 22)]
    assert places[-1] == ("B299", 303, 26)
    case = Case(format, "", "将\x0cA\x1c将\n\n", SIZE // 7)
    assert any(seconds(case) < 2 * LIMIT_S * slowness() for _ in range(3))


@pytest.mark.parametrize("piece", ["<!", "<? ", "<script ", "<!--"])
@pytest.mark.parametrize("format", ["html", "markdown"])
def test_a_tag_that_is_never_closed_is_looked_for_once(format, piece):
    assert seconds(Case(format, "", piece, 400_000 // len(piece))) < 5


def test_a_hostile_document_in_a_folder_is_left_out_and_the_others_are_read(tmp_path):
    (tmp_path / "a.md").write_text(GUIDE)
    (tmp_path / "evil.md").write_text(BOMB)
    (tmp_path / "z.md").write_text(GUIDE)
    told: list[str] = []
    found = load_documents([tmp_path], left_out=told.append)
    assert [Path(one.path).name for one in found] == ["a.md", "z.md"]
    assert told == [
        f"left out: {tmp_path}/evil.md:8:7: `&a0` is an anchor, and anchors are not read: write the"
        " value out; text that begins with & goes between quotes"
    ]
    with pytest.raises(LimitError, match="anchor"):
        load_documents([tmp_path / "evil.md"], left_out=told.append)


@pytest.fixture
def reader():
    reader = Reader(timeout_s=1.0)
    yield reader
    reader.close()


@pytest.mark.slow
def test_a_child_reads_as_we_do_and_says_what_is_wrong(tmp_path, reader, monkeypatch):
    (tmp_path / "a.md").write_text(GUIDE)
    (tmp_path / "b.md").write_bytes(b"\xff\xfe")
    monkeypatch.chdir(tmp_path)
    assert reader.load([Path("a.md")]) == load_documents([Path("a.md")])
    with pytest.raises(DocumentError, match=r"b\.md:1: is not UTF-8"):
        reader.read(Path("b.md"))


@pytest.mark.slow
def test_what_takes_too_long_is_ended_and_the_next_document_is_read(tmp_path, reader):
    (tmp_path / "slow.md").write_text(_honest_but_long())
    (tmp_path / "a.md").write_text(GUIDE)
    with pytest.raises(LimitError, match=r"slow\.md: was not read within 1 s.*read_timeout_s"):
        reader.read(tmp_path / "slow.md")
    assert len(reader.read(tmp_path / "a.md").procedures) == 1


def _honest_but_long() -> str:
    """Megabytes of plain steps: within every limit, and seconds of work."""
    drawn = random.Random(0)
    return "".join(
        f"# Title {n}\n\n" + "".join(f"{i}. Click **Button {drawn.random()}**.\n" for i in range(9))
        for n in range(8000)
    )


@pytest.mark.slow
@settings(
    max_examples=250,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(cases(size=8000))
def test_no_document_takes_a_second(case):
    assert complaint(case, seconds(case)) is None


def test_characters_of_icon_fonts_are_no_marks():
    read(Case("sentence", "Choose the \ue000. ", "\ue000choose the ", 40))


def test_lists_and_tables_in_each_other_are_read_where_they_stand() -> None:
    """Read by all around it as well, each would double the work: 26 levels took an hour."""
    for opening in ("<dl><dt>a<dd>b", "<table><tr><td>b"):
        began = time.process_time()
        parse_document(f"<h1>T</h1><ol><li>Click <b>X</b>. {opening * 26}", "a.html", "html")
        assert time.process_time() - began < 1.0
    lists = "<dl><dt>a<dd>b<dl><dt>c<dd>d</dl><dt>e<dd>f</dl>"
    twice = f"<h1>T</h1><ol><li>Enter the following:{lists}<li>Click <b>Save</b>.</ol>"
    (procedure,) = parse_document(twice, "a.html", "html").procedures
    fields = procedure.steps[0].fields
    assert [[label.text for label in entry.labels] for entry in fields] == [["a"], ["e"]]


def test_a_word_of_courtesy_again_and_again_is_read_once() -> None:
    began = time.process_time()
    read(Case("sentence", "将`/>", "请", 4000, "default drag repeat the "))
    assert time.process_time() - began < 0.5
