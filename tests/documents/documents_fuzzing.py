"""Documents that nobody would write, against every reader and grammar, each timed.

`scripts/fuzz-documents` runs thousands of them (`documents_fuzzing_run.py`), the suite some hundred.
A case fails that ends in anything but a document or a `DocumentError`, that takes more than `LIMIT_S`
of processor time, or whose time grows much faster than its text. The second is one of a processor that reads
`_ORDINARY` in `_ORDINARY_S`: on a slower one, or one that others share, the limit is longer by as much.
"""

import gc
import random
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from hypothesis import strategies as st
from markdown_it import MarkdownIt

from appliance.core.errors import DocumentError
from appliance.core.procedure import Inline, InlineRole, Procedure, Sentence, Step
from appliance.core.source import Span
from appliance.documents import parse_document, read_checks
from appliance.documents._limits import MAX_SENTENCE
from appliance.environment.modules import Catalogue
from appliance.environment.needs import infer
from appliance.policy.literal.read import chinese, english
from appliance.policy.literal.read.reading import read_procedure

LIMIT_S = 1.0
_ORDINARY = "A paragraph with **bold** words and `code`.\n\n" * 1000
_ORDINARY_S = 0.05
"""An ordinary text, and what markdown-it alone takes for it on the processor that the limit is meant for."""
SIZE = 50_000
_GIVEN_UP_S = 10.0
_WORTH_DOUBLING_S = 0.3
_GROWTH = 3.5
"""Twice the text takes twice the time; four times is quadratic."""

MARKS = {"a": InlineRole.UI_LABEL, "b": InlineRole.LITERAL, "c": InlineRole.LINK}
_PLACE = Span("page.md", 1, 1, 1, 1)

_MARKUP = (  # noqa: SIM905 - one a line they would fill three screens
    "**X** ¦`x` ¦*x* ¦_x_ ¦[a](b) ¦[¦](¦![¦[a]: b\n¦[a]: ¦[^1] ¦<b>¦</b>¦<¦<!--¦-->¦<div>¦</div>¦<p>¦<li>¦<ol>"
    "¦<ul>¦</ul>¦<table>¦<tr>¦<td>¦<td rowspan=99999999>¦<br>¦<a href='¦\"¦'¦&amp;¦&¦&lt;¦|¦| a ¦|a|b|\n¦---¦- ¦* ¦> ¦1. ¦1) ¦#¦# A\n"
    '¦\n¦\n\n¦. ¦。¦，¦；¦：¦: ¦:¦(¦)¦（¦）¦“¦”¦"a" ¦「¦」¦【¦】¦「a」¦!!! note\n¦??? a\n¦=== "T"\n¦:::note\n'
    "¦:::¦:guilabel:`X` ¦:a:`¦``x`` ¦``¦`¦|s| ¦|s¦_ ¦x_ ¦__¦`x`_ ¦`a <b>`_ ¦.. note::\n¦.. ¦..\n¦::\n¦+--+\n¦+"
    "¦=====\n¦==== ====\n¦a\n  b\n¦Term\n: d\n¦:x: y\n¦\\¦\\*¦*¦**¦***¦~~~\n¦```\n¦{¦}¦{#a}¦{{< ¦{% ¦\t¦ ¦\u3000¦\xa0"
    "¦\ue000¦\ud800¦\x00¦\r¦\r\n¦\x0b¦\u2028¦\ufeff¦x¦中¦a ¦A ¦1¦9 ¦-¦--¦->¦ > ¦**A** > ¦**A** and ¦**A**, ¦=>¦→¦e.g. ¦No. "
    "¦1.2.3 ¦a.b. ¦http://a.b ¦<http://¦$¦${¦%¦^¦a: ¦Name: x\n¦**Name**: x\n¦- **A**: b\n¦   ¦1. a\n   1. b\n"
    "¦<details><summary>a</summary>¦<pre>¦<code>¦<h1>a</h1>¦<dl><dt>a<dd>b¦<script>¦<textarea>¦<style>"
    '¦<title>¦<template>¦<svg>¦<!¦<?¦<![CDATA[¦<x a="¦<x a=b ¦/>¦<!-- checks:\n¦\n-->\n¦.. checks:\n   ¦e\u0301¦\u202e¦👩‍👩‍👧'
    "¦== ¦[NOTE]\n¦====\n¦|===\n¦a|¦2+|¦:x: ¦{x}¦btn:[¦menu:a[¦]¦link:a[¦<<¦>>¦`+¦+`¦__¦##¦^a¦~a¦pass:[¦a:: ¦\n+\n¦.. ¦.A\n"
).split("¦")
_WORDS = [
    "select the the ",
    "add ",
    "add key ",
    "add key value ",
    "choose the ",
    "choose to ",
    "pick the ",
    "find ",
    "locate ",
    "enter ",
    "and of claim ",
    "key ",
    "then ",
    " then click ",
    ", and in the ",
    "in the row of the ",
    "so that ",
    "because ",
    "which ",
    "project ",
    "drop-down ",
    "click on ",
    "set to ",
    "only a ",
    "you can only ",
    "the a must be ",
    "in the a state ",
    "if the ",
    "when ",
    "before you ",
    "you must have ",
    "default ",
    "by default is ",
    "paste ",
    "the following ",
    "with ",
    "to the left of ",
    "next to ",
    "for the ",
    "name of the ",
    "disk ",
    "the disk of the ",
    "select the disk ",
    "move to ",
    "drag ",
    "the network that you ",
    "new ",
    "attach the disk to ",
    "optional ",
    "repeat the ",
    "row of ",
    "menu ",
    "please ",
    "and then ",
    ", then ",
    "点击",
    "选择",
    "在",
    "中输入",
    "将",
    "设置为",
    "状态",
    "提示",
    "的",
    "行",
    "然后",
    "如果",
    "只有",
    "必须",
    "云盘",
    "实例",
    "拖动到",
    "添加到",
    "文件",
    "右侧",
    "操作列",
    "导航栏",
    "请",
]
_YAML = [
    "a: ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "&a ",
    "*a ",
    "<<: ",
    "'",
    '"',
    "|\n",
    ">\n",
    "\n",
    "  ",
    "? ",
    ": ",
    "!!int ",
    "!x ",
    "# ",
    "---\n",
    "...\n",
    "procedures:\n",
    "  create:\n",
    "    expect:\n",
    "      - event: X\n",
    "        where: {a: b}\n",
    "      - any_of:\n",
    "      - in_order:\n",
    "\t",
    "~",
    "1:1:1:1",
    "0x1",
    "2026-01-01",
    "\\x41",
    "%YAML 1.2\n",
    "a0: &a0 [x, x]\n",
    "a1: &a1 [*a0, *a0]\n",
]
FORMATS = ("markdown", "rst", "html", "xml", "asciidoc")


