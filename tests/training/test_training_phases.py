"""Phases: the loop, its record, and that a process that is killed anywhere goes on where it was."""

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from appliance.benchmark.trials import BenchmarkResult
from appliance.cli._phase_operations import options_of_update
from appliance.config import PhaseSettings
from appliance.core.errors import SetupError
from appliance.training.child.folder import CURVES
from appliance.training.errors import TrainingError
from appliance.training.phases.record import Stage, all_series, find_series
from appliance.training.phases.shown import reasons, series_facts
from appliance.training.runs import find_run
from scripts.showing.phases import (
    ABLATIONS,
    UPDATES,
    Phases,
    as_table,
    compare_with_others,
    phase_settings,
    truth_of_estimates,
)
from tests.training.phase_operations import (
    SMALL,
    Becomes,
    ScriptedOperations,
    asked,
    run,
    series_in,
)
from tests.training.training_attempts import trained

ROOT = Path(__file__).parents[2]
TWO_TASKS = SMALL.model_copy(update={"tasks": 2, "made": 3, "drifts": 0, "count": 1})


def test_a_second_phase_begins_with_what_the_first_made_and_trained(tmp_path):
    operations = ScriptedOperations(tmp_path)
    series = run(series_in(tmp_path), operations)
    first, second = series.phases()
    assert series.is_over
    assert [one.stage for one in (first, second)] == [None, None]
    assert list(first.ended) == list(Stage)
    assert (first.adapter, second.adapter) == ("", first.trained)
    kept = {one.id for one in first.made if not one.left_out}
    assert kept
    assert kept <= set(second.seeds)
    assert all(one.estimate is not None for one in first.made if not one.left_out)
    # a policy is measured on held-out tasks once: after one phase, and not again before the next
    told = [one.split()[-1] for one in asked(tmp_path) if one.startswith("attempt")]
    assert len(told) == len(set(told))
    seeds = [one.split("-")[1] for one in told]
    assert max(map(seeds.count, seeds)) == 3  # the base's, the first's and the second's
    assert operations.updates[0].adapter == ""
    assert operations.updates[1].adapter == first.trained
    # learnt from: all that its policy has tried, at what was made as well
    for update, phase in zip(operations.updates, (first, second), strict=True):
        assert set(update.kept) == set(phase.kept)
        assert set(phase.kept) <= {t.task for one in update.roll_outs for t in one.trials}
    assert [update.replay for update in operations.updates] == [(), (series.folder_of(1),)]


