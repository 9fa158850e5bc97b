"""The command line while a server owns the store."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from appliance.cli import run
from appliance.config import Settings
from appliance.core.result import (
    Cost,
    Evidence,
    Finding,
    Goal,
    ProcedureResult,
    RunResult,
    StepResult,
)
from appliance.core.verdict import DivergenceKind, Severity, StepStatus, Verdict
from appliance.engine.address import Address, shown_address
from appliance.store.incident import IncidentState, incident_id
from appliance.store.keys import Role
from appliance.store.labels import PLACE, SeenLabel
from appliance.store.sweeps import ItemRow, SweepRow, SweepState

NOW = datetime(2026, 11, 21, 7, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    def data(self):
        return json.loads(self.out)


@pytest.fixture
def serving(address: str, settings: Settings) -> Iterator[str]:
    """Its address, as other commands find it."""
    told = Address(url=address, pid=os.getpid(), started_at=NOW, version="1")
    with shown_address(settings.data_dir, told):
        yield address


@pytest.fixture
def appliance(settings: Settings, monkeypatch, capfd) -> Callable[..., Outcome]:
    for name in [name for name in os.environ if name.startswith("APPLIANCE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("APPLIANCE_DATA_DIR", str(settings.data_dir))
    monkeypatch.chdir(settings.data_dir)

    def call(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture
def a_run(store) -> RunResult:
    finding = Finding(
        id="f00d000000000001",
        fingerprint="print",
        kind=DivergenceKind.RENAMED_LABEL,
        severity=Severity.MISLEADS,
        confidence=0.9,
        document="docs/a.md",
        line=7,
        column=10,
        end_line=7,
        end_column=21,
        quote="Create disk",
        shown="New disk",
        suggestion="New disk",
        step="1",
        evidence=(Evidence(kind="dom", caption="the button", text="<button>"),),
    )
    result = ProcedureResult(
        id="docs/a/create",
        title="Create a disk",
        title_path=("Disks", "Create a disk"),
        document="docs/a.md",
        line=3,
        end_line=9,
        verdict=Verdict.DRIFTED,
        goal=Goal(reached=True, channels=()),
        path="diverged",
        decided_by="literal",
        attempts=2,
        cost=Cost(wall_s=4.2),
        steps=(StepResult(index="1", line=5, text="Click", status=StepStatus.AS_WRITTEN),),
        findings=(finding,),
    )
    made = RunResult(
        id="20261121-073000-ab12",
        appliance_version="0.1.0",
        commit="a" * 40,
        console="practice",
        policy="literal",
        started_at=NOW,
        ended_at=NOW,
        procedures=(result,),
        documents={"docs/a.md": "ff"},
    )
    store.save_run(made)
    return made


LOOKS = (
    ("run", "list"),
    ("run", "show"),
    ("finding", "list"),
    ("finding", "list", "--run", "2026"),
    ("finding", "list", "--all", "--document", "docs/a.md"),
    ("finding", "show", "f00d"),
    ("sweep", "list"),
    ("sweep", "status"),
)


def test_what_is_looked_at_is_the_same_whoever_is_asked(
    store, a_run, address, settings, appliance, serving
):
    add_sweep(store)
    asked = {look: appliance(*look, "--json") for look in LOOKS}
    shown = {look: appliance(*look) for look in LOOKS}
    (settings.data_dir / "server.json").unlink()
    for look in LOOKS:
        assert asked[look].code == 0, asked[look].err
        assert f"The server at {address} owns the store" in asked[look].err
        alone = appliance(*look, "--json")
        assert without(asked[look].data()) == without(alone.data()), look
        assert shown[look].out == appliance(*look).out
        assert "owns the store" not in alone.err


def without(told):
    """The server also says who asked for a sweep."""
    if isinstance(told, list):
        return [without(one) for one in told]
    return {k: v for k, v in told.items() if k not in ("kind", "requested_by")}


def add_sweep(store) -> None:
    sweep = SweepRow(
        id="20261121-080000-cd34",
        console="practice",
        state=SweepState.WAITING,
        why="",
        request={"policy": "auto"},
        planned_at=NOW,
    )
    item = ItemRow(
        id="docs/a/create",
        procedure_id="docs/a/create",
        title="Create a disk",
        document="docs/a.md",
        line=3,
        reason="never",
        why="never verified",
        estimate_s=60.0,
        text_hash="",
    )
    store.sweeps.add(sweep, (item,))


def test_a_finding_is_triaged_by_its_id_or_its_root_causes(store, a_run, appliance, serving):
    root = incident_id("practice", "print")
    said = appliance("finding", "confirm", "f00d", "--comment", "Renamed in 4.2.", "--json")
    assert said.code == 0, said.err
    assert (said.data()["id"], said.data()["state"]) == (root, "confirmed")
    assert appliance("finding", "assign", root, "mei").code == 0
    later = appliance("finding", "accept-until", root, "2030-01-31")
    assert "is accepted until 2030-01-31 00:00" in later.err
    assert appliance("finding", "comment", "f00d", "Still there.").code == 0
    assert appliance("finding", "reject", root[:8]).code == 0
    assert store.incidents.get(root).state is IncidentState.REJECTED
    assert appliance("finding", "reopen", root).code == 0
    assert appliance("finding", "undo", root).code == 0
    log = {entry.action for entry in store.incidents.log(root)}
    assert log == {"opened", "confirm", "assign", "accept", "comment", "reject", "reopen", "undo"}
    shown = appliance("finding", "show", "f00d").out
    assert "(assigned to mei) is rejected" in shown
    assert "reopen (taken back)" in shown
    assert "confirm: Renamed in 4.2." in shown


def test_the_same_without_a_server(store, a_run, settings, appliance):
    root = incident_id("practice", "print")
    assert appliance("finding", "confirm", root, "--comment", "so it is").code == 0
    (entry,) = [e for e in store.incidents.log(root) if e.action == "confirm"]
    assert (bool(entry.by), entry.comment) == (True, "so it is")
    refused = appliance("finding", "accept-until", root, "2001-01-31")
    assert (refused.code, "a date yet to come" in refused.err) == (2, True)


def test_what_the_server_refuses_is_said_in_its_words(store, a_run, appliance, serving):
    refused = appliance("finding", "accept-until", "f00d", "2001-01-31")
    assert refused.code == 2
    assert f"the server at {serving} says: To accept an incident, say until when" in refused.err
    assert appliance("finding", "show", "nothing").code == 2
    unknown = appliance("sweep", "pause")
    assert "there is no sweep yet" in unknown.err


def test_a_sweep_is_paused_and_cancelled(store, appliance, serving):
    add_sweep(store)
    assert appliance("sweep", "pause", "--json").data()["state"] == "paused"
    assert appliance("sweep", "resume", "2026", "--json").data()["state"] == "waiting"
    assert appliance("sweep", "cancel", "--json").data()["state"] == "cancelled"


def test_the_store_is_looked_after(store, a_run, settings, appliance, serving, tmp_path):
    info = appliance("store", "info", "--json")
    assert info.code == 0, info.err
    assert info.data()["rows"]["runs"] == 1
    assert appliance("store", "checkpoint").code == 0
    backup = appliance("store", "backup", "--json").data()
    assert [one["id"] for one in appliance("store", "backups", "--json").data()] == [backup["id"]]
    pruned = appliance("store", "prune", "--dry-run", "--json").data()
    assert (pruned["is_dry_run"], pruned["runs"]) == (True, [])
    written = appliance("store", "export", tmp_path / "out", "--json").data()
    assert {one["table"]: one["rows"] for one in written}["findings"] == 1
    refused = appliance("store", "restore", backup["id"])
    assert (refused.code, "stop it, restore, and start it" in refused.err) == (2, True)


def test_resources_are_those_of_the_server(store, appliance, serving):
    listed = appliance("resource", "list", "--json")
    assert (listed.code, listed.data()) == (0, [])


class TestWithKeys:
    @pytest.fixture
    def settings(self, tmp_path) -> Settings:
        return Settings.model_validate({"data_dir": tmp_path, "server": {"keys": "required"}})

    def test_a_server_that_wants_a_key_gets_it(
        self, store, service, a_run, appliance, serving, monkeypatch
    ):
        refused = appliance("run", "list")
        assert (refused.code, "set APPLIANCE_KEY" in refused.err) == (2, True)
        key = service.keys.create("ci", Role.VIEWER, "test").text
        monkeypatch.setenv("APPLIANCE_KEY", key)
        assert len(appliance("run", "list", "--json").data()) == 1
        said = appliance("finding", "confirm", "f00d")
        assert said.code == 2
        assert key not in said.out + said.err


def test_a_server_that_was_killed_is_none(store, a_run, settings, appliance):
    file = settings.data_dir / "server.json"
    told = {"url": "http://127.0.0.1:9", "started_at": NOW.isoformat(), "version": "1"}
    file.write_text(json.dumps(told | {"pid": os.getpid()}))
    listed = appliance("run", "list", "--json")
    assert (listed.code, len(listed.data())) == (0, 1)


def test_labels_and_lint_ask_the_server(store, appliance, serving, tmp_path):
    places = [("", PLACE, ""), ("", "link", "Disks"), ("", "button", "Create disk")]
    labels = {SeenLabel("en", "/disks", "", *place) for place in places}
    store.labels.see("practice", "1", labels, NOW)
    listed = appliance("label", "list", "--json")
    assert listed.code == 0, listed.err
    assert {row["name"] for row in listed.data()} == {"", "Disks", "Create disk"}
    guide = tmp_path / "guide.md"
    text = "# Disks\n\n## Make one\n\n1. Open **Disks**.\n2. Click **Create disk**.\n"
    guide.write_text(text)
    told = appliance("lint", guide)
    assert (told.code, told.out) == (0, "")
    assert "owns the store: asking it" in told.err
    assert "2 labels looked up in what attempts saw of practice, release 1" in told.err
