"""TRL really trains a tiny model: the loss is on the answers, it falls, and a stop changes nothing.

`scripts/test-model tests/training` brings what is needed; else these are left out.
"""

import os
import subprocess
from pathlib import Path

import pytest

from appliance.config import Settings, TrainingSettings
from appliance.config.settings import AgentSettings
from appliance.training.collect import collect, write_collection
from appliance.training.options import GrpoOptions, SftOptions
from appliance.training.runs import TrainingRun, new_run
from appliance.training.samples import PromptForm, Sampler
from appliance.training.supervision import train, trainer_python
from tests.training.training_attempts import NOW, attempt, judged, turns

pytestmark = [pytest.mark.model, pytest.mark.timeout(900)]
SHORT = Sampler(forms=(PromptForm.SHORT,), agent=AgentSettings(), context_tokens=8192)
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


@pytest.fixture(scope="module")
def python() -> Path:
    program = os.environ.get("POLICY_VLLM")
    if not program:
        pytest.skip("no model's environment: scripts/test-model brings one")
    return Path(program).parent / "python"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("training") / "dataset"
    made = {"docs/a.md": attempt(), "docs/b.md": attempt(turns()[2:])}
    rows = [judged(document=name, artifact=name) for name in made]
    found = collect(rows, lambda name: made[name].to_json().encode(), SHORT)
    write_collection(found, folder, console="practice", held_out=("b.*",), now=NOW)
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory, python, dataset) -> Path:
    folder = tmp_path_factory.mktemp("training") / "base"
    maker = Path(__file__).with_name("make_tiny_text.py")
    subprocess.run([python, maker, folder, dataset], check=True)
    return folder


@pytest.fixture
def begin(tmp_path, base, dataset):
    def begin(options: SftOptions | GrpoOptions, name: str) -> TrainingRun:
        return new_run(
            tmp_path / name,
            kind="sft" if isinstance(options, SftOptions) else "grpo",
            base=base,
            dataset=dataset,
            settings=options,
            threads=1,
            now=NOW,
        )

    return begin


def losses(run: TrainingRun) -> dict[float, float]:
    return {line["step"]: line["loss"] for line in run.curves() if "loss" in line}


async def test_the_loss_is_on_the_answers_falls_and_is_the_same_after_a_stop(python, begin):
    settings = Settings(training=TrainingSettings(python=python))
    assert trainer_python(settings) == python
    straight = begin(OPTIONS, "straight")
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

    stopped = begin(OPTIONS, "stopped")

    def stop(status) -> None:
        if status.step == 3:
            stopped.ask_to_stop()

    halted = await train(stopped, settings, python, stop)
    if halted.state == "stopped":  # else it was done before it was looked at
        assert (await train(stopped, settings, python, lambda _: None)).state == "done"
    assert losses(stopped) == pytest.approx(curve, rel=1e-4)


async def test_answers_are_reinforced_in_groups(python, begin):
    settings = Settings(training=TrainingSettings(python=python))
    options = GrpoOptions(
        form="short",
        dtype="float32",
        group=4,
        questions=2,
        learning_rate=1e-3,
        max_steps=2,
        every=2,
        examined=4,
        answer_tokens=8,
    )
    run = begin(options, "grpo")
    assert (await train(run, settings, python, lambda _: None)).state == "done"
    steps = [line for line in run.curves() if "worth" in line]
    assert [line["step"] for line in steps] == [1, 2]
    for line in steps:
        assert line["worth"] < 0  # noise is no answer
        assert {"kl", "entropy", "groups_with_spread", "completions/mean_length"} <= set(line)
        assert abs(line["reward"]) < 1e-3  # what TRL is given is normalised
    assert (run.adapter / "adapter_model.safetensors").exists()
