"""What is told to those who watch, without browsers."""

import asyncio

import pytest

from appliance.core.clock import SystemClock
from appliance.core.events import AttemptStarted, ProcedureStarted, StepFinished
from appliance.core.result import ArtifactRef
from appliance.core.verdict import StepStatus
from appliance.engine import live
from appliance.engine.live import Live
from appliance.engine.problems import UnknownRun


def status(run_id: str) -> dict[str, object]:
    if run_id == "unknown":
        raise UnknownRun(run_id)
    return {"id": run_id, "state": "done" if run_id == "over" else "waiting"}


@pytest.fixture
def watched() -> Live:
    return Live(SystemClock(), status)


def step(index: int, run_id: str = "r") -> StepFinished:
    return StepFinished(
        run_id=run_id,
        procedure_id="p",
        attempt=1,
        step=str(index),
        status=StepStatus.AS_WRITTEN,
        text=f"Click {index}.",
        picture=ArtifactRef("a" * 64, "image/jpeg", index),
    )


async def take(events, count: int) -> list[live.LiveEvent]:
    async with asyncio.timeout(5):
        return [await anext(events) for _ in range(count)]


async def test_who_comes_back_goes_on_where_it_was_or_sees_how_it_stands(watched):
    (snapshot,) = await take(events := watched.follow("r"), 1)
    assert (snapshot.name, snapshot.data) == (
        "snapshot",
        {"status": {"id": "r", "state": "waiting"}, "procedures": []},
    )
    for index in range(1, 4):
        watched(step(index))
        watched(step(index, run_id="another"))
    seen = await take(events, 3)
    assert [event.data["step"] for event in seen] == ["1", "2", "3"]
    assert await take(watched.follow("r", after=seen[0].id), 2) == seen[1:]
    assert [e.name for e in await take(watched.follow("r", after="0-7"), 1)] == ["snapshot"]
    watched._ring = type(watched._ring)(watched._ring, maxlen=2)
    assert [e.name for e in await take(watched.follow(after=seen[0].id), 1)] == ["snapshot"]


async def test_it_knows_what_a_browser_is_busy_with(watched):
    watched(ProcedureStarted(run_id="r", procedure_id="p", title="Create"))
    watched(step(4))
    (busy,) = watched._busy.values()
    assert (busy.title, busy.step, busy.step_text, busy.picture.size) == (
        "Create",
        "4",
        "Click 4.",
        4,
    )
    watched(AttemptStarted(run_id="r", procedure_id="p", attempt=2))
    assert [(one.attempt, one.step) for one in watched._busy.values()] == [(2, "")]
    watched.leave("r")
    assert not watched._busy


async def test_it_comes_to_an_end(watched):
    assert [e.name for e in [e async for e in watched.follow("over")]] == ["snapshot"]
    with pytest.raises(UnknownRun):
        await anext(watched.follow("unknown"))
    events = watched.follow()
    await anext(events)
    waiting = asyncio.create_task(anext(events, None))
    await asyncio.sleep(0)
    watched.close()
    async with asyncio.timeout(5):
        assert await waiting is None
