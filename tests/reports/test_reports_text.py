"""JUnit, GitHub annotations, Markdown, JSON."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from appliance.core.result import RunResult
from appliance.core.verdict import DivergenceKind, Severity, Verdict
from appliance.reports import (
    github_annotations,
    json_result,
    junit_report,
    load_result,
    markdown_summary,
)
from appliance.reports._wording import (
    duration,
    headline,
    second_line,
    sentence,
    text_of,
    without_markup,
    words_in,
)

EN = words_in("en")
MakeRun = Callable[..., RunResult]

ANY = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
NASTY = st.text() | st.text("%\r\n:,|`*<>&\"'\\_[]()#~!@$ ab\x00\x1b", max_size=30)


def only(run: RunResult, *verdicts: Verdict) -> RunResult:
    """The run with procedures of those verdicts only, in that order."""
    by = {verdict: [p for p in run.procedures if p.verdict is verdict] for verdict in Verdict}
    taken = [by[verdict].pop(0) for verdict in verdicts]
    return replace(run, procedures=tuple(taken))


def test_junit(night: RunResult, snapshot: Any) -> None:
    assert junit_report(night) == snapshot


def test_github(night: RunResult, snapshot: Any) -> None:
    assert github_annotations(night) == snapshot


def test_markdown(night: RunResult, snapshot: Any) -> None:
    assert markdown_summary(night) == snapshot


def test_json_is_the_result(night: RunResult) -> None:
    assert load_result(json.loads(json_result(night))) == night


def test_junit_counts_add_up(night: RunResult) -> None:
    root = ElementTree.fromstring(junit_report(night))
    assert [root.get(name) for name in ("tests", "failures", "errors", "skipped")] == [
        "14",
        "5",
        "0",
        "3",
    ]
    for name in ("tests", "failures", "skipped"):
        assert sum(int(suite.get(name, "")) for suite in root) == int(root.get(name, ""))
    assert len(root.findall(".//testcase")) == 14
    assert len(root.findall(".//failure")) == 5
    assert len(root.findall(".//skipped")) == 3


@ANY
@given(text=NASTY)
def test_junit_is_xml_whatever_the_page_said(one_finding: MakeRun, text: str) -> None:
    root = ElementTree.fromstring(
        junit_report(one_finding(shown=text, quote=text, suggestion=text))
    )
    assert root.find(".//failure") is not None


COMMAND = re.compile(r"::(error|warning|notice) ([^\r\n]*?)::([^\r\n]*)")


def read_command(line: str) -> tuple[dict[str, str], str]:
    """As the runner reads it: properties at commas and the first `=`, then unescaped."""
    match = COMMAND.fullmatch(line)
    assert match, line
    properties = dict(item.split("=", 1) for item in match[2].split(","))
    for key, value in properties.items():
        properties[key] = unescaped(value.replace("%2C", ",").replace("%3A", ":"))
    return properties, unescaped(match[3])


def unescaped(text: str) -> str:
    return text.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")


@ANY
@given(shown=NASTY, document=NASTY.filter(bool))
def test_a_finding_is_one_command_that_the_runner_reads_back(
    one_finding: MakeRun, shown: str, document: str
) -> None:
    text = github_annotations(one_finding(shown=shown, document=document))
    assert text.endswith("\n")
    properties, message = read_command(text.removesuffix("\n"))
    assert properties["file"] == document
    assert properties["title"] in {text_of(f"kind.{kind}") for kind in DivergenceKind}
    assert " ".join(shown.split()) in message


def test_columns_are_left_out_where_the_words_run_over_lines(one_finding: MakeRun) -> None:
    text = github_annotations(one_finding(end_line=9, line=6))
    assert "line=6,endLine=9,title=" in text
    assert "col" not in text.split("::")[1]


@pytest.mark.parametrize(
    ("severity", "word"),
    [(Severity.BREAKS, "error"), (Severity.MISLEADS, "warning"), (Severity.COSMETIC, "notice")],
)
def test_annotation_levels(one_finding: MakeRun, severity: Severity, word: str) -> None:
    assert github_annotations(one_finding(severity=severity)).startswith(f"::{word} ")


@ANY
@given(text=NASTY)
def test_markdown_shows_text_and_never_html(one_finding: MakeRun, text: str) -> None:
    run = one_finding(shown=text, quote=text, suggestion=text)
    odd = replace(run.procedures[0], title=text, document=text)
    html = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(
        markdown_summary(replace(run, procedures=(odd,), console=text))
    )
    tags = set(re.findall(r"</?([a-zA-Z0-9]+)", html))
    assert tags <= set(
        ["h2", "h3", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"]
    )
    assert html.count("<tr>") == 2
    assert html.count("<td") == 5


@pytest.mark.parametrize(
    ("verdicts", "first", "second"),
    [
        ((), "No procedure was verified.", ""),
        (
            (Verdict.VERIFIED,),
            "The procedure can be carried out as it is written.",
            "",
        ),
        (
            (Verdict.VERIFIED, Verdict.VERIFIED),
            "All 2 procedures can be carried out as written.",
            "",
        ),
        (
            (Verdict.VERIFIED, Verdict.BLOCKED),
            "1 of 2 procedures can be carried out as written.",
            "1 procedure without a verdict: 1 blocked.",
        ),
        (
            (Verdict.BLOCKED, Verdict.UNDECIDED, Verdict.BLOCKED),
            "2 of 3 procedures were blocked and 1 is undecided; nothing was learnt.",
            "",
        ),
        (
            (Verdict.DRIFTED, Verdict.VERIFIED),
            "1 of 2 procedures has drifted; 2 sentences to change.",
            "",
        ),
        (
            (Verdict.BROKEN, Verdict.BLOCKED, Verdict.UNDECIDED),
            "1 of 3 procedures is broken; 1 sentence to change.",
            "2 procedures without a verdict: 1 blocked, 1 undecided.",
        ),
    ],
)
def test_headlines(
    night: RunResult, verdicts: tuple[Verdict, ...], first: str, second: str
) -> None:
    run = only(night, *verdicts)
    assert (headline(run, EN), second_line(run, EN)) == (first, second)


def test_what_was_not_reached_is_said_beside_what_has_no_verdict(night: RunResult) -> None:
    run = replace(only(night, Verdict.VERIFIED, Verdict.BLOCKED), not_reached=2)
    late = "2 procedures were not reached before the deadline; the next sweep takes them."
    assert second_line(run, EN) == f"1 procedure without a verdict: 1 blocked. {late}"
    assert second_line(replace(only(night, Verdict.VERIFIED), not_reached=2), EN) == late
    assert late in markdown_summary(run)


@pytest.mark.parametrize(
    ("text", "told"),
    [("", ""), ("no event", "No event."), ("It is gone!", "It is gone!"), ("没有。", "没有。")],
)
def test_sentences(text: str, told: str) -> None:
    assert sentence(text) == told


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("More** > **Edit\n  versioning", "More > Edit versioning"),
        (":guilabel:`Create`", "Create"),
        ("a: b", "a: b"),
    ],
)
def test_quotes_in_headings(quote: str, told: str) -> None:
    assert without_markup(quote) == told


def test_every_kind_of_divergence_has_words() -> None:
    assert len({text_of(f"kind.{kind}") for kind in DivergenceKind}) == len(DivergenceKind) == 14


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0.0 s"), (9.94, "9.9 s"), (59.6, "1 min 0 s"), (185, "3 min 5 s"), (3720, "1 h 2 min")],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds, EN) == words