@dataclass(frozen=True, slots=True)
class Case:
    """A text: `before`, `piece` again and again, `after`."""

    kind: str
    """A format of documents, `checks` or `sentence`."""
    before: str
    piece: str
    times: int
    after: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        return self.before + self.piece * self.times + self.after


def cases(size: int = SIZE) -> st.SearchStrategy[Case]:
    """Texts of up to about so many characters."""
    return st.integers(0, 2**64).map(lambda number: drawn(random.Random(number), size))


def drawn(by: random.Random, size: int = SIZE) -> Case:
    """A text of up to about so many characters. Not by hypothesis, which takes longer than reading."""
    what = by.choice(("document", "document", "document", "bare", "checks", "sentence"))
    if what == "sentence":
        return _case("sentence", _told(by), _told(by), MAX_SENTENCE, _told(by))
    size = by.choice((size // 50, size // 50, size // 10, size // 10, size))
    if what == "checks":
        return _case(
            "checks", *(_of(by, _YAML, 1, 8) for _ in range(2)), size, _of(by, _YAML, 0, 8)
        )
    before, after = ("".join(_piece(by) for _ in range(by.choice((0, 2, 8, 60)))) for _ in range(2))
    make = _in_a_step if what == "document" else _case
    return make(by.choice(FORMATS), before, _repeated(by), size, after)


def _repeated(by: random.Random) -> str:
    piece = "".join(_piece(by) for _ in range(by.randint(1, 4)))
    if by.random() < 0.3:
        piece = piece * max(1, MAX_SENTENCE // 2 // len(piece)) + ". "
    # Without a gap the text is one long line, and mostly refused for that.
    return piece + by.choice(("", "", "\n", "\n\n", "\n\n\n "))


def _piece(by: random.Random) -> str:
    pieces = by.choice((_MARKUP, _WORDS, None))
    if pieces is not None:
        return by.choice(pieces)
    ends = (0x80, 0x80, 0x3000, 0x10000, 0x110000)
    return "".join(chr(by.randrange(by.choice(ends))) for _ in range(by.randint(1, 6)))


def _told(by: random.Random) -> str:
    words = [_WORDS, _WORDS, ("\x01a", "\x01b", "\x01c"), _MARKUP]
    return "".join(by.choice(by.choice(words)) for _ in range(by.randint(1, 4)))


def _of(by: random.Random, pieces: Sequence[str], least: int, most: int) -> str:
    return "".join(by.choice(pieces) for _ in range(by.randint(least, most)))


def _case(kind: str, before: str, piece: str, size: int, after: str) -> Case:
    return Case(kind, before, piece, max(1, size // len(piece)), after)


def _in_a_step(format: str, before: str, piece: str, size: int, after: str) -> Case:
    heads = {
        "markdown": "# T\n\n1. Select **X** ",
        "rst": "T\n=\n\n1. Select **X** ",
        "asciidoc": "= T\n\n. Select *X* ",
        "xml": "<task><steps><step><cmd>Click <uicontrol>X</uicontrol>. ",
    }
    head = heads.get(format, "<h1>T</h1><ol><li>Click <b>X</b>. ")
    return _case(format, head + before, piece.replace("\n", "\n   "), size, after)


class GivenUp(BaseException):
    """It takes too long to be waited for. Nothing that catches every `Exception` may catch it."""


def seconds(case: Case) -> float:
    """Processor time that reading it takes, whatever comes of it."""
    return _timed(case)[0]


def _timed(case: Case) -> tuple[float, bool]:
    """Processor time, and whether it was read to its end."""
    gc.disable()  # as the child that reads documents
    began = time.process_time()
    try:
        with _within(_GIVEN_UP_S):
            read(case)
    except DocumentError:
        return time.process_time() - began, False
    except GivenUp:
        return _GIVEN_UP_S, False
    finally:
        gc.enable()
    return time.process_time() - began, True


def read(case: Case) -> None:
    """All that the program does with a text before a browser is started."""
    match case.kind:
        case "checks":
            read_checks(case.text, "page.checks.yaml", (), "page.md")
        case "sentence":
            sentence = _sentence(case.text[:MAX_SENTENCE])
            _ = [*english.read(sentence, "1"), *chinese.read(sentence, "1")]
            step = Step(index="1", body=(sentence,), span=_PLACE)
            infer(Procedure(id="a", title_path=("T",), span=_PLACE, steps=(step,)), _MODULES)
        case format:
            for procedure in parse_document(case.text, f"guide/page.{format}", format).procedures:
                read_procedure(procedure)
                infer(procedure, _MODULES)


def _sentence(text: str) -> Sentence:
    """A sentence in which each `\\x01a` is a label, `\\x01b` a literal, `\\x01c` a link."""
    shown: list[str] = []
    inlines: list[Inline] = []
    at = 0
    for number, part in enumerate(text.split("\x01")):
        if number and (role := MARKS.get(part[:1])) is not None:
            inlines.append(Inline(role=role, text=part[0], start=at, end=at + 1, span=_PLACE))
        shown.append(part)
        at += len(part)
    return Sentence(text="".join(shown), span=_PLACE, inlines=tuple(inlines))


def complaint(case: Case, took_s: float) -> str | None:
    """What is wrong with the time that a case took; None: nothing.

    Another process may take the cache meanwhile: the best of several is the reader's own.
    """
    if took_s > LIMIT_S:
        slower = slowness()
        best = min(seconds(case), seconds(case)) / min(slower, slowness())
        if best > LIMIT_S:
            return f"takes {best:.2f} s"
    if grows_too_fast(case, took_s) and grows_too_fast(case, seconds(case)):
        return "grows too fast"
    return None


def slowness() -> float:
    """How much longer this processor takes, now, than the one that the limit is meant for; 1 at least."""
    gc.disable()
    began = time.process_time()
    MarkdownIt().parse(_ORDINARY)
    took_s = time.process_time() - began
    gc.enable()
    return max(1.0, took_s / _ORDINARY_S)


def grows_too_fast(case: Case, took_s: float) -> bool:
    """Whether twice as much of its piece takes far more than twice the time."""
    if case.kind == "sentence" or took_s < _WORTH_DOUBLING_S or case.times < 2:
        return False
    half = replace(case, times=case.times // 2)
    half_s, is_read = _timed(half)
    return is_read and took_s > _GROWTH * half_s


@contextmanager
def _within(limit_s: float) -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise GivenUp

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


_MODULES = dict(Catalogue.load().of("practice"))
