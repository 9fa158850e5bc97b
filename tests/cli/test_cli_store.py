import json
from pathlib import Path

import pytest

from appliance.store.store import Store


@pytest.fixture
def kept(folder, results) -> Path:
    with Store.open(Path("data")) as store:
        store.save_run(results.run(results.procedure()))
    return Path("data")


def test_looking_makes_no_files(appliance, folder):
    for words in (["info"], ["backup"], ["prune"], ["export", "out"]):
        result = appliance("store", *words)
        assert (result.code, "there are no runs in data yet" in result.err) == (2, True)
    assert appliance("store", "backups").err.startswith("There is no backup.")
    assert list(folder.iterdir()) == []


def test_what_is_in_it(appliance, kept):
    told = json.loads(appliance("store", "info", "--json").out)
    assert (told["rows"]["runs"], told["rows"]["findings"], told["backups"]) == (1, 1, 0)
    assert "1 run, 1 procedure, 1 step, 1 finding, 1 incident" in appliance("store", "info").out
    assert appliance("store", "checkpoint").code == 0


def test_a_backup_is_made_and_restored(appliance, kept, results):
    made = appliance("store", "backup")
    folder = Path(made.out.strip())
    assert (folder / "backup.json").is_file()
    assert "1 run" in made.err
    with Store.open(kept) as store:
        store.save_run(results.run(results.procedure(), id="later"))
    listed = json.loads(appliance("store", "backups", "--json").out)
    assert [one["id"] for one in listed] == [folder.name]
    restored = appliance("store", "restore", folder.name)
    assert restored.code == 0
    assert "What was there is kept as data/store.before-" in restored.err
    assert len(json.loads(appliance("run", "list", "--json").out)) == 1
    (newest, *_) = json.loads(appliance("activity", "list", "--json").out)
    assert (newest["deed"], newest["object"]) == ("restore-store", folder.name)


def test_everything_is_read_and_what_is_damaged_is_named(appliance, kept):
    ids = [json.loads(appliance("store", "backup", "--json").out)["id"] for _ in range(2)]
    told = appliance("store", "check")
    assert (told.code, "2 backups looked at" in told.err) == (0, True)
    with (kept / "backups" / ids[1] / "store.duckdb").open("r+b") as file:
        file.truncate(100_000)
    told = appliance("store", "check", "--json")
    assert (told.code, json.loads(told.out)["damaged"]) == (1, [ids[1]])
    with (kept / "store.duckdb").open("r+b") as file:
        file.truncate(200_000)
    told = appliance("store", "check")
    assert (told.code, f"`appliance store restore {ids[0]}`" in told.err) == (2, True)
    assert appliance("store", "restore", ids[0]).code == 0
    assert appliance("run", "list").code == 0


def test_as_many_backups_are_kept_as_the_settings_say(appliance, kept):
    Path("config.yaml").write_text("retention: {backups: 1}")
    ids = [json.loads(appliance("store", "backup", "--json").out)["id"] for _ in range(2)]
    left = json.loads(appliance("store", "backups", "--json").out)
    assert [one["id"] for one in left] == [ids[1]]


def test_a_backup_whose_manifest_cannot_be_read_is_told_beside_the_others(appliance, kept):
    good, bad = (json.loads(appliance("store", "backup", "--json").out)["id"] for _ in range(2))
    (kept / "backups" / bad / "backup.json").write_text("{}")
    told = appliance("store", "backups")
    assert (told.code, good in told.out, bad in told.out) == (0, True, False)
    assert f"{bad}/backup.json cannot be read" in told.err
    listed = json.loads(appliance("store", "backups", "--json").out)
    assert [(one["id"], bool(one["problem"])) for one in listed] == [(good, False), (bad, True)]
    told = appliance("store", "check", "--json")
    assert (told.code, json.loads(told.out)["damaged"]) == (1, [bad])
    assert appliance("store", "restore", good).code == 0
    assert f"{bad}/backup.json cannot be read" in appliance("store", "restore", bad).err


def test_a_backup_that_is_none(appliance, kept):
    result = appliance("store", "restore", "yesterday")
    assert (result.code, result.out) == (2, "")
    assert "There is no backup yesterday" in result.err


def test_results_as_tables(appliance, kept):
    result = appliance("store", "export", "out")
    files = result.out.split()
    assert "out/findings.parquet" in files
    assert all(Path(file).is_file() for file in files)
    (kept,) = json.loads(appliance("activity", "list", "--json").out)
    assert (kept["deed"], kept["object"]) == ("export-store", "out")


def test_what_is_past_its_time(appliance, kept):
    Path("config.yaml").write_text("retention: {runs_days: 0.001}")
    would = appliance("store", "prune", "--dry-run")
    assert would.err.startswith("Nothing is past its time.")  # it is the last verdict
    assert appliance("store", "prune").code == 0
    assert len(json.loads(appliance("run", "list", "--json").out)) == 1
