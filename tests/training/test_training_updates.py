"""Updates on attempts that were made already, on a tiny real model: WebRL's, DPO, outcomes.

`scripts/test-model tests/training` brings what is needed; else these are left out.
"""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from appliance.config import Settings, TrainingSettings
from appliance.training.collect import Collected, collect, write_collection
from appliance.training.errors import TrainingError
from appliance.training.judge_options import JudgeOptions
from appliance.training.kinds import Stage
from appliance.training.options import SftOptions
from appliance.training.outcomes import outcome_samples
from appliance.training.rollouts import RolledOutAttempt, Rollouts, TokenExchange
from appliance.training.runs import TrainingRun, new_run
from appliance.training.supervision import train
from appliance.training.update_options import DpoOptions, KlOptions
from tests.training.conftest import SHORT
from tests.training.training_attempts import NOW, judged, turns
from tests.training.training_attempts import attempt as attempt_of

pytestmark = [pytest.mark.model, pytest.mark.timeout(900)]
EASY, HARD = [7, 8, 9, 10, 11], [40, 41, 42, 43, 44]
GOOD, BAD = [20, 21, 0], [30, 31, 0]
TOLD = {
    "form": "short",
    "dtype": "float32",
    "batch": 4,
    "every": 100,
    "examined": 2,
    "answer_tokens": 8,
    "learning_rate": 1e-2,
    "epochs": 6,
}


@pytest.fixture
def settings(model_python) -> Settings:
    return Settings(training=TrainingSettings(python=model_python))


@pytest.fixture
async def last_phase(begin_tiny, settings) -> Path:
    """An adapter that is far from the base."""
    options = SftOptions(
        form="short",
        dtype="float32",
        learning_rate=5e-2,
        max_steps=4,
        warmup_steps=0,
        every=4,
        examines_base=False,
        examined=2,
        answer_tokens=8,
    )
    run = begin_tiny("sft", options)
    await train(run, settings, settings.training.python, lambda _: None)
    return run.adapter


def attempt(
    prompt: Sequence[int], answer: Sequence[int], reward: float, task: str
) -> RolledOutAttempt:
    turn = TokenExchange(
        prompt=prompt, answer=answer, logprobs=[0.0] * 3, said=str(answer), state=str(prompt)
    )
    return RolledOutAttempt(task=task, reward=reward, advantage=0.0, why="", exchanges=[turn])


@pytest.fixture
def rolled_out(tmp_path) -> Path:
    """What is easy always goes well; what is hard mostly does not."""
    folder = tmp_path / "rolled-out"
    folder.mkdir()
    made = [attempt(EASY, GOOD, 1.0, "easy")] * 4 + [attempt(HARD, GOOD, 1.0, "hard")]
    made += [attempt(HARD, BAD, -0.1, "hard")] * 3
    Rollouts(step=0, digest="d", attempts=made).write(folder)
    return folder


def likelihood(run: TrainingRun, python: Path, adapter: Path) -> list[float]:
    """Of the good and the bad answer to what is hard."""
    program = Path(__file__).with_name("likelihood.py")
    told = (json.dumps(HARD), json.dumps([GOOD, BAD]))
    command = (python, program, run.file.base, str(adapter), *told)
    done = subprocess.run(command, check=True, capture_output=True)
    return [sum(one) for one in json.loads(done.stdout)]


async def test_the_policy_is_fitted_to_advantages_near_the_last_phases(
    begin_tiny, settings, last_phase, rolled_out
):
    python = settings.training.python
    options = KlOptions(
        **TOLD,
        begin_with=str(last_phase),
        rollouts=str(rolled_out),
        replay=str(rolled_out),
        replay_above=0.0,
        replay_up_to=1.0,
        critic_epochs=40,
        critic_learning_rate=3e-3,
    )
    run = begin_tiny("kl", options)
    status = await train(run, settings, python, lambda _: None)
    assert status.state == "done", status.why
    rows = json.loads((run.folder / "learnt.json").read_text())
    assert len(rows) == 8 + 2  # and one success of each task once more
    # the reference is what it began with, not the base
    good, bad = likelihood(run, python, last_phase)
    of_hard = {tuple(row["answer"]): row for row in rows[:8] if row["prompt"] == HARD}
    assert of_hard[*GOOD]["last"] == pytest.approx(good, abs=1e-3)
    assert of_hard[*BAD]["last"] == pytest.approx(bad, abs=1e-3)
    # the critic knows what is easy: to get there is worth more where it is not
    (easy,) = {row["advantage"] for row in rows[:8] if row["prompt"] == EASY}
    assert of_hard[*GOOD]["advantage"] > easy + 0.3
    assert of_hard[*BAD]["advantage"] < -0.05
    last = run.folder / "checkpoints" / f"checkpoint-{status.of}"
    good_after, bad_after = likelihood(run, python, last)
    assert good_after > good
    assert bad_after < bad
    # as far as the advantage says, and no farther
    assert good_after - good < 2 * of_hard[*GOOD]["advantage"]
    figures = {name for line in run.curves() for name in line}
    assert {"critic_loss", "critic_right", "log_ratio", "replayed", "eval_exact_action"} <= figures


