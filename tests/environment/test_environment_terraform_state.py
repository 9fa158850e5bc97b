"""The state on the disk, whole and after whoever wrote it was killed."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.core.secrets import MASK, without_secrets
from appliance.environment.terraform import TerraformError
from appliance.environment.terraform.statefile import BACKUP, FILE, TORN, mend, read_state


def resource(kind, name, *instances, module=None, mode="managed"):
    found = {
        "mode": mode,
        "type": kind,
        "name": name,
        "provider": "p",
        "instances": list(instances),
    }
    return {"module": module, **found} if module else found


def instance(id, name=None, **more):
    return {"schema_version": 1, "attributes": {"id": id, "name": name}, **more}


def state(*resources, serial=3):
    return {
        "version": 4,
        "terraform_version": "1.11.4",
        "serial": serial,
        "lineage": "0c5b-line",
        "outputs": {"id": {"value": "net-1", "type": "string"}, "s": {"value": [1]}},
        "resources": list(resources),
        "check_results": None,
    }


NETWORK = resource("practice_network", "this", instance("net-1", "n"), module="module.network_1")
DISKS = resource(
    "practice_disk",
    "d",
    instance("d-1", "one", index_key=0),
    instance("d-2", "two", index_key='a"b'),
)
LOOKUP = resource("practice_item", "x", instance("i-1"), mode="data")
WHOLE = json.dumps(state(NETWORK, DISKS, LOOKUP), indent=2)


def addresses(folder):
    return [each.address for each in read_state(folder).resources]


def test_a_whole_state_is_read(tmp_path):
    (tmp_path / FILE).write_text(WHOLE)
    found = read_state(tmp_path)
    assert [(each.address, each.id, each.name) for each in found.resources] == [
        ("module.network_1.practice_network.this", "net-1", "n"),
        ("practice_disk.d[0]", "d-1", "one"),
        ('practice_disk.d["a\\"b"]', "d-2", "two"),
        ("data.practice_item.x", "i-1", ""),
    ]
    assert len(found.managed) == 3
    assert found.outputs == {"id": "net-1", "s": [1]}
    assert (found.is_torn, mend(tmp_path)) == (False, False)


def test_outputs_that_are_sensitive_are_secrets(tmp_path):
    outputs = {
        "key": {"value": {"parts": ["Zq7/tangerine"]}, "sensitive": True},
        "id": {"value": "net-17-of-docs"},
    }
    (tmp_path / FILE).write_text(json.dumps({"version": 4, "outputs": outputs, "resources": []}))
    read_state(tmp_path)
    said = without_secrets("Zq7/tangerine opens net-17-of-docs")
    assert said == f"{MASK} opens net-17-of-docs"


def test_no_file_and_a_file_of_nothing_hold_nothing(tmp_path):
    assert addresses(tmp_path) == []
    (tmp_path / FILE).write_text("")  # as Terraform leaves it when it is killed before it writes
    assert addresses(tmp_path) == []
    assert not mend(tmp_path)


def test_an_emptied_state_is_taken_from_its_backup(tmp_path):
    (tmp_path / FILE).write_text("")
    (tmp_path / BACKUP).write_text(WHOLE)
    assert len(addresses(tmp_path)) == 4
    assert mend(tmp_path)
    assert json.loads((tmp_path / FILE).read_text())["lineage"] == "0c5b-line"
    assert not mend(tmp_path)


def test_a_torn_state_keeps_what_is_whole_in_it_and_what_the_backup_had(tmp_path):
    later = resource("practice_disk", "d", instance("d-9", "nine", index_key=0))
    text = json.dumps(state(later, NETWORK, serial=9), indent=2)
    torn = text[: text.index("practice_network")]
    (tmp_path / FILE).write_text(torn)
    (tmp_path / BACKUP).write_text(WHOLE)
    assert read_state(tmp_path).is_torn
    assert mend(tmp_path)
    found = {each.address: each.id for each in read_state(tmp_path).resources}
    assert found["practice_disk.d[0]"] == "d-9", "the later one"
    assert found["module.network_1.practice_network.this"] == "net-1", "from the backup"
    assert len(found) == 4
    assert json.loads((tmp_path / FILE).read_text())["serial"] == 10
    assert (tmp_path / TORN).read_text() == torn
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ["\0" * 4096, "no JSON", '{"version": 4', "[1]", '{"version": 3}'])
def test_a_state_of_which_nothing_is_left_is_told(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    with pytest.raises(
        TerraformError, match=r"terraform\.tfstate cannot be read, nor is there a b"
    ):
        read_state(tmp_path)
    with pytest.raises(TerraformError):
        mend(tmp_path)
    assert (tmp_path / FILE).read_text() == text, "nothing is thrown away"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(cut=st.integers(0, len(WHOLE)), has_backup=st.booleans())
def test_wherever_it_is_torn_it_can_be_used_again_or_is_told(tmp_path, cut, has_backup):
    (tmp_path / FILE).write_text(WHOLE[:cut])
    (tmp_path / BACKUP).unlink(missing_ok=True)
    if has_backup:
        (tmp_path / BACKUP).write_text(WHOLE)
    try:
        mend(tmp_path)
    except TerraformError:
        assert not has_backup
        assert cut < WHOLE.index('"resources"')
        return
    found = addresses(tmp_path)
    assert not read_state(tmp_path).is_torn
    assert len(found) == 4 if has_backup else len(found) <= 4
    if cut >= WHOLE.index('"practice_disk"'):
        assert "module.network_1.practice_network.this" in found


@given(st.binary(max_size=200) | st.text().map(str.encode))
def test_garbage_is_told(tmp_path_factory, garbage):
    folder = tmp_path_factory.getbasetemp()
    (folder / FILE).write_bytes(garbage)
    try:
        assert read_state(folder).resources == ()
    except TerraformError as exc:
        assert str(folder) in str(exc)
