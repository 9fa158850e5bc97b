"""Who decided, who did not and why, and what it took: in the page and in the summary."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from appliance.core.result import Cost, RunResult, TierResult
from appliance.core.verdict import Verdict
from appliance.reports import html_report, markdown_summary

COST = Cost(wall_s=65.0, browser_s=23.6, model_s=31.5, model_calls=13, tokens=84211)
TIERS = (
    TierResult(
        policy="literal",
        verdict=Verdict.UNDECIDED,
        attempts=2,
        cost=Cost(browser_s=14.4),
        why="policy: step 2: not understood: <b>frob</b>",
    ),
    TierResult(
        policy="model", verdict=Verdict.VERIFIED, attempts=1, cost=replace(COST, browser_s=9.2)
    ),
)


def told(run: RunResult, **changes: Any) -> RunResult:
    procedure = replace(run.procedures[0], cost=COST, decided_by="model", **changes)
    return replace(run, procedures=(procedure,))


def test_tiers_are_told_in_the_page(one_finding: Callable[..., RunResult], folder: Any) -> None:
    page = html_report(told(one_finding(), tiers=TIERS), lambda _: None, folder.get)
    rows = LexborHTMLParser(page).css("table.tiers tbody tr")
    cells = [[" ".join(cell.text().split()) for cell in row.css("th, td")] for row in rows]
    assert cells == [
        ["literal", "undecided", "Step 2: not understood: <b>frob</b>.", "2", "14 s", "", ""],
        ["model", "verified", "it decided", "1", "9.2 s", "32 s in 13 calls", "84,211"],
    ]


def test_one_tier_without_a_model_is_not_worth_a_table(
    one_finding: Callable[..., RunResult], folder: Any
) -> None:
    run = one_finding()
    only = replace(run.procedures[0], tiers=TIERS[:1], cost=Cost(browser_s=14.4))
    page = html_report(replace(run, procedures=(only,)), lambda _: None, folder.get)
    assert "tiers" not in LexborHTMLParser(page).css_first("main").html


def test_the_summary_says_what_a_model_took(one_finding: Callable[..., RunResult]) -> None:
    summary = markdown_summary(told(one_finding(), tiers=TIERS))
    assert "| Title | model | 24 s | 32 s in 13 calls | 84,211 |" in summary
    assert "What it took" not in markdown_summary(one_finding())
