"""The pages of benchmarks: results of suites, one of them, and two held against each other."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from appliance.benchmark.attribution import Blame, Shape
from appliance.benchmark.trials import (
    BenchmarkPolicy,
    BenchmarkResult,
    Level,
    Part,
    Setup,
    Split,
    Trial,
)
from appliance.core.result import Cost
from tests.server.test_dashboard_pages import page, text

TASKS = tuple(f"disks/task-{number}" for number in range(12))


def result(policy, successes, done=12):
    trials = tuple(
        Trial(
            task=task, run=1, release="2025.1", product="disks", language="en",
            level=Level.HARD if n % 2 else Level.STANDARD, split=Split.TRAIN, needs=n > 3,
            success=n < successes, reason="no CreateDisk event",
            blame=None if n < successes else Blame.AGENT,
            shape=None if n < successes else Shape.STUCK_MIDWAY,
            cost=Cost(wall_s=2.0, browser_s=1.5),
        )
        for n, task in enumerate(TASKS[:done])
    )  # fmt: skip
    return BenchmarkResult(
        id=f"practice-{policy}-1",
        appliance_version="0",
        commit="abc",
        figures={"pass_at_1": successes / 12, "low": 0.1, "high": 0.9} if done == 12 else {},
        setup=Setup(
            suite="practice", suite_version="1f", policy=policy, runs=1, seed=1, tasks=TASKS
        ),
        started_at=datetime(2026, 11, 26, tzinfo=UTC),
        parts=(Part(run=1, release="2025.1", is_over=done == 12),),
        trials=trials,
    )


@pytest.fixture
def folder(settings) -> Path:
    folder = settings.data_dir / "benchmarks"
    result(BenchmarkPolicy.LITERAL, 12).write(folder)
    result(BenchmarkPolicy.RANDOM, 1).write(folder)
    return folder


async def test_results_are_listed_beside_other_files(local, folder) -> None:
    (folder / "drift.json").write_text('{"recall": 0.5}', encoding="utf-8")
    said = text(await page(local, "/benchmarks"))
    assert "practice-literal-1" in said and "100.0 %" in said
    assert "recall 0.5" in said


async def test_a_result_has_its_figures_plots_and_failures(local, folder) -> None:
    html = await page(local, "/benchmarks/practice-random-1")
    said = text(html)
    assert "pass@1 8.33 %" in said
    assert "11 agent (stuck midway)" in said
    assert "no CreateDisk event" in said
    assert "disks/task-11" in said and "disks/task-0 " not in said
    chinese = text(await page(local, "/benchmarks/practice-random-1", **{"Accept-Language": "zh"}))
    assert "中途卡住" in chinese and "难度" in chinese
    assert (await local.get("/benchmarks/none")).status_code == 404


async def test_two_are_held_against_each_other(local, folder) -> None:
    asked = "/benchmarks/compare?first=practice-random-1&second=practice-literal-1"
    said = text(await page(local, asked))
    assert "The second is better." in said and "+91.7 points" in said
    said = text(await page(local, "/benchmarks/compare?first=practice-random-1&second=gone"))
    assert "there is no result 'gone'" in said


async def test_rest_tells_what_was_measured(local, folder) -> None:
    items = (await local.get("/api/v1/benchmarks")).json()["items"]
    about = {item["name"]: item["about"] for item in items}
    assert about["practice-random-1"]["figures"]["pass_at_1"] == pytest.approx(1 / 12)
    assert (about["practice-literal-1"]["trials"], about["practice-literal-1"]["planned"]) == (
        12,
        12,
    )
    whole = (await local.get("/api/v1/benchmarks/practice-literal-1")).json()
    assert len(whole["result"]["trials"]) == 12


async def test_a_page_follows_what_is_under_way(here: str, browser: Browser, folder) -> None:
    result(BenchmarkPolicy.ORACLE, 3, done=3).write(folder)
    tab = await browser.new_page()
    await tab.goto(f"{here}/benchmarks/practice-oracle-1")
    await expect(tab.locator(".progress-line")).to_contain_text("3 / 12")
    result(BenchmarkPolicy.ORACLE, 7, done=7).write(folder)
    await expect(tab.locator(".progress-line")).to_contain_text("7 / 12", timeout=9000)
