"""What updates on attempts, and an environment for others, are refused for before anything runs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.training.rollouts import RolledOutAttempt, Rollouts, TokenExchange
from appliance.training.runs import RunFile
from tests.training.training_attempts import NOW, attempt, keep, turns


@pytest.fixture
def dataset(folder, appliance):
    keep(folder / "data", {"a.md": attempt(), "b.md": attempt(turns()[2:])})
    appliance("train", "collect", "--out", "made", "--held-out", "b.*")
    (folder / "base").mkdir()
    (folder / "base" / "config.json").write_text("{}")
    (folder / "adapter").mkdir()
    (folder / "adapter" / "adapter_config.json").write_text("{}")
    turn = TokenExchange(prompt=[1], answer=[2], logprobs=[0.0], said="x")
    tried = RolledOutAttempt(task="t", reward=1.0, advantage=0.0, why="", exchanges=[turn])
    for name, made in (("live", [tried, replace(tried, reward=0.0)]), ("well", [tried])):
        (folder / name).mkdir()
        Rollouts(step=0, digest="d", attempts=made).write(folder / name)
    return "made"


@pytest.fixture
def pairs(folder, dataset):
    """Attempts that both kinds can learn from."""
    well = TokenExchange(prompt=[1], answer=[2], logprobs=[0.0], said="x", state="page")
    badly = replace(well, answer=[3], said="y")
    tried = [
        RolledOutAttempt(task="t", reward=reward, advantage=0.0, why="", exchanges=[turn])
        for reward, turn in ((1.0, well), (0.0, badly))
    ]
    Rollouts(step=0, digest="d", attempts=tried).write(folder / "live")
    return dataset


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


def made_by_a_training(folder: Path, form: str) -> None:
    """As a training in the live console that was told this form leaves it."""
    file = RunFile(
        id="20261121-220000-live",
        kind="live",
        base="base",
        base_digest="",
        dataset="made",
        dataset_files={},
        settings={"form": form, "threads": 1},
        begun_at=NOW,
        appliance="0",
        commit="",
    )
    (folder / "run.json").write_text(file.model_dump_json())


@pytest.mark.parametrize("kind", ["kl", "dpo"])
@pytest.mark.parametrize(
    ("served", "said", "made", "why"),
    [
        (
            "short",
            "full",
            "",
            "form is full, and agent.form is short: the adapter would be asked in a form that it"
            " has not learnt. Say --set form=short, or agent.form: full in the settings",
        ),
        (
            "full",
            "short",
            "",
            "form is short, and agent.form is full: the adapter would be asked in a form that it"
            " has not learnt. Say --set form=full, or agent.form: short in the settings",
        ),
        (
            "full",
            "full",
            "short",
            "has attempts of form short, form is full, and agent.form is full: what is learnt,"
            " examined and served has to be of one form. Say --set form=short, and agent.form:"
            " short in the settings; or name attempts of form full",
        ),
        ("full", "short", "short", "Say --set form=short, and agent.form: short in the settings"),
    ],
)
def test_the_form_that_is_learnt_is_the_one_that_is_served(
    folder, appliance, pairs, kind, served, said, made, why
):
    settings = f"training: {{python: /bin/true}}\nagent: {{form: {served}}}\n"
    (folder / "appliance.yaml").write_text(settings)
    if made:
        made_by_a_training(folder / "live", made)
    words = ("--dataset", pairs, "--base", "base", "--set", f"form={said}")
    words += ("--set", "begin_with=adapter", "--set", "rollouts=live")
    done = appliance("--config", "appliance.yaml", "train", kind, *words)
    assert done.code == 2
    assert why in done.err.replace("\n", " ")
    assert not (folder / "data" / "training" / "runs").exists()


def test_an_update_that_is_put_off_knows_its_folders_from_everywhere(folder, appliance, dataset):
    settings = "training: {python: /bin/true}\nagent: {form: short}\n"  # says it has all
    (folder / "appliance.yaml").write_text(settings)
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