def test_earlier_successes_are_not_learnt_from_again_where_that_is_switched_off(tmp_path):
    operations = ScriptedOperations(tmp_path)
    settings = TWO_TASKS.model_copy(update={"count": 2, "replay": False})
    run(series_in(tmp_path, settings), operations)
    assert [update.replay for update in operations.updates] == [(), ()]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "where",
    ["1/roll_out", ":attempt oracle", ":begin", ":train run-1", "1/decide"],
)
def test_a_process_that_is_killed_goes_on_where_it_was(tmp_path, where):
    series = series_in(tmp_path, TWO_TASKS)
    words = (sys.executable, "-m", "tests.training.phase_operations", str(tmp_path))
    killed = subprocess.run((*words, where), cwd=ROOT, check=False)
    assert killed.returncode == -9
    assert not series.is_over
    assert not series.is_running
    subprocess.run((*words, ""), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    whole = find_series(tmp_path, "")
    (phase,) = whole.phases()
    assert (whole.is_over, phase.stage) == (True, None)
    told = asked(tmp_path)
    tried = [one for one in told if one.startswith("attempt")]
    assert len(tried) - len(set(tried)) == (1 if "attempt" in where else 0)
    # killed between laying a training out and writing that down, one is left that nobody began
    assert told.count("train run-1") + told.count("train run-2") in (1, 2)


def test_two_processes_do_not_carry_on_the_same_phases(tmp_path):
    series = series_in(tmp_path, TWO_TASKS)
    with series.locked():
        assert series.is_running
        with pytest.raises(SetupError, match="runs already"):
            run(series, ScriptedOperations(tmp_path))


def test_it_stops_where_a_phase_is_not_better_or_only_where_it_is_worse(tmp_path):
    def worse(asked, task, run) -> str:
        is_held_out = task.split == "held-out"
        return "wrong" if is_held_out and asked.adapter else "right" if run % 2 else "wrong"

    settings = SMALL.model_copy(update={"drifts": 0, "made": 4, "tasks": 4})
    series = run(series_in(tmp_path, settings), ScriptedOperations(tmp_path, worse))
    (phase,) = series.phases()
    assert phase.decision.stops
    assert phase.decision.high < 0
    same = tmp_path / "same"
    same.mkdir()
    alike = settings.model_copy(update={"stops": "not_better", "curriculum": False})
    series = run(
        series_in(same, alike),
        ScriptedOperations(same, lambda a, t, n: "right" if n % 2 else "wrong"),
    )
    (phase,) = series.phases()
    assert "no gain is shown" in phase.decision.against[0]
    assert phase.made == ()  # switched off
    assert phase.kept == phase.seeds


def test_where_nothing_is_within_the_band_it_says_so_and_goes_on_once_that_is_changed(tmp_path):
    series = series_in(tmp_path, TWO_TASKS)
    with pytest.raises(TrainingError, match=r"none of .* tasks is within the band"):
        run(series, ScriptedOperations(tmp_path, lambda *_: "wrong"))
    assert series.phases()[0].stage is Stage.TRAIN
    (known,) = all_series(tmp_path)
    assert known.file.id == series.file.id
    off = tmp_path / "off"
    off.mkdir()
    wide = TWO_TASKS.model_copy(update={"success_band": False, "curriculum": False})
    assert run(series_in(off, wide), ScriptedOperations(off, lambda *_: "wrong")).is_over


def test_what_was_made_and_why_it_was_left_out_is_told_as_data(tmp_path):
    def become(asked, task, run) -> str:
        if asked.policy == "oracle":
            return "away" if "/" in task.id and len(task.id) % 2 else "right"
        return "right" if run == 1 else "wrong"

    settings = SMALL.model_copy(update={"made": 12, "count": 1})
    series = run(series_in(tmp_path, settings), ScriptedOperations(tmp_path, become))
    (phase,) = series_facts(series)["phases"]
    made = series.phases()[0].made
    assert sum(phase["left_out"].values()) == sum(bool(one.left_out) for one in made)
    assert any(reason.startswith("what it needs") for reason in reasons(made))
    assert phase["told"]["seeds"] == pytest.approx(0.25)
    assert {one["how"] for one in phase["made"]} <= {
        "joined", "apart", "values", "condition", "prose", "translated", "release", "drift"
    }  # fmt: skip
    with pytest.raises(SetupError, match="0 trainings in phases begin with 'x'"):
        find_series(tmp_path, "x")


def test_at_random_as_many_are_learnt_from_but_not_by_their_success(tmp_path):
    settings = TWO_TASKS.model_copy(update={"tasks": 6, "at_random": True})

    def become(asked, task, run) -> str:
        return "right" if asked.policy == "oracle" or (run == 1 and "disk" in task.id) else "wrong"

    (phase,) = run(series_in(tmp_path, settings), ScriptedOperations(tmp_path, become)).phases()
    measured = set(phase.seeds) | {one.id for one in phase.made if one.estimate}
    assert set(phase.kept) <= measured
    assert len(phase.kept) >= 1


def test_better_policies_are_served_where_that_is_wanted(tmp_path):
    def become(asked, task, run) -> str:
        is_better = bool(asked.adapter) if task.split == "held-out" else run % 2
        return "right" if asked.policy == "oracle" or is_better else "wrong"

    settings = TWO_TASKS.model_copy(update={"drift_aware": False})
    operations = ScriptedOperations(tmp_path, become)
    (phase,) = run(series_in(tmp_path, settings), operations).phases()
    assert phase.decision.against == ()
    assert operations.promoted == [phase.training]
    off = tmp_path / "off"
    off.mkdir()
    quiet = ScriptedOperations(off, become)
    run(series_in(off, settings.model_copy(update={"promotes": False})), quiet)
    assert quiet.promoted == []


def test_other_sources_are_asked_only_where_they_are_switched_on(tmp_path):
    settings = TWO_TASKS.model_copy(update={"sources": ("model", "exploration")})
    operations = ScriptedOperations(tmp_path)
    run(series_in(tmp_path, settings), operations)
    assert len(operations.thought) == 1
    assert "explore 10" in asked(tmp_path)
    off = tmp_path / "off"
    off.mkdir()
    quiet = ScriptedOperations(off)
    run(series_in(off, TWO_TASKS), quiet)
    assert quiet.thought == []
    assert "explore 10" not in asked(off)


def test_the_miniatures_phases_have_settings_for_every_update_and_ablation():
    live = ("form=short", "rows=96", "max_steps=9", "kl=0.05", "learning_rate=5e-5", "group=8")
    for update, name in product(UPDATES, ABLATIONS):
        phases = Phases(update=update, ablation=name)
        for short in (True, False):
            settings = PhaseSettings.model_validate(phase_settings(phases, live, short=short))
            changes = ABLATIONS[name]
            assert {key: getattr(settings, key) for key in changes} == changes
            options = options_of_update(settings, "adapter")
            assert settings.update == update
            turns = options.batch * options.max_steps if update != "live" else 0
            assert turns in (0, 8 * 9 if short else 96 * 4)  # as many as `live` has rows
    assert Phases(ablation="no-replay").problem.endswith("nothing else replays successes")
    assert Phases(ablation="no-replay", update="kl").problem == ""
    folders = {Phases(update=u, ablation=a).folder for u, a in product(UPDATES, ABLATIONS)}
    assert len(folders) == len(UPDATES) * len(ABLATIONS)


def test_the_miniatures_phases_are_a_table_and_held_against_each_other(tmp_path):
    ways: dict[str, Becomes] = {"data": lambda *_: "wrong", "data-kl": lambda *_: "right"}
    for name, become in ways.items():
        (tmp_path / name).mkdir()
        wide = SMALL.model_copy(update={"success_band": False, "count": 1, "tasks": 2, "made": 2})
        run(series_in(tmp_path / name, wide), ScriptedOperations(tmp_path / name, become))
        for file in (tmp_path / name).glob("trials-*"):
            BenchmarkResult.model_validate_json(file.read_bytes()).write(
                tmp_path / name / "benchmarks"
            )
    folders = [tmp_path / name for name in (*ways, "dataset")]
    (said,) = compare_with_others(tmp_path / "data-kl", folders).items()
    assert said[0] == "data"
    assert "points better than" in said[1]


def test_the_miniatures_phases_say_what_became_of_tasks_and_estimates(tmp_path):
    series = run(series_in(tmp_path), ScriptedOperations(tmp_path))
    table = as_table(series, tmp_path)
    first, second = table["phases"]
    assert first["learnt_from"] == len(series.phases()[0].kept)
    assert sum(first["left_out"].values()) + first["kept"] == len(series.phases()[0].made)
    assert set(first["took_s"]) == {stage.value for stage in Stage} - {"plan"}
    assert second["decision"]["pass_before"] == first["decision"]["pass_after"]
    assert first["learnt"] == {}  # nothing says
    training = trained(tmp_path)
    with (find_run(tmp_path, training).folder / CURVES).open("a") as file:
        file.write('{"step": 0, "turns": 8, "replayed": 2}\n')
    series.keep(series.phases()[0].model_copy(update={"training": training}))
    assert as_table(series, tmp_path)["phases"][0]["learnt"] == {"turns": 8, "replayed": 2}
    told = truth_of_estimates(series)
    assert told
    assert {one["estimated"] for one in told} == {0.5}
    # the policy of the second phase is better than what they were estimated with
    assert {one["next_phase"] for one in told} == {0.75}
