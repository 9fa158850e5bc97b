"""The night: what packing it costs a plan, and how near its forecast comes to a real one."""

import asyncio
import os
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from appliance.cli._local import planner
from appliance.config import (
    AccountSettings,
    BrowserSettings,
    ConsoleSettings,
    Settings,
    SweepSettings,
    VerificationSettings,
)
from appliance.core.verdict import PolicyChoice
from appliance.documents import DocumentOutline, ProcedureOutline
from appliance.engine.engine import Engine, EngineOptions, open_local_engine
from appliance.engine.forecast import NightForecast, Wish, forecast
from appliance.engine.night import Accounts
from appliance.engine.plan import History, Planning, make_plan
from appliance.engine.request import RunKind, RunRequest
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.sweeps import PastResult, Spent

_PRODUCTS, _LANES, _ACCOUNTS, _SCARCE = 270, 200, 200, 10
_NOW = datetime(2026, 11, 21, tzinfo=UTC)
_IN_A_DOCUMENT = 5


@dataclass(frozen=True, slots=True)
class PackingRow:
    """A plan of so many procedures that all are due, of which the night reaches about half."""

    procedures: int
    cpu_s: float
    not_tonight: int


@dataclass(frozen=True, slots=True)
class NightRow:
    """A real night beside what was said of it."""

    forecast_s: float
    took_s: float
    waits_for: str

    @property
    def ratio(self) -> float:
        """Of what was said to what it took."""
        return self.forecast_s / self.took_s


@dataclass(frozen=True, slots=True)
class NightFigures:
    """Of some nights, each forecast from those before it."""

    procedures: int
    at_a_time: int
    load: float
    """Of the machine in the minute before."""
    rows: tuple[NightRow, ...]


def measure_packing(sizes: tuple[int, ...]) -> Iterator[PackingRow]:
    """The processor time of the plan alone: nothing is read, and history is at hand."""
    for size in sizes:
        documents = tuple(_documents(size))
        chosen = [p for document in documents for p in document.procedures]
        history = _history(chosen)
        work_s = sum(one.seconds for one in history.spent.values())
        by = Planning(
            history=history,
            settings=SweepSettings(),
            lanes=_LANES,
            now=_NOW,
            accounts=Accounts("lab", _console("http://127.0.0.1:9", Path("password"))),
            deadline=_NOW,
            deadline_s=work_s / _LANES / 2,
        )
        began = time.process_time()
        plan = make_plan(documents, chosen, by)
        cpu_s = time.process_time() - began
        assert len(plan.items) == size
        yield PackingRow(size, round(cpu_s, 2), len(plan.not_tonight))


def _documents(procedures: int) -> Iterator[DocumentOutline]:
    for number in range(0, procedures, _IN_A_DOCUMENT):
        outlines = tuple(
            ProcedureOutline(
                id=f"p{n}",
                title=f"Procedure {n}",
                line=1,
                language="en",
                text_hash=f"h{n}",
                account="admin" if n % 20 == 0 else "",
            )
            for n in range(number, min(number + _IN_A_DOCUMENT, procedures))
        )
        path = f"product-{number % _PRODUCTS}/{number}.md"
        yield DocumentOutline(path, "markdown", "r", "Document", outlines)


def _history(procedures: list[ProcedureOutline]) -> History:
    """Nine of ten were carried out more than a week ago, some seconds to some minutes long."""
    chance = random.Random(1)
    past = {
        one.id: PastResult(
            verdict=chance.choice(["verified", "drifted"]),
            saved_at=_NOW - timedelta(days=chance.uniform(8, 14)),
            revision="r",
            text_hash=one.text_hash,
        )
        for one in procedures
        if chance.random() < 0.9
    }
    spent = {id: Spent(seconds=chance.lognormvariate(3, 0.6)) for id in past}
    return History(past=past, spent=spent, typical=Spent(seconds=20.0))


