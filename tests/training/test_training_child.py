"""TRL really trains a tiny model: the loss is on the answers, it falls, and a stop changes nothing.

`scripts/test-model tests/training` brings what is needed; else these are left out.
"""

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from appliance.config import Settings, TrainingSettings
from appliance.training.options import GrpoOptions, LiveOptions, SftOptions
from appliance.training.rollouts import (
    RolledOutAttempt,
    RolloutRequest,
    Rollouts,
    TokenExchange,
    digest_of,
    read_request,
    read_rollouts,
)
from appliance.training.runs import TrainingRun
from appliance.training.supervision import train, trainer_python

pytestmark = [pytest.mark.model, pytest.mark.timeout(900)]
OPTIONS = SftOptions(
    form="short",
    method="full",
    dtype="float32",
    learning_rate=1e-2,
    batch=2,
    max_steps=6,
    warmup_steps=0,
    every=3,
    patience=0,
    examined=4,
    answer_tokens=8,
)


@pytest.fixture
def python(model_python) -> Path:
    return model_python


def losses(run: TrainingRun) -> dict[float, float]:
    return {line["step"]: line["loss"] for line in run.curves() if "loss" in line}


async def test_the_loss_is_on_the_answers_falls_and_is_the_same_after_a_stop(python, begin_tiny):
    settings = Settings(training=TrainingSettings(python=python))
    assert trainer_python(settings) == python
    straight = begin_tiny("sft", OPTIONS, "straight")
    assert (await train(straight, settings, python, lambda _: None)).state == "done"
    curve = losses(straight)
    assert list(curve) == [1, 2, 3, 4, 5, 6]
    assert curve[6] < curve[1]
    assert straight.adapter.is_dir()
    (lengths,) = [line for line in straight.curves() if "answer_tokens" in line]
    assert 0 < lengths["answer_tokens"] < 0.25 * lengths["all_tokens"]
    assert lengths["trained_tokens"] == lengths["answer_tokens"]
    answers = (straight.folder / "answers.jsonl").read_text().splitlines()
    assert len(answers) == 4 * 3  # the base, and twice on the way

    stopped = begin_tiny("sft", OPTIONS, "stopped")

    def stop(status) -> None:
        if status.step == 3:
            stopped.ask_to_stop()

    halted = await train(stopped, settings, python, stop)
    if halted.state == "stopped":  # else it was done before it was looked at
        assert (await train(stopped, settings, python, lambda _: None)).state == "done"
    assert losses(stopped) == pytest.approx(curve, rel=1e-4)


async def test_two_processes_train_together_and_stop_at_the_same_step(python, begin_tiny):
    settings = Settings(training=TrainingSettings(python=python))
    options = OPTIONS.model_copy(update={"gpus": 2, "shared_by": "ddp", "batch": 1})
    straight = begin_tiny("sft", options, "straight")
    assert (await train(straight, settings, python, lambda _: None)).state == "done"
    curve = losses(straight)
    assert list(curve) == [1, 2, 3, 4, 5, 6]  # each told once
    alone = begin_tiny("sft", OPTIONS, "alone")  # a batch of as many samples
    await train(alone, settings, python, lambda _: None)
    assert curve == pytest.approx(losses(alone), rel=1e-3)
    assert len((straight.folder / "answers.jsonl").read_text().splitlines()) == 4 * 3
    assert any(straight.adapter.glob("*.safetensors"))

    stopped = begin_tiny("sft", options, "stopped")
    halted = await train(stopped, settings, python, lambda _: stopped.ask_to_stop())
    if halted.state == "stopped":
        assert (await train(stopped, settings, python, lambda _: None)).state == "done"
    assert losses(stopped) == pytest.approx(curve, rel=1e-4)


async def test_a_training_too_short_to_be_examined_on_the_way_is_examined_in_the_end(
    python, begin_tiny
):
    settings = Settings(training=TrainingSettings(python=python))
    short = OPTIONS.model_copy(update={"max_steps": 1, "every": 100, "examines_base": False})
    run = begin_tiny("sft", short, "short")
    status = await train(run, settings, python, lambda _: None)
    assert (status.state, status.best is not None) == ("done", True)
    assert [line["step"] for line in run.curves() if "eval_exact_action" in line] == [1]
    assert run.adapter.is_dir()


