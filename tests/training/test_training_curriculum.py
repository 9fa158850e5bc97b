"""Tasks made of what failed: by rule, by drift, by a model; and which of them are left out."""

import json
from dataclasses import replace

import pytest

from appliance.benchmark.finding import load_suite
from appliance.benchmark.suite import Task, read_suite
from appliance.benchmark.truth import truth_of
from appliance.config import ModelSettings, PhaseSettings
from appliance.core.errors import ModelError, SetupError
from appliance.core.verdict import Severity
from appliance.documents import load_documents
from appliance.inference.client import ModelClient
from appliance.inference.scripted import serving
from appliance.practice.releases import DOCUMENTATION
from appliance.training.live import live_tasks
from appliance.training.options import LiveOptions
from appliance.training.phases.candidates import as_candidate, write_candidates
from appliance.training.phases.filtering import (
    drop_by_success,
    drop_held_out,
    drop_infeasible,
    drop_repeats,
    out_of_band,
)
from appliance.training.phases.from_documents import Library, from_documents
from appliance.training.phases.from_drift import from_drift, from_releases
from appliance.training.phases.from_model import from_model
from appliance.training.phases.labels import estimates, is_right, known_truth, labelled_trial
from appliance.training.phases.record import Estimate
from tests.training.phase_operations import suite_in, trial
from tests.training.test_training_attempts import verdict

NAMES = ("access-keys.md", "disks.md", "disks.zh.md", "networks.rst", "instances.html")


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(load_documents([DOCUMENTATION / name for name in NAMES]))


@pytest.fixture(scope="module")
def tasks(tmp_path_factory) -> dict[str, Task]:
    suite = load_suite(str(suite_in(tmp_path_factory.mktemp("suite"))))
    return {task.id: task for task in suite.tasks}


def made_of(task: Task, library: Library) -> dict[str, list]:
    found = {}
    for one in from_documents(task, library):
        found.setdefault(one.how, []).append(one)
    return found


def test_two_procedures_are_joined_and_several_taken_apart(tasks, library):
    joined = made_of(tasks["disks/attach-a-disk-to-an-instance@2025.1"], library)["joined"]
    # with the next one it cannot be: "instance" means another one there
    assert [one.note for one in joined] == ["Create a disk + Attach a disk to an instance"]
    events = [rule.event for rule in joined[0].draft.procedure.checks.expected()]
    assert events == ["CreateDisk", "AttachDisk"]
    chain = next(task for task in tasks.values() if "+" in task.id)
    apart = made_of(chain, library)
    assert set(apart) == {"apart"}
    assert [one.note for one in apart["apart"]] == [
        "disks/create-a-disk",
        "disks/attach-a-disk-to-an-instance",
    ]
    assert all(one.made_from == (chain.id,) for one in apart["apart"])


def test_other_values_stand_in_text_and_rule_alike(tasks, library):
    (first, *_) = made_of(tasks["access-keys/create-an-access-key@2025.1"], library)["values"]
    assert first.note == "application → tool"
    (rule,) = first.draft.procedure.checks.expect
    assert ("parameters.purpose", ("tool",)) in [(c.path, c.expected) for c in rule.where]
    assert "choose **Application** as" not in first.draft.text


def test_a_second_thing_of_the_kind_must_be_left_alone(tasks, library):
    (harder,) = made_of(tasks["disks/delete-a-disk@2025.1"], library)["condition"]
    checks = harder.draft.procedure.checks
    assert [need.values["name"] for need in checks.needs][-1] == "spared-${unique}"
    assert checks.forbid[-1].event == "DeleteDisk"
    assert checks.forbid[-1].where[0].expected == ("spared-${unique}",)
    assert "Leave spared alone" in harder.draft.text
    # nothing is spared where nothing was given
    assert "condition" not in made_of(tasks["disks/create-a-disk@2025.1"], library)


def test_labels_are_hidden_in_prose_and_a_twin_is_taken_where_there_is_one(tasks, library):
    made = made_of(tasks["disks/delete-a-disk@2025.1"], library)
    (prose,) = made["prose"]
    assert "**" not in prose.draft.text
    assert "1. Open Products Disks. Make sure" in prose.draft.text
    (twin,) = made_of(tasks["disks/create-a-disk@2025.1"], library)["translated"]
    assert (twin.note, twin.draft.name) == ("disks-zh/创建云硬盘", "disks.zh.md")


