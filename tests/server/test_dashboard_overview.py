"""The overview: how the documentation stands, what was never verified, what needs somebody."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser

from appliance.config import DocumentationSettings, Settings
from appliance.core.result import Cost, Finding, Goal, ProcedureResult, RunResult
from appliance.core.verdict import DivergenceKind, Severity, Verdict
from appliance.store.incident import TriageAction, TriageDecision
from appliance.store.store import Store
from appliance.store.sweeps import SweepRow, SweepState

DISKS = """# Disks

## Create a disk

1. Click **Create**.

## Delete a disk

1. Click **Delete**.

## Grow a disk

1. Click **Grow**.
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "disks.md").write_text(DISKS)
    (folder / "never.md").write_text("# Nets\n\n## Create a net\n\n1. Click **Create**.\n")
    return Settings(
        data_dir=tmp_path / "data", documentation=DocumentationSettings(paths=(folder,))
    )


@pytest.fixture
def store(settings: Settings):
    with Store.open(settings.data_dir) as store:
        yield store


def procedure(settings: Settings, number: int, verdict: Verdict, *findings: Finding):
    path = str(settings.documentation.paths[0] / "disks.md")
    names = {1: "create-a-disk", 2: "delete-a-disk", 3: "grow-a-disk"}
    return ProcedureResult(
        id=f"docs/disks/{names.get(number, number)}",
        title=f"Procedure {number}",
        title_path=("Disks", f"Procedure {number}"),
        document=path,
        line=number,
        end_line=number,
        verdict=verdict,
        goal=Goal(reached=True),
        path="as_written",
        decided_by="literal",
        attempts=1,
        cost=Cost(),
        steps=(),
        findings=findings,
    )


def finding(settings: Settings) -> Finding:
    return Finding(
        id="f1",
        fingerprint="print",
        kind=DivergenceKind.RENAMED_LABEL,
        severity=Severity.BREAKS,
        confidence=0.9,
        document=str(settings.documentation.paths[0] / "disks.md"),
        line=5,
        column=3,
        end_line=5,
        end_column=9,
        quote="**Create** <now>",
        shown="a button “New”",
        suggestion="New",
        step="1",
    )


def keep(service, *procedures: ProcedureResult, days_ago: float = 0) -> None:
    at = service.engine.clock.now() - timedelta(days=days_ago)
    run = RunResult(
        id=f"r{days_ago}",
        appliance_version="0",
        commit="0",
        console="practice",
        policy="literal",
        started_at=at,
        ended_at=at,
        procedures=procedures,
    )
    service.store.start_run(run, len(procedures))
    for one in procedures:
        if one.findings:
            service.store.save_procedure(run.id, one)
    service.store.save_run(run)


async def overview(client: httpx.AsyncClient) -> LexborHTMLParser:
    answer = await client.get("/", headers={"Accept": "text/html"})
    assert answer.status_code == 200, answer.text[:1000]
    return LexborHTMLParser(answer.text)


def said(page: LexborHTMLParser, selector: str) -> str:
    return " ".join(page.css_first(selector).text(separator=" ").split())


async def test_what_is_true_so_far_is_not_called_all(local, service, settings) -> None:
    keep(service, procedure(settings, 1, Verdict.VERIFIED))
    page = await overview(local)
    assert said(page, "h1") == "Nothing untrue so far: 1 of 4 procedures verified"
    legend = said(page, ".legend")
    assert "verified 1 25 %" in legend
    assert "not verified yet 3 75 %" in legend
    assert page.css_first(".legend a[href='/procedures?verdict=drifted']") is not None
    widths = [float(w) for w in re.findall(r'<rect[^>]*width="([\d.]+)%"', page.html)]
    assert widths == [25.0]


