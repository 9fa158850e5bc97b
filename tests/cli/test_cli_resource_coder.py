import json
from pathlib import Path

import pytest

from appliance.cli._app import run
from appliance.cli.resource_coder import command
from appliance.store.store import Store

CONFIGURATION = {
    "variable": {"name": {"type": "string"}},
    "resource": {"practice_bucket": {"this": {"name": "${var.name}"}}},
    "output": {
        "id": {"value": "${practice_bucket.this.id}"},
        "name": {"value": "${practice_bucket.this.name}"},
    },
}
TEXT = json.dumps(CONFIGURATION, indent=2)
HCL = 'resource "practice_bucket" "this" {\n  name = var.name\n}\n'
REPORT = {
    "provider": "practice",
    "source": "practice.appliance.local/appliance/practice",
    "made": [{"kind": "bucket", "id": "b-1", "name": "x", "type": "practice_bucket"}],
    "outputs": {"id": "b-1", "name": "x"},
    "apply_s": 1.0,
    "cost_per_hour": 0,
    "currency": "USD",
}


@pytest.fixture
def coder(tmp_path, monkeypatch, capsys):
    """Runs `appliance resource coder …`."""
    monkeypatch.setenv("APPLIANCE_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = run(arguments, command)
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def candidate(tmp_path):
    with Store.open(tmp_path) as store:
        return store.candidates.propose(
            console="practice", request="a bucket", hcl=TEXT, report=REPORT
        )


def test_nothing_yet(coder):
    assert coder("list") == (0, "", "0 modules.\n")
    code, out, _ = coder("list", "--json")
    assert (code, json.loads(out)) == (0, [])


def test_what_waits_is_listed_and_shown(coder, candidate):
    code, out, _ = coder("list")
    assert code == 0
    assert candidate.id in out
    assert "a bucket" in out
    code, out, _ = coder("show", candidate.id[:4])
    assert (code, out) == (0, f"# a bucket\n\n{TEXT}\n")
    code, out, _ = coder("show", candidate.id, "--json")
    assert json.loads(out)["report"]["provider"] == "practice"


def test_what_an_earlier_version_kept_is_listed_and_shown(coder, tmp_path):
    with Store.open(tmp_path) as store:
        old = store.candidates.propose(
            console="practice", request="an old bucket", hcl=HCL, report=REPORT
        )
    assert "an old bucket" in coder("list")[1]
    assert coder("show", old.id)[:2] == (0, f"# an old bucket\n\n{HCL}\n")
    code, _, err = coder("accept", old.id)
    assert code == 2
    assert "was written in HCL, for an earlier version" in err
    assert coder("reject", old.id, "--note", "old")[0] == 0


def test_accepted_it_is_a_module(coder, candidate, tmp_path):
    code, out, err = coder("accept", candidate.id, "--name", "plain_bucket", "--note", "useful")
    assert code == 0, err
    folder = Path(out.strip())
    assert folder == tmp_path / "modules" / "practice" / "plain_bucket"
    assert (folder / "module.yaml").exists()
    assert coder("list") == (0, "", "0 modules.\n")
    code, out, _ = coder("list", "--all", "--json")
    (decided,) = json.loads(out)
    assert (decided["state"], decided["note"]) == ("accepted", "useful")
    code, _, err = coder("accept", candidate.id)
    assert code == 2
    assert "was accepted by" in err


def test_rejected_it_stays_with_the_reason(coder, candidate):
    code, _, err = coder("reject", candidate.id)
    assert code == 2  # no reason
    assert "--note" in err
    code, _, err = coder("reject", candidate.id, "--note", "there is a module for it")
    assert (code, err) == (0, f"{candidate.id} is rejected.\n")
    _, out, _ = coder("list", "--all")
    assert "there is a module for it" in out


def test_an_id_that_is_not_there(coder, candidate):
    code, _, err = coder("accept", "zzzz")
    assert code == 2
    assert "there is no module zzzz" in err