def test_what_is_made_is_a_suite_that_the_live_training_reads(tasks, library, tmp_path):
    task = tasks["disks/delete-a-disk@2025.1"]
    candidates = list(from_documents(task, library))
    written = write_candidates([*candidates, *candidates], tmp_path / "made", "p1-")
    assert len(written.made) == len(candidates)  # each text once
    ids = {one.id for one in written.made}
    assert ids == {one.id for one in written.suite.tasks}
    assert all(one.id.startswith("p1-") for one in written.made)
    options = LiveOptions(suite=str(tmp_path / "made/tasks.yaml"))
    assert {one.id for one in live_tasks(options)} == ids
    kept = write_candidates(
        [as_candidate(one, "values") for one in written.suite.tasks], tmp_path / "kept"
    )
    assert {one.id for one in kept.suite.tasks} == ids


def test_on_drift_the_right_answer_is_to_report(tasks, tmp_path):
    library = Library(load_documents([DOCUMENTATION / "disks.md"]))
    some = [tasks["disks/create-a-disk@2025.1"], tasks["disks/delete-a-disk@2025.1"]]
    found = list(from_drift(some, library, tmp_path / "drift", range(2)))
    assert found
    assert all(one.is_untrue for one in found)
    assert {one.how for one in found} == {"drift"}
    written = write_candidates(found, tmp_path / "made")
    for task in written.suite.tasks:
        assert task.is_untrue
        assert task.drift == tmp_path / "made" / f"{task.release.partition('+')[2]}.yaml"
        truth = [one for one in known_truth(task) if not one.is_optional]
        assert truth
        reports = trial(task, 1, "right")
        assert is_right(reports)
        assert not is_right(reports.model_copy(update={"counts": {"untruths": 1, "found": 0}}))


def test_a_later_release_is_untrue_where_its_truth_says_so_and_true_elsewhere(tmp_path):
    suite = load_suite("practice")
    library = Library(load_documents([DOCUMENTATION / name for name in NAMES]))
    old = [one for one in suite.tasks if one.release == "2025.1"]
    made = {
        one.id: list(from_releases(one, library))
        for one in old
        if one.id in ("networks/add-a-subnet-to-a-network@2025.1", "disks/create-a-disk@2025.1")
    }
    ((untrue,), (true,)) = (
        made["networks/add-a-subnet-to-a-network@2025.1"],
        made["disks/create-a-disk@2025.1"],
    )
    assert (untrue.is_untrue, true.is_untrue, untrue.release) == (True, False, "2025.2")
    written = write_candidates([untrue, true], tmp_path / "made")
    told = {one.product: one.is_untrue for one in written.suite.tasks}
    assert told == {"networking": True, "disks": False}


def test_what_an_attempt_found_is_held_against_the_truth_of_its_text(tasks):
    task = next(one for one in tasks.values() if one.is_untrue)
    truth = known_truth(task)
    (must,) = [one for one in truth if not one.is_optional]

    def result(*lines: int, reached: bool = True):
        from appliance.core.result import Finding

        findings = tuple(
            Finding(
                id=f"f{line}", fingerprint=f"f{line}", kind=must.kind, severity=Severity.MISLEADS,
                confidence=1.0, document=task.draft.name, line=line, column=1, end_line=line,
                end_column=2, quote=must.quote, shown="x", suggestion=None, step="1",
            )
            for line in lines
        )  # fmt: skip
        return replace(verdict(task.folder, reached), findings=findings)

    found = labelled_trial(task, 1, result(must.line))
    assert (found.counts["found"], found.counts["false findings"]) == (1, 0)
    assert is_right(found)
    assert not is_right(
        labelled_trial(task, 1, result())
    )  # it got there, and did not say what is wrong
    assert not is_right(labelled_trial(task, 1, result(must.line, must.line + 1000)))
    unknown = labelled_trial(task, 1, verdict(task.folder, None))
    told = estimates([found, labelled_trial(task, 2, result()), unknown])
    assert told[task.id] == Estimate(right=1, tried=2, left_out=1)
    assert truth_of("2025.2")


