"""What a phase learns from: its own attempts in a practice cloud, with a scripted model."""

import shutil
from dataclasses import replace

import pytest

from appliance.benchmark.finding import load_suite
from appliance.cli._phase_operations import LocalOperations
from appliance.config import (
    AgentSettings,
    JudgeSettings,
    ModelSettings,
    PhaseSettings,
    Settings,
    VerificationSettings,
)
from appliance.inference.scripted import serving
from appliance.training.errors import TrainingError
from appliance.training.pairs import pairs_of
from appliance.training.phases.operations import AttemptsRequest, UpdateRequest
from appliance.training.phases.record import Series, SeriesFile
from appliance.training.rollouts import kept_attempts
from appliance.training.runs import TrainingRun, find_run
from tests.training.training_attempts import NOW

SUITE = load_suite("practice")
TASK = next(one for one in SUITE.tasks if one.id.startswith("instances/start-an-"))
WAY = ["1 click Products", "1 click Instances", "3 click Start", "done"]


@pytest.fixture
def operations(tmp_path, base, dataset):
    def operations(endpoint: str = "", **phases: object) -> LocalOperations:
        told = {"options": {"form": "short"}, "jobs": 1, "update": "kl"}
        file = SeriesFile(
            id="phases",
            begun_at=NOW,
            base=str(base),
            dataset=str(dataset),
            adapter="",
            settings=PhaseSettings(**(told | phases)),
            appliance="0",
            commit="",
        )
        settings = Settings(
            data_dir=tmp_path,
            model=ModelSettings(endpoint=endpoint, takes_images="no"),
            agent=AgentSettings(form="short", answer_tokens=32),
            judges=JudgeSettings(count=0),
            verification=VerificationSettings(max_actions=6),
        )
        return LocalOperations(Series(tmp_path, file), settings)

    return operations


@pytest.mark.timeout(600)
def test_kl_and_dpo_learn_from_the_phases_own_attempts_by_their_labels(tmp_path, base, operations):
    answers = iter(WAY)  # then none that can be used
    suite = replace(SUITE, tasks=(TASK,))
    with serving(lambda _: next(answers, "let me see")) as model:
        acting = operations(model.url)
        asked = [AttemptsRequest(suite=suite, runs=1, seed=n, temperature=1.0) for n in (1, 2)]
        tried = [acting.attempt(one) for one in asked]
    phase = tmp_path / "2"
    phase.mkdir()
    update = UpdateRequest(
        suite=phase / "suite.yaml",
        adapter=str(base),
        roll_outs=tuple(tried),
        kept=(TASK.id,),
        replay=(tmp_path / "1",),
        folder=phase,
    )

    def begun(changed: UpdateRequest = update, **phases: object) -> TrainingRun:
        return find_run(tmp_path, operations(**phases).begin(changed))

    first = begun(perplexity_band=False)
    well, missed = kept_attempts(phase)
    assert [one.said for one in well.exchanges] == WAY
    assert {one.said for one in missed.exchanges} == {"let me see"}
    assert (well.reward, missed.reward) == (1.0, 0.0)
    assert all(one.prompt and one.answer for one in (*well.exchanges, *missed.exchanges))
    # what ended the other was said on the very page on which the first went on
    assert len(pairs_of([well, missed])) == 1
    told = first.file.settings
    assert (first.file.kind, told["begin_with"]) == ("kl", str(base))
    assert (told["rollouts"], told["replay"]) == ([str(phase)], [str(tmp_path / "1")])
    assert (told["replay_above"], told["replay_up_to"]) == (0.0, 1.0)
    shutil.rmtree(first.folder)  # two of a second have the same name
    told = begun().file.settings
    assert (told["replay_above"], told["replay_up_to"]) == (0.5, 0.95)
    assert begun(update="dpo").file.settings["rollouts"] == [str(phase)]

    for changed, kind, why in (
        (
            {"roll_outs": (tried[0],)},
            "kl",
            "learn from 1 attempt: .*a critic has to tell them apart",
        ),
        ({"roll_outs": (tried[1],)}, "dpo", "no task was both done and missed"),
        ({"kept": ("another",)}, "kl", "learn from 0 attempts: "),  # nothing was tried that counts
    ):
        with pytest.raises(TrainingError, match=why):
            begun(replace(update, **changed), update=kind)