@pytest.mark.parametrize("gpus", [1, 2])
async def test_answers_are_reinforced_in_groups(python, begin_tiny, gpus):
    settings = Settings(training=TrainingSettings(python=python))
    options = GrpoOptions(
        form="short",
        dtype="float32",
        group=4,
        questions=2,
        gpus=gpus,
        learning_rate=1e-3,
        max_steps=2,
        every=2,
        examined=4,
        answer_tokens=8,
    )
    run = begin_tiny("grpo", options)
    assert (await train(run, settings, python, lambda _: None)).state == "done"
    steps = [line for line in run.curves() if "worth" in line]
    assert [line["step"] for line in steps] == [1, 2]
    for line in steps:
        assert line["worth"] < 0  # noise is no answer
        assert {"kl", "entropy", "groups_with_spread", "completions/mean_length"} <= set(line)
        assert abs(line["reward"]) < 1e-3  # what TRL is given is normalised
    assert (run.adapter / "adapter_model.safetensors").exists()


QUESTION, GOOD, BAD = [7, 8, 9, 10, 11], [20, 21, 0], [30, 31, 0]


class Attempts:
    """Stands for the console: one answer always gets there, the other never."""

    def __init__(self, run: TrainingRun, python: Path) -> None:
        self._run, self._python = run, python
        self.asked: list[RolloutRequest] = []

    async def __call__(self) -> None:
        while True:
            asked = read_request(self._run.folder)
            if asked is not None and read_rollouts(self._run.folder, asked) is None:
                self.asked.append(asked)
                await asyncio.to_thread(self._answer, asked)
            await asyncio.sleep(0.1)

    def _answer(self, asked: RolloutRequest) -> None:
        said = self.likelihood(asked.adapter)
        if asked.validates:  # it does best after two steps
            figures = {"validation_success": {0: 0.2, 1: 0.4, 2: 0.9, 3: 0.5}[asked.step]}
            given = {"step": asked.step, "digest": asked.digest, "attempts": []}
            Rollouts(**given, figures=figures, validates=True).write(self._run.folder)
            return
        attempts = [
            RolledOutAttempt(
                task="t",
                reward=reward,
                advantage=2 * reward - 1,
                why="",
                exchanges=[TokenExchange(prompt=QUESTION, answer=ids, logprobs=logprobs, said="")],
            )
            for reward, ids, logprobs in zip((1.0, 0.0), (GOOD, BAD), said, strict=True)
        ]
        figures = {"live_attempts": 2.0}
        made = Rollouts(step=asked.step, digest=asked.digest, attempts=attempts, figures=figures)
        made.write(self._run.folder)

    def likelihood(self, adapter: object) -> list[list[float]]:
        program = Path(__file__).with_name("likelihood.py")
        told = (json.dumps(QUESTION), json.dumps([GOOD, BAD]))
        command = (self._python, program, self._run.file.base, str(adapter), *told)
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


@pytest.mark.parametrize("gpus", [1, 2])
async def test_rewarded_attempts_become_likelier_and_each_step_has_its_own_policy(
    python, begin_tiny, gpus
):
    settings = Settings(training=TrainingSettings(python=python))
    options = LiveOptions(
        form="short",
        dtype="float32",
        group=2,
        questions=1,
        rows=4,
        rows_at_once=2,
        gpus=gpus,
        learning_rate=1e-2,
        max_steps=3,
        every=1,
        validated=2,
        examined=4,
        answer_tokens=8,
    )
    run = begin_tiny("live", options)
    console = Attempts(run, python)
    status = await train(run, settings, python, lambda _: None, console)
    assert status.state == "done", status.why
    learnt = [one for one in console.asked if not one.validates]
    assert [one.step for one in learnt] == [0, 1, 2]
    assert [one.step for one in console.asked if one.validates] == [0, 1, 2, 3]
    assert len({one.digest for one in learnt}) == 3
    assert digest_of(run.adapter) == learnt[2].digest  # the one that did best
    assert status.best == 0.9
    before = console.likelihood(learnt[2].adapter)
    after = console.likelihood(run.folder / "checkpoints" / "checkpoint-3")
    assert sum(after[0]) > sum(before[0])
    assert sum(after[1]) < sum(before[1])
    lines = run.curves()
    assert [line["step"] for line in lines if "live_attempts" in line] == [1, 2, 3]
    assert {"kl", "entropy", "loss"} <= {name for line in lines for name in line}