async def test_better_answers_are_preferred(begin_tiny, settings, last_phase, rolled_out):
    python = settings.training.python
    run = begin_tiny(
        "dpo", DpoOptions(**TOLD, begin_with=str(last_phase), rollouts=str(rolled_out))
    )
    status = await train(run, settings, python, lambda _: None)
    assert status.state == "done", status.why
    assert run.curves()[0]["pairs"] == 1
    last = run.folder / "checkpoints" / f"checkpoint-{status.of}"
    before, after = likelihood(run, python, last_phase), likelihood(run, python, last)
    assert after[0] - after[1] > before[0] - before[1] + 0.3
    margins = [line["rewards/margins"] for line in run.curves() if "rewards/margins" in line]
    assert margins[0] == pytest.approx(0, abs=1e-3)  # held against what it began with
    assert margins[-1] > 0


async def test_without_a_failure_there_is_nothing_to_tell_apart(
    begin_tiny, settings, last_phase, tmp_path
):
    folder = tmp_path / "all-well"
    folder.mkdir()
    Rollouts(step=0, digest="d", attempts=[attempt(EASY, GOOD, 1.0, "a")]).write(folder)
    told = TOLD | {"begin_with": str(last_phase), "rollouts": str(folder)}
    for kind, options, why in (
        ("kl", KlOptions(**told), "a critic has to tell them"),
        ("dpo", DpoOptions(**told), "no pair"),
    ):
        with pytest.raises(TrainingError, match=why):
            await train(
                begin_tiny(kind, options), settings, settings.training.python, lambda _: None
            )


@pytest.fixture
def outcomes(tmp_path) -> Path:
    """Attempts that end on one page got there, those that end on another did not."""
    made = {True: attempt_of(turns()), False: attempt_of(turns()[:3])}
    rows = [
        replace(one, row=replace(one.row, audited=said))
        for name in ("a.md", "b.md", "c.md", "d.md", "e.md", "f.md")
        for said in made
        for one in [judged(document=f"docs/{name}", artifact=said)]
    ]
    found = Collected(
        samples=[
            replace(one, id=f"{one.id}{number}")
            for number, one in enumerate(
                outcome_samples(rows, lambda said: made[said].to_json().encode())
            )
        ]
    )
    folder = tmp_path / "outcomes"
    held_out = ("a.md", "b.md", "c.md", "d.md")
    write_collection(found, folder, console="practice", held_out=held_out, now=NOW)
    return folder


async def test_an_outcome_model_learns_what_audit_logs_said_and_is_measured_apart(
    tmp_path, settings, tiny_base, outcomes
):
    options = JudgeOptions(
        dtype="float32",
        learning_rate=2e-2,
        epochs=8,
        batch=2,
        warmup_steps=0,
        every=100,
        patience=0,
        examines_base=False,
    )
    run = new_run(
        tmp_path,
        kind="judge",
        base=tiny_base,
        dataset=outcomes,
        settings=options,
        threads=1,
        now=NOW,
    )
    status = await train(run, settings, settings.training.python, lambda _: None)
    assert status.state == "done", status.why
    told = json.loads((run.folder / "judge.json").read_text())
    assert told["accuracy"] == 1.0
    lines = [json.loads(one) for one in (run.folder / "outcomes.jsonl").read_text().splitlines()]
    parts = [
        {one["document"] for one in lines if one["measures"] is part} for part in (True, False)
    ]
    assert all(parts)  # what calibrates it does not measure it
    assert not parts[0] & parts[1]
    assert told["measured"] == sum(one["measures"] for one in lines)
    assert {one["label"]: one["yes"] > 0.5 for one in lines} == {True: True, False: False}


@pytest.fixture
def staged(tmp_path) -> Path:
    """What a page is called is a short question here, and turns of attempts are long."""
    rows = [judged(document=name, artifact=name) for name in ("docs/a.md", "docs/b.md")]
    found = collect(rows, lambda _: attempt_of().to_json().encode(), SHORT)
    question = json.dumps([{"role": "user", "content": "?"}])
    short = {"stage": Stage.RECOGNITION, "messages": question, "answer": "x"}
    samples = [replace(one, id=f"{one.document}{one.id}") for one in found.samples]
    found.samples = [*samples, *(replace(one, id=f"{one.id}r", **short) for one in samples)]
    folder = tmp_path / "dataset"
    write_collection(found, folder, console="practice", held_out=("b.*",), now=NOW)
    return folder


async def test_stages_are_learnt_one_after_the_other(tmp_path, settings, tiny_base, staged):
    options = SftOptions(
        form="short",
        dtype="float32",
        batch=1,
        epochs=2,
        warmup_steps=0,
        every=100,
        patience=1,
        examines_base=False,
        examined=1,
        answer_tokens=2,
    )
    run = new_run(
        tmp_path,
        kind="sft",
        base=tiny_base,
        dataset=staged,
        settings=options,
        threads=1,
        now=NOW,
    )
    status = await train(run, settings, settings.training.python, lambda _: None)
    assert status.state == "done", status.why
    told = [line["num_tokens"] for line in run.curves() if "loss" in line and "num_tokens" in line]
    lengths = [after - before for before, after in pairwise([0, *told])]
    half = len(lengths) // 2
    assert max(lengths[:half]) < min(lengths[half:])
