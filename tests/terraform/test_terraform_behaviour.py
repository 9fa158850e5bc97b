"""What the provider does beyond setting values, against the real Terraform."""

import pytest
from terraform_hcl import HEAD
from terraform_runner import actions

pytestmark = pytest.mark.timeout(300)

MACHINE = """
resource "practice_network" "n" {
  name = "%(name)s"
  tags = { env = "test" }
}
resource "practice_subnet" "s" {
  name    = "%(name)s"
  network = practice_network.n.id
  cidr    = "10.0.1.0/24"
}
resource "practice_security_group" "g" {
  name = "%(name)s"
}
resource "practice_key_pair" "k" {
  name = "%(name)s"
}
resource "practice_instance" "i" {
  name      = "%(name)s"
  image     = "debian-12"
  network   = practice_network.n.id
  subnet    = practice_subnet.s.id
  groups    = [practice_security_group.g.id]
  key       = practice_key_pair.k.id
  user_data = <<-END
    #!/bin/sh
    echo hello
  END
  %(instance)s
}
resource "practice_disk" "d" {
  name        = "%(name)s"
  %(disk)s
}
"""
NETWORK = 'resource "practice_network" "n" {\n  name = "%s"\n}\n'


def machine(name, instance="", disk=""):
    return HEAD + MACHINE % {"name": name, "instance": instance, "disk": disk}


@pytest.fixture(scope="module")
def tf(terraform):
    return terraform()


def made(tf, text, expected=None):
    """Apply; the state after it, which a further plan must not want to change."""
    plan = tf.plan(text)
    if expected is not None:
        assert actions(plan) == expected
    assert tf.apply() == {}
    assert actions(tf.plan()) == {}
    return tf.state()


@pytest.fixture
def events(api):
    """The names of what was done from here on with a resource."""
    before = len(_log(api))

    def found(kind):
        return [event["name"] for event in _log(api)[before:] if event["target_type"] == kind]

    return found


def _log(api):
    events = api.get("/api/audit", params={"limit": 1000}).json()["events"]
    return sorted(events, key=lambda event: event["time"])


def test_states_are_passed_through_where_an_edit_needs_one(tf, events):
    """An instance is stopped to be resized; a disk is detached to be expanded, and moved."""
    tf.init(HEAD)
    attached = "instance = practice_instance.i.id"
    state = made(tf, machine("machine", 'size = "small"', f"size = 40\n  {attached}"))
    assert state["practice_instance.i"]["state"] == "running"
    assert state["practice_disk.d"]["state"] == "in-use"
    update = ["update"]
    state = made(
        tf,
        machine("machine", 'size = "large"', f"size = 60\n  {attached}"),
        {"practice_instance.i": update, "practice_disk.d": update},
    )
    assert (state["practice_instance.i"]["size"], state["practice_disk.d"]["size"]) == ("large", 60)
    assert state["practice_instance.i"]["state"] == "running"
    assert state["practice_disk.d"]["state"] == "in-use"
    assert events("instance")[-3:] == ["StopInstance", "ResizeInstance", "StartInstance"]
    assert events("disk")[-3:] == ["DetachDisk", "ExpandDisk", "AttachDisk"]


def test_what_is_left_out_again_has_its_default_or_nothing(tf):
    state = made(
        tf, machine("machine"), {"practice_instance.i": ["update"], "practice_disk.d": ["update"]}
    )
    assert state["practice_instance.i"]["size"] == "small"
    disk = state["practice_disk.d"]
    assert (disk["size"], disk["instance"], disk["state"]) == (40, None, "available")


def test_a_stopped_instance_is_resized_and_stays_stopped(tf, api, events):
    path = f"/api/compute/instances/{tf.state()['practice_instance.i']['id']}"
    api.post(f"{path}/stop", json={}).raise_for_status()
    made(tf, machine("machine", 'size = "medium"'), {"practice_instance.i": ["update"]})
    assert events("instance") == ["StopInstance", "ResizeInstance"]
    assert api.get(path).json()["state"] == "stopped"
    assert tf.destroy() == {}


def test_a_provider_works_in_its_region(terraform, api):
    text = HEAD + (
        'provider "practice" {\n  region = "east"\n}\n'
        'provider "practice" {\n  alias = "north"\n  region = "north"\n}\n' + NETWORK % "east"
    )
    text += NETWORK.replace('"n"', '"north"').replace(
        "{\n", "{\n  provider = practice.north\n", 1
    ) % ("north")
    tf = terraform()
    tf.init(text)
    state = made(tf, text)
    assert state["practice_network.n"]["region"] == "east"
    assert state["practice_network.north"]["region"] == "north"
    # Where the provider works from now on is no matter to what is there.
    assert actions(tf.plan(text.replace('region = "east"', 'region = "central"'))) == {}
    assert tf.destroy() == {}


LOOKUP = """
data "practice_item" "network" {
  kind = "network"
  name = practice_network.n.name
}
data "practice_item" "same" {
  kind = "network"
  id   = practice_network.n.id
}
resource "practice_subnet" "s" {
  name    = "found"
  network = data.practice_item.network.id
  cidr    = "10.0.1.0/24"
}
output "dns" {
  value = data.practice_item.same.values.dns
}
"""


def test_an_item_is_found_by_name_or_id(terraform):
    text = HEAD + NETWORK % "found" + LOOKUP
    tf = terraform()
    tf.init(text)
    tf.plan()
    assert tf.apply() == {}
    assert tf.run("output", "-raw", "dns") == "true"
    state = tf.state()
    assert state["practice_subnet.s"]["network"] == state["practice_network.n"]["id"]
    missing = text.replace("practice_network.n.name", '"missing"')
    tf.write(missing)
    assert "None is called 'missing'" in tf.run("plan", "-no-color", code=1)
    tf.write(text.replace('kind = "network"', 'kind = "netwrok"'))
    assert "There is no kind 'netwrok'" in tf.run("validate", "-no-color", code=1)
    tf.write(text)
    assert tf.destroy() == {}


def test_values_that_are_not_known_yet_are_planned_as_such(terraform):
    text = (
        HEAD
        + NETWORK % "known"
        + (
            'resource "practice_network" "later" {\n'
            "  name = practice_network.n.id\n"
            "  tags = { (practice_network.n.id) = practice_network.n.state }\n}\n"
        )
    )
    tf = terraform()
    tf.init(text)
    state = made(tf, text)
    first = state["practice_network.n"]
    assert state["practice_network.later"]["tags"] == {first["id"]: "available"}
    assert tf.destroy() == {}


def test_a_bucket_policy_is_set_after_the_creation_and_cleared(terraform, events):
    block = 'resource "practice_bucket" "b" {\n  name = "with-policy"\n%s}\n'
    with_policy, without = (HEAD + block % policy for policy in ('  policy = "{}"\n', ""))
    tf = terraform()
    tf.init(with_policy)
    assert made(tf, with_policy)["practice_bucket.b"]["policy"] == "{}"
    assert (
        made(tf, without, {"practice_bucket.b": ["update"]})["practice_bucket.b"]["policy"] is None
    )
    assert len(events("bucket")) == 3
    assert tf.destroy() == {}
