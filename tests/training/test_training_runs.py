"""Trainings as processes: begun, stopped, gone on with, failed; one that trains nothing is run."""

import asyncio
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from appliance.config import Settings, TrainingSettings
from appliance.core.errors import SetupError
from appliance.training.child.folder import Folder, share_of
from appliance.training.options import SftOptions, options_of
from appliance.training.runs import all_runs, check_samples, find_run
from appliance.training.supervision import (
    TrainingError,
    command_of,
    last_words,
    train,
    trainer_python,
)

PYTHON = Path(sys.executable)


async def test_a_training_comes_to_its_end(begin, tmp_path):
    run, told = begin(), []
    assert run.status.state == "died"  # nobody works on it
    ended = await train(run, Settings(), PYTHON, told.append)
    assert (ended.state, ended.step, ended.of) == ("done", 3, 3)
    assert [line["loss"] for line in run.curves()] == [1, 1 / 2, 1 / 3]
    assert [one.file.id for one in all_runs(tmp_path)] == [run.file.id]
    assert find_run(tmp_path, "2026").status.state == "done"
    assert told[-1].step == 3


async def test_a_stopped_training_goes_on_where_it_was_and_counts_nothing_twice(begin):
    run = begin(max_steps=6, step_s=0.2)
    stopped = await train(run, Settings(), PYTHON, lambda _: run.ask_to_stop())
    assert stopped.state == "stopped"
    assert 0 < stopped.step < 6
    curves = run.folder / "curves.jsonl"
    curves.write_text(curves.read_text() + '{"step": 6, "loss": 0}\n')  # killed after it was said
    assert (await train(run, Settings(), PYTHON, lambda _: None)).state == "done"
    assert [line["step"] for line in run.curves()] == [1, 2, 3, 4, 5, 6]


async def test_an_interrupted_training_leaves_a_checkpoint_and_no_process(begin):
    run = begin(max_steps=100, step_s=0.1)
    started = asyncio.Event()
    task = asyncio.ensure_future(train(run, Settings(), PYTHON, lambda _: started.set()))
    await asyncio.wait_for(started.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert run.status.state == "stopped"
    assert list(run.folder.glob("checkpoints/*"))


async def test_what_it_said_last_is_why_it_failed(begin):
    run = begin(fails_at=2)
    with pytest.raises(TrainingError, match="the loss is no number at step 2"):
        await train(run, Settings(), PYTHON, lambda _: None)
    assert run.status.state == "failed"
    assert "no number" in run.status.why
    assert run.status.step == 1


async def test_two_never_work_on_the_same_run(begin):
    run = begin(max_steps=50, step_s=0.1)
    started = asyncio.Event()
    first = asyncio.ensure_future(train(run, Settings(), PYTHON, lambda _: started.set()))
    await asyncio.wait_for(started.wait(), 30)
    with pytest.raises(SetupError, match="runs already"):
        await train(run, Settings(), PYTHON, lambda _: None)
    run.ask_to_stop()
    assert (await first).state == "stopped"


async def test_another_base_or_dataset_is_not_gone_on_with(begin, base, dataset):
    run = begin()
    (base / "config.json").write_text('{"other": 1}')
    with pytest.raises(SetupError, match="not the base"):
        await train(run, Settings(), PYTHON, lambda _: None)
    (base / "config.json").write_text("{}")
    (dataset / "dataset.json").write_text('{"files": {}, "samples": {}}')
    with pytest.raises(SetupError, match="not the dataset"):
        await train(run, Settings(), PYTHON, lambda _: None)


def test_what_is_not_there_is_said_before_anything_is_written(tmp_path, base, dataset, begin):
    begin()
    with pytest.raises(SetupError, match="this very second"):
        begin()
    shutil.rmtree(dataset)
    with pytest.raises(SetupError, match="appliance train collect"):
        begin()
    with pytest.raises(SetupError, match=r"0 trainings begin with '1999'"):
        find_run(tmp_path, "1999")


def test_a_form_of_which_there_is_nothing_is_named():
    counts = {"form": {"short": 3}, "role": {"agent": 3}}
    facts = {"samples": {"train.parquet": counts}}
    check_samples(facts, "short", "agent")
    with pytest.raises(SetupError, match="it has short 3; agent 3"):
        check_samples(facts, "full", "agent")


def test_options_are_read_and_refused_in_words():
    assert options_of(SftOptions, ["rank=8", "packs=true", "form=short"]) == SftOptions(
        rank=8, packs=True, form="short"
    )
    for said, why in (("rank=none", "valid integer"), ("rnk=1", "there are form"), ("x", "NAME=")):
        with pytest.raises(SetupError, match=why):
            options_of(SftOptions, [said])


def test_a_python_without_torch_is_refused_with_what_it_lacks():
    settings = Settings(training=TrainingSettings(python=PYTHON))
    with pytest.raises(SetupError, match=r"has no torch.*training\.python"):
        trainer_python(settings)
    gone = Settings(training=TrainingSettings(python=Path("/nowhere/python")))
    with pytest.raises(SetupError, match="cannot be asked"):
        trainer_python(gone)


_SHARED = {"zero2": "DEEPSPEED", "zero3": "DEEPSPEED", "fsdp": "FSDP"}


@pytest.mark.parametrize("shared_by", _SHARED)
def test_several_gpus_are_begun_by_accelerate_with_a_file_of_ours(begin, shared_by):
    command = command_of(begin(gpus=4, shared_by=shared_by), PYTHON)
    assert command[:3] == (str(PYTHON), "-m", "accelerate.commands.launch")
    given = dict(zip(command[3:7:2], command[4:7:2], strict=True))
    assert given["--num_processes"] == "4"
    told = yaml.safe_load(Path(given["--config_file"]).read_text())
    assert told["distributed_type"] == _SHARED[shared_by]
    assert "num_processes" not in told  # that is an option of the training
    if shared_by != "fsdp":
        assert told["deepspeed_config"]["zero_stage"] == int(shared_by[-1])
    else:
        assert told["fsdp_config"]["fsdp_state_dict_type"] == "FULL_STATE_DICT"


def test_gpus_that_share_nothing_are_begun_by_pytorch_and_one_needs_nobody(begin):
    run = begin(gpus=2)
    command = command_of(run, PYTHON)
    assert command[1:6] == ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    run.file.settings["gpus"] = 1
    assert len(command_of(run, PYTHON)) == 4


def test_a_base_in_4_bit_is_not_shared():
    assert options_of(SftOptions, ["gpus=2", "method=qlora"]).gpus == 2
    with pytest.raises(SetupError, match="a base in 4 bit cannot be shared: take ddp or zero2"):
        options_of(SftOptions, ["gpus=2", "method=qlora", "shared_by=fsdp"])


def test_the_first_process_writes_and_each_has_its_share(begin, monkeypatch):
    folder = Folder(begin().folder)
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert [*share_of([1, 2, 3, 4])] == [1, 2]
    monkeypatch.setenv("RANK", "1")
    assert [*share_of([1, 2, 3, 4])] == [3, 4]
    folder.say("running", step=1, of=2)
    folder.add("curves.jsonl", [{"step": 1}])
    assert not list(folder.path.glob("*.jsonl")) + list(folder.path.glob("status.json"))


def test_of_several_processes_the_cause_is_told_not_that_they_ended(begin):
    run = begin()
    (run.folder / "trainer.log").write_text(
        "[rank1]: ValueError: the dataset is empty\n"
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n===\n"
    )
    assert last_words(run) == "ValueError: the dataset is empty"
