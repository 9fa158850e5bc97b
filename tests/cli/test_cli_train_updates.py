"""What updates on attempts, and an environment for others, are refused for before anything runs."""

import json
from dataclasses import replace

import pytest

from appliance.training.rollouts import Exchanged, RolledOut, Rollouts
from tests.training.training_attempts import attempt, keep, turns


@pytest.fixture
def dataset(folder, appliance):
    keep(folder / "data", {"a.md": attempt(), "b.md": attempt(turns()[2:])})
    appliance("train", "collect", "--out", "made", "--held-out", "b.*")
    (folder / "base").mkdir()
    (folder / "base" / "config.json").write_text("{}")
    (folder / "adapter").mkdir()
    (folder / "adapter" / "adapter_config.json").write_text("{}")
    turn = Exchanged(prompt=[1], answer=[2], logprobs=[0.0], said="x")
    tried = RolledOut(task="t", reward=1.0, advantage=0.0, why="", exchanges=[turn])
    for name, made in (("live", [tried, replace(tried, reward=0.0)]), ("well", [tried])):
        (folder / name).mkdir()
        Rollouts(step=0, digest="d", attempts=made).write(folder / name)
    return "made"


@pytest.mark.parametrize(
    ("kind", "said", "why"),
    [
        ("kl", (), "begin_with: Field required"),
        ("kl", ("begin_with=adapter",), "rollouts: Field required"),
        ("kl", ("begin_with=made", "rollouts=live"), "begin_with=made: there is no adapter"),
        ("dpo", ("begin_with=adapter", "rollouts=made"), "made is no folder of a training that"),
        ("kl", ("begin_with=adapter", "rollouts=live", "replay=live, base"), "base is no folder"),
        ("kl", ("begin_with=adapter", "rollouts=live", "gpus=2"), "gpus"),
        ("kl", ("begin_with=adapter", "rollouts=well"), "a critic has to tell them apart"),
        ("dpo", ("begin_with=adapter", "rollouts=live"), "no task was both done and missed"),
        ("dpo", ("begin_with=adapter", "rollouts=live", "kl=1"), "there are form, role"),
    ],
)
def test_an_update_is_refused_before_anything_is_written(
    folder, appliance, dataset, kind, said, why
):
    words = [word for one in said for word in ("--set", one)]
    done = appliance("train", kind, "--dataset", dataset, "--base", "base", *words)
    assert done.code == 2
    assert why in done.err
    assert not (folder / "data" / "training" / "runs").exists()


def test_an_update_that_is_put_off_knows_its_folders_from_everywhere(folder, appliance, dataset):
    (folder / "appliance.yaml").write_text("training: {python: /bin/true}\n")  # says it has all
    words = ("--dataset", dataset, "--base", "base", "--later", "--json", "--set", "form=short")
    words += ("--set", "begin_with=adapter", "--set", "rollouts=live,live", "--set", "replay=live")
    done = appliance("--config", "appliance.yaml", "train", "kl", *words)
    assert done.code == 0, done.err
    kept = json.loads(done.out)["run"]
    live = str(folder / "live")
    assert kept["kind"] == "kl"
    assert kept["settings"]["rollouts"] == [live, live]
    assert kept["settings"]["replay"] == [live]
    assert kept["settings"]["begin_with"] == str(folder / "adapter")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ((), "name a key with --key-env or --key-file"),
        (("--key-env", "NO_SUCH_KEY"), "NO_SUCH_KEY is empty"),
        (("--key-env", "A", "--key-file", "b"), "keep one"),
        (("--key-file", "nowhere"), "nowhere cannot be read"),
    ],
)
def test_other_machines_are_let_in_with_a_key_only(appliance, more, why):
    done = appliance("train", "serve-environment", "--host", "0.0.0.0", *more)
    assert done.code == 2
    assert why in done.err
