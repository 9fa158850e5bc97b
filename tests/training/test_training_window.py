"""Trainings by the clock: real processes that train nothing, beside an engine that may be busy."""

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from appliance.config import ModelSettings, Settings, TrainingSettings
from appliance.core.clock import SystemClock
from appliance.engine.models import Model
from appliance.store.schedules import ScheduleOutcome
from appliance.training import window as by_the_clock
from appliance.training.supervision import TrainingError, train
from appliance.training.window import TrainingWindow, next_put_off

PYTHON = Path(sys.executable)


class Engine:
    """Stands for the engine: busy when it is told to be."""

    is_working = False
    model = Model(ModelSettings())


@pytest.fixture
def engine(monkeypatch):
    monkeypatch.setattr(by_the_clock, "_LOOK_EVERY_S", 0.05)
    return Engine()


@pytest.fixture
def window(engine, tmp_path):
    settings = Settings(data_dir=tmp_path)
    return TrainingWindow(
        engine=engine,
        settings=settings,
        clock=SystemClock(),
        carry_on=lambda run: train(run, settings, PYTHON, lambda _: None),
    )


def within(seconds: float):
    return SystemClock().now() + timedelta(seconds=seconds)


async def test_what_was_put_off_is_carried_on_to_its_end(window, begin, tmp_path):
    run = begin()
    end = await window(within(60))
    assert (end.outcome, "--later" in end.why) == (ScheduleOutcome.SKIPPED, True)
    run.put_off()
    assert run.status.state == "waiting"  # and not dead
    end = await window(within(60))
    assert end.outcome is ScheduleOutcome.DONE
    assert end.why.startswith(f"training {run.file.id} is done")
    assert run.status.state == "done"
    assert next_put_off(tmp_path) is None


async def test_when_the_time_is_over_it_waits_for_the_next(window, begin, tmp_path):
    run = begin(max_steps=200, step_s=0.05)
    run.put_off()
    end = await window(within(3))
    assert 0 < run.status.step < 200
    why = f"training {run.file.id} is at step {run.status.step} of 200, and goes on the next time"
    assert (end.outcome, end.why) == (ScheduleOutcome.DONE, why)
    assert next_put_off(tmp_path) == run


async def test_runs_have_priority_and_it_goes_on_after_them(window, engine, begin):
    run = begin(max_steps=60, step_s=0.05)
    run.put_off()
    training = asyncio.ensure_future(window(within(60)))
    while run.status.step < 2:
        await asyncio.sleep(0.02)
    engine.is_working = True
    while run.status.state != "stopped":
        await asyncio.sleep(0.02)
    left = run.status.step
    await asyncio.sleep(0.5)
    assert (run.status.state, run.status.step) == ("stopped", left)
    engine.is_working = False
    assert "is done" in (await training).why
    assert [line["step"] for line in run.curves()] == list(range(1, 61))  # nothing twice


async def test_what_fails_is_not_tried_again_by_itself(window, begin, tmp_path):
    run = begin(fails_at=2)
    run.put_off()
    with pytest.raises(TrainingError, match="the loss is no number at step 2"):
        await window(within(60))
    assert next_put_off(tmp_path) is None


async def test_a_server_that_stops_leaves_a_checkpoint_and_it_goes_on_later(
    window, begin, tmp_path
):
    run = begin(max_steps=200, step_s=0.05)
    run.put_off()
    training = asyncio.ensure_future(window(within(60)))
    while run.status.step < 2:
        await asyncio.sleep(0.02)
    training.cancel()
    with pytest.raises(asyncio.CancelledError):
        await training
    assert run.status.state == "stopped"
    assert next_put_off(tmp_path) == run


async def test_a_training_with_gpus_of_its_own_leaves_the_model_awake(engine, begin, tmp_path):
    lent = []

    class Lent(Model):
        def lent(self):
            lent.append(True)
            return super().lent()

    engine.model = Lent(ModelSettings())
    for own in ({}, {"CUDA_VISIBLE_DEVICES": "1"}):
        training = TrainingSettings(environment=own)
        settings = Settings(data_dir=tmp_path, training=training)
        run = begin(max_steps=1)
        run.put_off()
        window = TrainingWindow(
            engine=engine,
            settings=settings,
            clock=SystemClock(),
            carry_on=lambda run, of=settings: train(run, of, PYTHON, lambda _: None),
        )
        assert "is done" in (await window(within(60))).why
        (run.folder / "run.json").unlink()
        run.folder.rename(tmp_path / f"over-{len(own)}")
    assert lent == [True]
