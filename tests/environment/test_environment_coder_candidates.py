import sys
from pathlib import Path

import pytest

from appliance.config import CoderSettings, Settings
from appliance.core.errors import SetupError
from appliance.environment.coder.acceptance import accept
from appliance.environment.coder.allowed import allowed
from appliance.environment.coder.draft import Draft
from appliance.environment.coder.report import CoderReport, Made
from appliance.environment.coder.schema import load_schema
from appliance.environment.modules import Catalogue
from appliance.environment.modules.catalogue import module_folders
from appliance.store.candidates import CandidateState
from appliance.store.store import Store

sys.path[:0] = [str(Path(__file__).parent)]
from coder_script import GOOD, NETWORK, PLAIN, merged  # noqa: E402

SOURCE = "practice.appliance.local/appliance/practice"


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "data") as store:
        yield store


def settings(tmp_path, *modules):
    terraform = {"modules": modules}
    return Settings(data_dir=tmp_path / "data", environment={"terraform": terraform})


def proposed(store, hcl=GOOD, *, request="A bucket with an object in it.", made=None, **more):
    things = made or (
        Made(kind="bucket", name="made-cda1f2e3", id="b-1", type="practice_bucket"),
        Made(kind="object", name="made-cda1f2e3.txt", id="o-1", type="practice_object"),
    )
    given = {
        "request": request,
        "console": "practice",
        "prompt": "coder-1",
        "provider": "practice",
        "source": SOURCE,
        "made": things,
        "outputs": {"id": things[0].id, "name": things[0].name},
        "hcl": Draft(hcl).text if isinstance(hcl, dict) else hcl,
        "cost_per_hour": 0.25,
        "currency": "USD",
        "apply_s": 2.345,
        **more,
    }
    report = CoderReport(**given)
    return store.candidates.propose(
        console=report.console, request=report.request, hcl=report.hcl, report=report.as_json()
    )


def test_what_is_accepted_is_a_module(store, tmp_path):
    where = settings(tmp_path)
    assert module_folders(where) == ()
    candidate = proposed(store)
    folder = accept(store.candidates, candidate, where, by="mia")
    assert folder == tmp_path / "data" / "modules" / "practice" / "bucket_with_object"
    assert sorted(f.name for f in folder.iterdir()) == ["main.tf.json", "module.yaml"]
    assert [p.name for p in folder.parent.iterdir()] == ["bucket_with_object"]
    catalogue = Catalogue.load(module_folders(where))
    module = catalogue.module("practice", "bucket_with_object")
    assert Catalogue([module]).check() == ()
    assert (module.provider, module.named) == ("practice", "made-${unique}")
    assert module.provides["en"] == "A bucket with an object in it."
    assert module.words["en"] == ("bucket with object",)
    assert module.variables["name"].is_required
    assert (module.check.kind, module.check.state) == ("bucket", "")
    assert (module.cost.per_hour, module.cost.currency, module.takes_s) == (0.25, "USD", 2.3)
    assert f'"source": "{SOURCE}"' in (folder / "main.tf.json").read_text()
    (kept,) = store.candidates.all()
    assert (kept.state, kept.decided_by, kept.note) == (CandidateState.ACCEPTED, "mia", str(folder))


def test_the_first_folder_that_can_be_written_is_taken(store, tmp_path):
    (tmp_path / "mine").mkdir()
    where = settings(tmp_path, tmp_path / "mine")
    folder = accept(store.candidates, proposed(store), where, name="pair", by="mia", note="why")
    assert folder == tmp_path / "mine" / "practice" / "pair"
    assert Catalogue.load(module_folders(where)).module("practice", "pair").folder == folder
    assert store.candidates.all()[0].note == "why"


