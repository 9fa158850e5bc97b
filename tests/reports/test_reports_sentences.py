"""The engine's sentences on Chinese pages: known, with their values as they were, and quick."""

import ast
import re
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

import appliance
from appliance.reports.sentences import LONGEST, catalogue, in_chinese
from appliance.server.dashboard.rendering import environment
from appliance.system.yaml import load

_TEXT = (files("appliance.reports") / "texts" / "sentences.yaml").read_text("utf-8")
SECTIONS: dict[str, dict[str, str]] = load(_TEXT)
PAIRS = [pair for section in SECTIONS.values() for pair in section.items()]
SHAPES = [re.sub(r"\{.*?\}", "{}", english) for english, _ in PAIRS]

_SAYERS = """
    Cause ChannelResult Divergence Judged StepReport _another _cannot_tell _needed _policy _supply
    _tell diverge left_open lose report skip stuck
"""
SAYERS = frozenset(_SAYERS.split())
"""What is called with a sentence that a page may show."""
SAID = frozenset(("because", "how", "missing", "note", "reason", "shown", "text", "where", "why"))
"""Arguments and variables that hold such a sentence."""
SILENT = {
    'row\'s "{}"': "a part of another, which is known",
    "does not mention it": "likewise",
    "says that it can be left": "likewise",
    "below no heading": "likewise",
    ": step {}: {}": "likewise",
    "step {} went another way than the text says, and": "likewise",
    "something without a name": "stands between quotes, for a name",
    "docs check {}": "is typed into the console",
    "{} says that it is done{}": "is told to the policy",
    "turn {} {}": "is what the grammar reads",
}
"""No page shows them."""


KEPT_BACK = frozenset({"compiling.py", "facts.py"})
"""Files whose errors only decide whether something is kept, or whose texts are patterns."""


