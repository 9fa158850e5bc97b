"""Documents, items and an engine without browsers, under a clock that a test turns."""

import asyncio
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.config import SweepSettings
from appliance.core.causes import Cause
from appliance.core.events import Event, Events, ProcedureFinished
from appliance.core.jsonable import json_object
from appliance.core.procedure import Document, Procedure
from appliance.core.resources import Lifetime, Phase
from appliance.core.result import Cost, Goal, ProcedureResult, RunResult
from appliance.core.verdict import Verdict
from appliance.documents import load_documents, outline_of
from appliance.engine.executor import Bounds, Executor
from appliance.engine.plan import History, Planning, make_plan
from appliance.engine.queue import Queue
from appliance.engine.request import StoredRequest
from appliance.engine.texts import Texts
from appliance.store.store import Store
from appliance.store.sweeps import ItemRow, SweepRow, SweepState
from appliance.store.writer import StoreWriter


class TurnedClock:
    """A clock that stands still until it is turned."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 21, 22, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return self.time.timestamp()

    def turn(self, **by: float) -> None:
        self.time += timedelta(**by)


def result_of(
    procedure: Procedure, document: Document, verdict: Verdict = Verdict.VERIFIED
) -> ProcedureResult:
    return ProcedureResult(
        id=procedure.id,
        title=procedure.title,
        title_path=procedure.title_path,
        document=document.path,
        line=procedure.span.line,
        end_line=procedure.span.end_line,
        verdict=verdict,
        goal=Goal(reached=True),
        path="as_written",
        decided_by="literal",
        attempts=1,
        cost=Cost(wall_s=10.0),
        steps=(),
    )


async def _nothing() -> None:
    """Nothing has to be completed."""


class Unhindered:
    """A console that nothing ever hinders."""

    def disk(self) -> None:
        return None

    async def still(self, cause: Cause) -> bool:
        return False

    async def behind(self, exc: BaseException) -> None:
        return None


UNBOUND = {
    "lanes": 2,
    "min_free_mib": 0.0,
    "closes": None,
    "deadline": None,
    "wish": lambda: None,
    "is_waiting": lambda item_id: False,
    "free_mib": lambda: 1e6,
    "obstacles": Unhindered(),
    "waits": True,
    "max_pause_minutes": 0.0,
    "clean_up": _nothing,
}
"""The bounds of a sweep that has none."""


class Lab:
    """A store, some documents, and sweeps over them."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.store = store
        self.clock = TurnedClock()
        self.folder = folder
        self.documents: list[Document] = []
        self.verifier = Verifier(self)
        self.events: list[Event] = []
        self.bus = Events(self.events.append, writer=StoreWriter(store))

    def write(self, *titles: str, name: str = "guide.md") -> None:
        parts = [f"## {title}\n\n1. Click **{title}**.\n" for title in titles]
        (self.folder / name).write_text("# Guide\n\n" + "\n".join(parts), encoding="utf-8")
        self.write_again(name)

    def write_again(self, name: str = "guide.md") -> None:
        self.documents = list(load_documents([self.folder / name]))

    def result(self, title: str) -> ProcedureResult:
        document = self.documents[0]
        return result_of(next(p for p in document.procedures if p.title == title), document)

    def plan(self, settings: SweepSettings | None = None, **more: object):
        with_store = History.read(self.store.sweeps, "lab")
        given = {"lanes": 1, "now": self.clock.now(), "history": with_store} | more
        documents = list(map(outline_of, self.documents))
        chosen = [p for d in documents for p in d.procedures]
        by = Planning(settings=settings or SweepSettings(), **given)
        return make_plan(documents, chosen, by)

    def start(self, sweep_id: str = "s1", settings: SweepSettings | None = None) -> None:
        request = StoredRequest(
            folder="/",
            documents=("guide.md",),
            checks=(),
            patterns=(),
            values={"a": "b"},
            policy="auto",
            console="lab",
        )
        row = SweepRow(
            id=sweep_id,
            console="lab",
            state=SweepState.WAITING,
            why="not begun",
            request=json_object(request),
            planned_at=self.clock.now(),
        )
        self.store.sweeps.add(row, self.plan(settings).items)
        run = RunResult(
            id=sweep_id,
            appliance_version="0",
            commit="",
            console="lab",
            policy="auto",
            started_at=self.clock.now(),
            ended_at=self.clock.now(),
            procedures=(),
            documents={d.path: d.revision for d in self.documents},
        )
        self.store.start_run(run, 0)

    def executor(self, sweep_id: str = "s1", **bounds: object) -> Executor:
        whole = {document.path: document for document in self.documents}
        texts = Texts(list(map(outline_of, self.documents)), whole.__getitem__)
        self.verifier.sweep_id = sweep_id
        queue = Queue(self.store.sweeps, sweep_id, self.clock)
        return Executor(
            self.verifier, queue, texts, Bounds(**UNBOUND | bounds), self.bus, self.clock
        )

    async def execute(self, sweep_id: str = "s1", **bounds: object):
        async with asyncio.timeout(10):
            return await self.executor(sweep_id, **bounds).execute(_nothing)

    def attempt(self, item: ItemRow, sweep_id: str = "s1") -> None:
        """It had an account and was begun."""
        now = self.clock.now()
        lifetime = Lifetime(
            id=secrets.token_hex(4),
            run_id=sweep_id,
            procedure_id=item.id,
            number=1,
            console="lab",
            account="alice",
            unique="cda000000",
            phase=Phase.EXECUTING,
            since=now,
            baseline=None,
            expires_at=now,
            started_at=now,
        )
        self.store.attempts.start(lifetime)

    def states(self, sweep_id: str = "s1") -> dict[str, str]:
        return {i.title: i.state.value for i in self.store.sweeps.items(sweep_id)}

    def state(self, sweep_id: str = "s1") -> SweepState:
        return self.store.sweeps.get(sweep_id).state


class Verifier:
    """In place of browsers: says what the test wants."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self.sweep_id = ""
        self.carried_out: list[str] = []
        self.locales: list[str] = []
        self.most = self.under_way = 0
        self.on_begin: Callable[[Procedure], object] = lambda procedure: None
        self.verdicts: dict[str, Verdict] = {}

    async def hindered(self, document, procedure, cause) -> ProcedureResult:
        result = replace(result_of(procedure, document, Verdict.BLOCKED), blocked_by=cause.text)
        await self._lab.bus.record(ProcedureFinished(run_id=self.sweep_id, result=result))
        return result

    async def procedure(self, document, procedure, locale="", region="") -> ProcedureResult:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            held = self.on_begin(procedure)
            if asyncio.iscoroutine(held):
                await held
            await asyncio.sleep(0)
        finally:
            self.under_way -= 1
        verdict = self.verdicts.get(procedure.title, Verdict.VERIFIED)
        result = result_of(procedure, document, verdict)
        await self._lab.bus.record(ProcedureFinished(run_id=self.sweep_id, result=result))
        self.carried_out.append(procedure.title)
        self.locales.append(locale)
        return result


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with Store.open(tmp_path / "data") as store:
        yield Lab(tmp_path, store)