async def test_what_is_untrue_comes_first_and_waits_until_it_is_judged(
    local, service, settings, clock
) -> None:
    keep(
        service,
        procedure(settings, 1, Verdict.BROKEN, finding(settings)),
        procedure(settings, 2, Verdict.BLOCKED),
        procedure(settings, 3, Verdict.UNDECIDED),
    )
    page = await overview(local)
    assert said(page, "h1") == "1 procedure is no longer true"
    waiting = said(page, ".waiting")
    assert "Label has another name: “Create <now>”" in waiting
    assert "disks.md:5" in waiting
    assert str(settings.data_dir) not in page.html
    assert "none judged yet" in said(page, ".facts")
    assert [one.attributes["href"] for one in page.css(".concerns a")] == [
        "/procedures?verdict=blocked",
        "/procedures?verdict=undecided",
    ]
    incident = page.css_first(".waiting a").attributes["href"].rpartition("/")[2]
    service.store.incidents.triage(
        incident, TriageDecision(TriageAction.CONFIRM), by="ann", at=clock.now()
    )
    page = await overview(local)
    assert page.css_first(".waiting") is None
    assert "1 confirmed finding waits" in said(page, ".concerns")
    assert "100 % 1 of 1 judged" in said(page, ".facts")


async def test_old_verdicts_are_stale_and_the_trend_has_them_on_their_day(
    local, service, settings
) -> None:
    keep(service, procedure(settings, 1, Verdict.VERIFIED), days_ago=9)
    keep(service, procedure(settings, 2, Verdict.VERIFIED), days_ago=1)
    page = await overview(local)
    assert "1 verdict is stale" in said(page, ".concerns")
    rows = [" ".join(row.text(separator=" ").split()) for row in page.css(".chart tbody tr")]
    assert len([row for row in rows if row.endswith("1 0 0 0 0")]) == 2
    assert not page.css("svg style, svg script, svg [style]")


async def test_documentation_that_cannot_be_read_is_said_and_nothing_breaks(
    local, service, settings
) -> None:
    (settings.documentation.paths[0] / "disks.checks.yaml").write_text("nonsense: [")
    page = await overview(local)
    assert "The documentation cannot be read" in said(page, ".concerns")
    assert "disks.checks.yaml" in said(page, ".concerns")


async def test_a_run_shows_what_it_found_the_worst_first(local, service, settings) -> None:
    row = SweepRow(
        id="r0",
        console="practice",
        state=SweepState.RUNNING,
        why="",
        request={},
        planned_at=service.engine.clock.now(),
    )
    service.store.sweeps.add(row, [])
    keep(
        service,
        procedure(settings, 1, Verdict.VERIFIED),
        procedure(settings, 2, Verdict.DRIFTED),
        procedure(settings, 3, Verdict.BROKEN, finding(settings)),
    )
    page = LexborHTMLParser((await local.get("/runs/r0")).text)
    found = [link.attributes["href"] for link in page.css("#run-found td.main a")]
    assert found == [
        f"/procedures/practice/docs/disks/{name}?run=r0"
        for name in ("grow-a-disk", "delete-a-disk")
    ]
    assert "verified drifted broken" in said(page, "#run-items .tabs")
    verified = LexborHTMLParser((await local.get("/runs/r0?show=verified")).text)
    assert "Procedure 1" in said(verified, "#run-items")
    assert "Procedure 2" not in said(verified, "#run-items")
    service.store.sweeps.enter("r0", SweepState.DONE, "", service.engine.clock.now())
    over = LexborHTMLParser((await local.get("/runs/r0")).text)
    assert len(over.css("#run-items tbody tr")) == 3
    assert over.css_first("#run-found tbody") is None


async def test_a_run_of_the_command_line_has_results_only(local, service, settings) -> None:
    keep(service, procedure(settings, 1, Verdict.VERIFIED))
    answer = await local.get("/runs/r0", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs/r0/results")


async def test_what_was_only_handed_in_counts_nowhere(local, service, settings):
    """All figures of the page have one base: the documentation, and what else was verified."""
    keep(service, procedure(settings, 1, Verdict.VERIFIED), days_ago=0)
    draft = service.settings.data_dir / "uploads" / "r0.5" / "inline" / "draft.md"
    handed_in = replace(
        procedure(settings, 9, Verdict.BROKEN, finding(settings)),
        id="inline/draft/p9",
        document=str(draft),
    )
    keep(service, handed_in, days_ago=0.5)
    page = await overview(local)
    said = page.css_first("[aria-labelledby=coverage]").text(separator=" ")
    assert re.search(r"verified\s+1\s+25 %", said), "of the four in the documentation"
    assert re.search(r"broken\s+0\s+0 %", said)
    assert page.css_first(".waiting") is None
    data = (await local.get("/", headers={"Accept": "application/json"})).json()
    assert sum(sum(row[1:]) for row in data["charts"][0]["rows"]) == 1
    assert data["morning"]["documented"]["never"] == 3