def sentences(folder: str) -> Iterator[tuple[str, str]]:
    """Files and sentences with `{}` for values, as a page may show them."""
    for path in sorted((Path(appliance.__file__).parent / folder).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8") if path.name not in KEPT_BACK else "")
        for node in ast.walk(tree):
            for said in said_by(node):
                for whole in shapes(said):
                    yield from ((path.name, part) for part in whole.split("; "))


def said_by(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            if name in SAYERS or name.endswith("Error"):
                yield from node.args
            yield from (k.value for k in node.keywords if k.arg in SAID)
        case ast.Assign(targets=[ast.Name(id=name)]) if name in SAID:
            yield node.value
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            pairs = zip(names, values, strict=True)
            yield from (v for name, v in pairs if isinstance(name, ast.Name) and name.id in SAID)
        case ast.Return(value=ast.expr() as value):
            yield value
        case ast.Dict(values=values):
            yield from values


def shapes(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str() as text) if " " in text:
            return [text]
        case ast.JoinedStr(values=parts):
            whole = "".join(p.value if isinstance(p, ast.Constant) else "{}" for p in parts)
            return [whole] if " " in whole else []
        case ast.Tuple(elts=parts):
            return [shape for part in parts for shape in shapes(part)]
        case ast.IfExp():
            return shapes(node.body) + shapes(node.orelse)
        case ast.BinOp(op=ast.Add()):
            ends = shapes(node.right) or ["{}"]
            return [start + end for start in shapes(node.left) or ["{}"] for end in ends]
        case _:
            return []


def is_known(shape: str) -> bool:
    wanted = re.compile(re.escape(shape).replace(r"\{\}", ".*"))
    return any(map(wanted.fullmatch, SHAPES))


@pytest.mark.parametrize("folder", ["policy/literal", "policy/replay", "verification"])
def test_every_sentence_that_a_page_may_show_is_known(folder: str) -> None:
    found = {(file, shape) for file, shape in sentences(folder) if re.search(r"[a-z]{3}", shape)}
    assert len(found) > 10
    assert [one for one in sorted(found) if not is_known(one[1]) and one[1] not in SILENT] == []


def test_both_languages_of_a_sentence_have_the_same_values() -> None:
    names = [[sorted(n for _, n, *_ in Formatter().parse(t) if n) for t in pair] for pair in PAIRS]
    assert [pair for pair, (one, other) in zip(PAIRS, names, strict=True) if one != other] == []
    assert [english for english, _ in PAIRS if "; " in english or re.search(r"\}\{", english)] == []
    assert len({english for english, _ in PAIRS}) == len(PAIRS) == len(catalogue())


WORD = st.text("abXY7磁盘<>&{}%_/-", min_size=1, max_size=12)
WORDS = st.lists(WORD, min_size=1, max_size=4).map(" ".join)


@st.composite
def filled(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A sentence of the engine, and the values that are put into it."""
    values: list[str] = []

    def value(kind: str) -> str:
        drawn = {"word": WORD, "role": WORD, "number": st.integers(0, 10**9).map(str)}
        values.append(draw(drawn.get(kind, WORDS)))
        match kind:
            case "repr":
                return repr(values[-1])
            case "names":
                return f'"{values[-1]}"'
            case "phrase" | "known":
                return f'the dialog "{values[-1]}"'
            case _:
                return values[-1]

    parts = Formatter().parse(draw(st.sampled_from(list(SECTIONS["sentences"]))))
    return "".join(
        # an index is one word: what follows one in a sentence would not be told from it
        text + (value(kind or ("word" if name == "step" else "")) if name else "")
        for text, name, kind, _ in parts
    ), values


@given(filled())
def test_values_come_back_as_they_were_and_escaped(one: tuple[str, list[str]]) -> None:
    english, values = one
    chinese = in_chinese(english)
    assert chinese is not None, english
    assert [value for value in values if value not in chinese] == []
    html = spoken(english, "zh")
    assert '<span class="isolate"' in html and f">{escape(chinese)}</span>" in html


def spoken(text: str, language: str) -> str:
    page = '{% import "_work.jinja" as w with context %}{{ w.spoken(text) }}'
    return environment().from_string(page).render(text=text, language=language)


@given(st.text(max_size=200))
def test_what_is_not_known_stays_as_it_is(text: str) -> None:
    assert f">{escape(text)}</span>" in spoken(text, "en")
    if in_chinese(text) is None:
        assert f">{escape(text)}</span>" in spoken(text, "zh")


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        (
            'nothing called "A; B" in the page "P"; it offers "C", "D" and 3 more',
            "页面“P”中没有“A; B”；现有“C”、“D”，另有 3 项",
        ),
        (
            "policy: not tried: 'Delete' deletes or releases something, and the step does not say"
            " to",
            "“Delete”会删除或释放资源：步骤没有这样要求",
        ),
        ('the button is called "the option"', "该按钮名为“the option”"),
        ('the gizmo is called "x"', "该gizmo名为“x”"),
        (
            '"Copy" is in the menu "More" on the page of "d-1", not above the list',
            "“Copy”在“d-1”页面的菜单“More”中，而不在列表上方",
        ),
        (
            "CreateDisk found and no GetDisk event; 1 other: ListDisks",
            "找到 CreateDisk，没有 GetDisk 事件；另有 1 个：ListDisks",
        ),
        (
            "the console does not answer: something new; what now?",
            "控制台没有响应：something new；what now?",
        ),
        ("disk_full: the disk is full: boom: make room", "磁盘已满：boom：请腾出空间"),
        ("clicked on something", None),
        ("button", None),
        ("", None),
    ],
)
def test_sentences_of_several_parts(english: str, chinese: str | None) -> None:
    assert in_chinese(english) == chinese


def test_unknown_english_says_that_it_is_english() -> None:
    assert spoken("boom", "zh") == '<span class="isolate" lang="en">boom</span>'
    assert spoken("boom", "en") == '<span class="isolate">boom</span>'
    assert spoken("没有", "zh") == '<span class="isolate" lang="zh-Hans">没有</span>'
    assert spoken("no dialog is open", "zh") == '<span class="isolate">没有打开的对话框</span>'


@pytest.mark.parametrize(
    "part",
    ["x", '"', "'", ", and ", " and ", "; ", ": ", 'no "', '"a" is "', "policy: ", "'a' 'b' ", "7"],
)
def test_no_text_takes_long(part: str) -> None:
    began = time.process_time()
    in_chinese((part * LONGEST)[:LONGEST])
    assert time.process_time() - began < 2
    assert in_chinese('"' + "x" * LONGEST + '" is shown') is None
