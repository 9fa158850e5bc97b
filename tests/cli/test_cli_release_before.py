"""What the release before left behind opens: settings, store and backup."""

import json
import lzma
import shutil
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from appliance.config import load_settings
from appliance.core.verdict import Verdict
from appliance.policy.replay import Recipe
from appliance.store.connection import CONFIG
from appliance.store.incident import IncidentState
from appliance.store.paging import Paging
from appliance.store.store import Store

LEFT = Path(__file__).parent / "release_before"
BACKUP = Path("data/backups/20261124-183759")
RUN = "20261124-183202-3d37"
FOUND = {
    ("docs/buckets.md", 46, "missing_control", "confirmed"),
    ("docs/buckets.md", 62, "moved_control", "open"),
    ("docs/instances.html", 21, "wrong_order", "rejected"),
    ("docs/instances.html", 33, "missing_step", "open"),
    ("docs/instances.html", 66, "missing_control", "open"),
}


@pytest.fixture
def left(folder) -> Path:
    """A data folder with its store and a backup, and its settings."""
    BACKUP.mkdir(parents=True)
    store = lzma.decompress((LEFT / "store.duckdb.xz").read_bytes())
    for file in (Path("data/store.duckdb"), BACKUP / "store.duckdb"):
        file.write_bytes(store)
    shutil.copy(LEFT / "backup.json", BACKUP)
    shutil.copy(LEFT / "config.yaml", folder)
    return folder


def test_its_settings_are_in_order_and_mean_the_same(appliance, left):
    assert appliance("config", "check").err == "config.yaml: in order.\n"
    settings = load_settings(left / "config.yaml", {}, {})
    assert settings.console == "lab"
    assert set(settings.consoles) == {"lab", "horizon", "cloud", "other"}
    assert settings.consoles["horizon"].accounts["alice"].quota == {"instance": 5}
    assert settings.consoles["cloud"].audit.late_minutes == 20
    assert settings.agent.sensitive.pay == "refuse"
    assert settings.sweep.window == "22:00-06:00"
    assert settings.schedules["nightly"].cron == "30 22 * * mon-fri"
    assert settings.webhooks["chat"].events[-1] == "person.asked"


def test_its_store_tells_what_it_told(appliance, left):
    told = appliance("store", "check")
    assert "The store can be read to its end. 1 backup looked at." in told.err
    assert json.loads(appliance("store", "info", "--json").out)["rows"]["steps"] == 55
    [run] = json.loads(appliance("run", "list", "--json").out)
    assert run["id"] == RUN
    shown = json.loads(appliance("run", "show", RUN, "--json").out)
    verdicts = Counter(one["verdict"] for one in shown["procedures"])
    assert verdicts == {"verified": 8, "drifted": 2, "broken": 2}
    found = json.loads(appliance("finding", "list", "--all", "--json").out)
    told = {(one["finding"]["document"], one["finding"]["line"]) for one in found}
    assert told == {place[:2] for place in FOUND}
    [key] = json.loads(appliance("key", "list", "--json").out)
    assert (key["name"], key["role"]) == ("ci", "operator")


def test_what_people_said_of_its_findings_is_kept(left):
    with Store.open(Path("data")) as store:
        rows = store.incidents.page(Paging()).items
        kept = {(one.document, one.line, one.kind.value, one.state.value) for one in rows}
        assert kept == FOUND
        [rejected] = [one for one in rows if one.state is IncidentState.REJECTED]
        assert store.incidents.log(rejected.id)[-1].comment == "as meant"
        run = store.load_run(RUN)
        assert run.procedures[0].verdict is Verdict.VERIFIED


def test_it_knows_no_labels_yet(appliance, left):
    assert appliance("label", "list").err.endswith("0 labels on 0 pages.\n")


def test_what_it_replayed_is_read_anew(left):
    """Its recipes say nothing of single statements, so they are not taken; they do no harm."""
    Store.open(Path("data")).close()
    with duckdb.connect("data/store.duckdb", config=CONFIG) as connection:
        recipes = connection.execute("SELECT recipe FROM recipes").fetchall()
    assert len(recipes) == 8
    assert {Recipe.from_json(text) for (text,) in recipes} == {None}


def test_its_backup_takes_the_place_of_a_newer_store(appliance, left, results):
    with Store.open(Path("data")) as store:
        store.save_run(results.run(results.procedure(), id="later"))
    restored = appliance("store", "restore", BACKUP.name)
    assert restored.code == 0, restored.err
    assert [one["id"] for one in json.loads(appliance("run", "list", "--json").out)] == [RUN]
    assert appliance("store", "check").code == 0
