"""Documents that nobody would write, against every reader and grammar, each timed.

`scripts/fuzz-documents [--cases N] [--seed N] [--size CHARACTERS]` runs it at length, the suite some
hundred cases of it. A case that takes more than `LIMIT_S` of processor time fails, and so does one
whose time grows much faster than its text.
"""

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

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
FORMATS = ("markdown", "rst", "html")


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
    words = st.sampled_from(_WORDS)
    pieces = st.one_of(st.sampled_from(_MARKUP), words, st.text(min_size=1, max_size=6))
    few = st.lists(pieces, min_size=1, max_size=4).map("".join)
    ended = few.map(lambda piece: piece * max(1, MAX_SENTENCE // 2 // len(piece)) + ". ")
    few = st.one_of(few, few, ended)
    many = st.lists(pieces, max_size=60).map("".join)
    yaml = st.lists(st.sampled_from(_YAML), min_size=1, max_size=8).map("".join)
    sizes = st.sampled_from((size // 50, size // 10, size))
    documents = st.builds(_in_a_step, st.sampled_from(FORMATS), many, few, sizes, many)
    bare = st.builds(_case, st.sampled_from(FORMATS), many, few, sizes, many)
    checks = st.builds(_case, st.just("checks"), yaml, yaml, sizes, yaml)
    marked = st.sampled_from(("\x01a", "\x01b", "\x01c"))
    told = st.lists(st.one_of(words, words, marked, pieces), min_size=1, max_size=4).map("".join)
    sentences = st.builds(_case, st.just("sentence"), told, told, st.just(MAX_SENTENCE), told)
    return st.one_of(documents, bare, checks, sentences)


def _case(kind: str, before: str, piece: str, size: int, after: str) -> Case:
    return Case(kind, before, piece, max(1, size // len(piece)), after)


def _in_a_step(format: str, before: str, piece: str, size: int, after: str) -> Case:
    heads = {"markdown": "# T\n\n1. Select **X** ", "rst": "T\n=\n\n1. Select **X** "}
    head = heads.get(format, "<h1>T</h1><ol><li>Click <b>X</b>. ")
    return _case(format, head + before, piece.replace("\n", "\n   "), size, after)


class GivenUp(Exception):
    """It takes too long to be waited for."""


def seconds(case: Case) -> float:
    """Processor time that reading it takes, whatever comes of it."""
    return _timed(case)[0]


def _timed(case: Case) -> tuple[float, bool]:
    """Processor time, and whether it was read to its end."""
    began = time.process_time()
    try:
        with _within(_GIVEN_UP_S):
            read(case)
    except DocumentError:
        return time.process_time() - began, False
    except GivenUp:
        return _GIVEN_UP_S, False
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


def main() -> int:
    """The program; 1: something is too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=SIZE, help="characters of the longest texts")
    asked = parser.parse_args()
    slowest: list[tuple[float, str]] = []
    wrong: list[str] = []
    done = 0

    @seed(asked.seed)
    @settings(
        max_examples=asked.cases,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(asked.size))
    def each(case: Case) -> None:
        nonlocal done
        done += 1
        took_s = seconds(case)
        slowest.append((took_s, repr(case)))
        slowest.sort(reverse=True)
        del slowest[10:]
        if took_s > LIMIT_S:
            wrong.append(f"takes {took_s:.2f} s: {case!r}")
        elif grows_too_fast(case, took_s) and grows_too_fast(case, seconds(case)):
            wrong.append(f"grows too fast: {case!r}")
        if wrong and wrong[-1].endswith(repr(case)):
            print(wrong[-1][:400], flush=True)
        if done % 500 == 0:
            print(f"{done} cases, the slowest {slowest[0][0]:.2f} s", file=sys.stderr, flush=True)

    each()
    print(f"{done} cases; the slowest took, in seconds:")
    for took_s, said in slowest:
        print(f"{took_s:6.2f} {said[:200]}")
    print(f"{len(wrong)} over {LIMIT_S:g} s or growing too fast")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