def test_held_out_repeats_impossible_hopeless_and_known_ones_are_left_out(tasks, library, tmp_path):
    task = tasks["disks/delete-a-disk@2025.1"]
    candidates = [as_candidate(task, "suite"), *from_documents(task, library)]
    written = write_candidates(candidates, tmp_path / "made")
    known = {one.id: one for one in written.suite.tasks}
    made = drop_repeats(written.made, known, [task], 0.95)
    repeated = [one for one in made if one.left_out]
    assert [one.left_out for one in repeated] == [f"nearly the same as {task.id}"]

    sources = {task.id: "disks.md"}
    held_out = drop_held_out(made, sources, ["disks.zh.md"])
    assert {one.left_out for one in held_out if one not in repeated} == {"its document is held out"}
    assert drop_held_out(made, sources, ["buckets.md"]) == made

    trials = [trial(known[one.id], 1, "right") for one in made]
    trials[-1] = trial(known[made[-1].id], 1, "away")
    trials[-2] = trial(known[made[-2].id], 1, "wrong")
    feasible = drop_infeasible(made, trials)
    assert feasible[-1].left_out == "what it needs cannot be made: it is away"
    assert feasible[-2].left_out == "its audit rules cannot be satisfied: it is wrong"

    settings = PhaseSettings()
    shares = {one.id: Estimate(right=2 * n, tried=4) for n, one in enumerate(made)}
    banded = drop_by_success(made[:3], shares, settings)
    assert [bool(one.left_out) for one in banded] == [True, False, True]
    assert banded[2].left_out == "known: right in 100% of attempts"
    assert banded[0].left_out.startswith("nearly")  # the first reason stays
    assert out_of_band(Estimate(right=0, tried=4), settings) == "too hard: right in 0% of attempts"
    assert out_of_band(None, settings) == "no attempt at it counts"
    off = settings.model_copy(update={"success_band": False})
    assert out_of_band(None, off) == ""


async def test_a_model_thinks_of_tasks_that_there_is_a_rule_for(tasks, library):
    seeds = [tasks["access-keys/create-an-access-key@2025.1"], tasks["disks/delete-a-disk@2025.1"]]
    purpose = {"path": "parameters.purpose", "value": "tool"}
    answer = {
        "tasks": [
            {
                "like": 1,
                "title": "A key for a tool",
                "steps": ["Create a key for <User>,\n a tool."],
                "values": [purpose],
            },
            {"like": 7, "title": "Of nothing", "steps": ["Look."], "values": []},
            {
                "like": 2,
                "title": "Of another",
                "steps": ["Delete it."],
                "values": [{"path": "parameters.colour", "value": "red"}],
            },
        ]
    }
    asked = []

    def answering(request) -> str:
        asked.append(request)
        return json.dumps(answer)

    with serving(answering) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            (made,) = await from_model(client, seeds, library, 3)
    (request,) = asked
    told = json.dumps(request.messages, ensure_ascii=False)
    assert "Write 3 new tasks" in told
    assert "Task 2: Delete a disk" in told
    assert "parameters.purpose is application (or tool" in told
    assert (made.how, made.made_from) == ("model", (seeds[0].id,))
    assert made.draft.text.endswith("1. Create a key for <User>, a tool.\n")
    (rule,) = made.draft.procedure.checks.expect
    assert ("parameters.purpose", ("tool",)) in [(c.path, c.expected) for c in rule.where]
    with serving(lambda _: "nothing") as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            with pytest.raises(ModelError, match="the model's tasks"):
                await from_model(client, seeds, library, 3)
            assert await from_model(client, [], library, 3) == []


def test_a_suite_with_drift_says_which_file_is_missing(tmp_path):
    file = suite_in(tmp_path)
    file.write_text(file.read_text().replace("2025.2", "2025.2+drift-9"))
    with pytest.raises(SetupError, match=r"there is no drift file .*drift-9\.yaml"):
        read_suite(file)