def _console(url: str, password: Path, members: int = _ACCOUNTS) -> ConsoleSettings:
    roles = ["member"] * members + ["admin"] * _SCARCE
    accounts = {
        f"user{n:02}": AccountSettings(username=f"user{n:02}", password_file=password, role=role)
        for n, role in enumerate(roles, 1)
    }
    return ConsoleSettings(kind="practice", url=url, accounts=accounts)


_CREATE = """\
## Create the {0} bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Bucket name** field, enter `{0}-bucket`.
4. Click **Create**.
"""
_OPEN = """\
## Open bucket {0}

1. Open **Products** > **Buckets**.
2. Click the name of the bucket.
"""
_CHECKS = """\
  open-bucket-{0}:
    needs: [{{bucket: {{name: "{0}-${{unique}}"}}}}]
    bindings: {{bucket: "{0}-${{unique}}"}}
"""
_NAMES = ("ant", "bee", "cat", "dog", "elk", "fox")
_AT_A_TIME = 2


def measure_forecast(folder: Path, nights: int) -> NightFigures:
    """One night in a practice cloud to measure, and so many that are forecast and then real."""
    guide = folder / "guide.md"
    parts = [text.format(name) for name in _NAMES for text in (_CREATE, _OPEN)]
    guide.write_text("# Buckets\n\n" + "\n".join(parts))
    checks = "procedures:\n" + "".join(map(_CHECKS.format, _NAMES))
    guide.with_name("guide.checks.yaml").write_text(checks)
    load = os.getloadavg()[0]
    with serving(PracticeSettings(release="2025.1", settle_s=0.2, accounts=30)) as cloud:
        (folder / "password").write_text(cloud.password)
        settings = Settings(
            data_dir=folder / "data",
            console="lab",
            consoles={"lab": _console(cloud.url, folder / "password", members=3)},
            browser=BrowserSettings(pool_size=_AT_A_TIME),
            verification=VerificationSettings(parallel=_AT_A_TIME),
        )
        rows = asyncio.run(_nights(settings, guide, nights))
    return NightFigures(len(parts), _AT_A_TIME, round(load, 1), tuple(rows))


async def _nights(settings: Settings, guide: Path, nights: int) -> list[NightRow]:
    request = RunRequest(
        kind=RunKind.SWEEP, documents=(guide,), patterns=("*",), policy=PolicyChoice.LITERAL
    )
    rows = []
    async with open_local_engine(settings, "lab", EngineOptions(is_open=True)) as engine:
        await _night(engine, request)
        for _ in range(nights):
            said = await asyncio.to_thread(_forecast, engine, request)
            rows.append(NightRow(said.seconds, await _night(engine, request), said.waits_for))
    return rows


def _forecast(engine: Engine, request: RunRequest) -> NightForecast:
    with planner(engine.settings, engine.store) as plans:
        return forecast(plans, request, Wish())


async def _night(engine: Engine, request: RunRequest) -> float:
    """Seconds from its beginning to its last verdict."""
    row = await engine.keep(request)
    run = await engine.run(row)
    return (run.ended_at - run.started_at).total_seconds()


def packing_lines(rows: tuple[PackingRow, ...]) -> Iterator[str]:
    """The figures for people."""
    for row in rows:
        yield (
            f"  deciding and packing {row.procedures:7,} procedures  CPU {row.cpu_s:6} s"
            f"  {row.not_tonight:7,} not tonight"
        )


def lines(figures: NightFigures) -> Iterator[str]:
    """The figures for people."""
    yield (
        f"{figures.procedures} procedures in the practice cloud, {figures.at_a_time} at a time;"
        f" load of the machine before: {figures.load}"
    )
    for row in figures.rows:
        yield (
            f"  forecast {row.forecast_s:6.1f} s  took {row.took_s:6.1f} s"
            f"  {row.ratio:5.2f} of it, waits for {row.waits_for}"
        )