def test_variables_and_outputs_of_every_type(store, tmp_path):
    variables = {
        "count_of": {"type": "number", "description": "How many.", "default": 2},
        "ratio": {"type": "number", "default": 0.5},
        "is_big": {"type": "bool", "default": True},
        "zones": {"type": "list(string)", "default": ["zone-a", "zone-b"]},
        "tags": {"type": "map(string)", "default": {"a": "1", "b c": '$2 "x"'}},
        "note": {"type": "string", "default": None},
    }
    outputs = {"id": "n-1", "name": "x", "subnets": ["s-1", "s-2"]}
    made = (Made(kind="network", name="x", id="n-1", type="practice_network"),)
    candidate = proposed(
        store, merged(NETWORK, {"variable": variables}), made=made, outputs=outputs
    )
    folder = accept(store.candidates, candidate, settings(tmp_path), name="net", by="mia")
    module = Catalogue.load([tmp_path / "data" / "modules"]).module("practice", "net")
    assert module.folder == folder
    assert {name: v.default for name, v in module.variables.items()} == {
        "name": None,
        "count_of": 2,
        "ratio": 0.5,
        "is_big": True,
        "zones": ["zone-a", "zone-b"],
        "tags": {"a": "1", "b c": '$2 "x"'},
        "note": None,
    }
    assert module.outputs == {"id": "string", "name": "string", "subnets": "list(string)"}


def test_a_name_made_of_what_there_is(store, tmp_path):
    made = (Made(kind="bucket", name="x", id="b-1", type="practice_bucket"),)
    candidate = proposed(store, PLAIN, made=made)
    folder = accept(store.candidates, candidate, settings(tmp_path), by="mia")
    assert folder.name == f"bucket_{candidate.id}"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("bucket", "already"),
        ("../x", "no name of a module"),
        ("Büro", "no name"),
        ("a b", "no name"),
    ],
)
def test_names_that_are_refused(store, tmp_path, name, why):
    candidate = proposed(store)
    with pytest.raises(SetupError, match=why):
        accept(store.candidates, candidate, settings(tmp_path), name=name, by="mia")
    assert store.candidates.all()[0].state is CandidateState.PROPOSED


def test_what_the_catalogue_would_not_take_is_not_left_there(store, tmp_path):
    candidate = proposed(store, request=" ", made=None)
    with pytest.raises(SetupError, match="provides"):
        accept(store.candidates, candidate, settings(tmp_path), by="mia")
    assert list((tmp_path / "data").glob("modules/practice/*")) == []
    assert store.candidates.all()[0].state is CandidateState.PROPOSED
    Catalogue.load(module_folders(settings(tmp_path)))


def test_one_that_was_decided_is_not_accepted(store, tmp_path):
    candidate = proposed(store)
    decided = store.candidates.decide(candidate.id, CandidateState.REJECTED, by="noa", note="no")
    with pytest.raises(SetupError, match="was rejected by noa before"):
        accept(store.candidates, decided, settings(tmp_path), by="mia")


def test_a_request_in_chinese_is_kept_as_it_is(store, tmp_path):
    candidate = proposed(store, request="一个带有对象的存储桶: #1")
    accept(store.candidates, candidate, settings(tmp_path), by="mia")
    module = Catalogue.load([tmp_path / "data" / "modules"]).module(
        "practice", "bucket_with_object"
    )
    assert module.provides["zh"] == "一个带有对象的存储桶: #1"


def test_what_was_kept_as_hcl_is_not_accepted(store, tmp_path):
    """Of an earlier version: it is listed and shown, and somebody may still reject it."""
    candidate = proposed(store, 'resource "practice_bucket" "this" {\n  name = var.name\n}\n')
    with pytest.raises(SetupError, match=f"{candidate.id} was written in HCL"):
        accept(store.candidates, candidate, settings(tmp_path), by="mia")
    assert list((tmp_path / "data").glob("modules/practice/*")) == []
    assert store.candidates.all() == (candidate,)


def test_what_is_accepted_counts_for_what_may_be_written_next(store, tmp_path):
    accept(store.candidates, proposed(store), settings(tmp_path), by="mia")
    module = Catalogue.load([tmp_path / "data" / "modules"]).module(
        "practice", "bucket_with_object"
    )
    found = allowed([module], load_schema("practice"), CoderSettings())
    assert {name: price.per_hour for name, price in found.prices.items()} == {
        "practice_bucket": 0.25,
        "practice_object": 0.0,
    }


@pytest.mark.parametrize("text", ["{", "[]", '{"resource": 1}'])
def test_a_module_that_was_spoilt_since_is_said(store, tmp_path, text):
    folder = accept(store.candidates, proposed(store), settings(tmp_path), by="mia")
    (folder / "main.tf.json").write_text(text)
    module = Catalogue.load([tmp_path / "data" / "modules"]).module("practice", folder.name)
    with pytest.raises(SetupError, match="is no Terraform"):
        allowed([module], load_schema("practice"), CoderSettings())
