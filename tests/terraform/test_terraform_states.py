"""`state`: a resource is brought where the configuration wants it, by the cloud's own actions."""

from dataclasses import replace

import httpx
import pytest

from appliance.config import Settings
from appliance.consoles.base import TerraformAccess
from appliance.environment.terraform import Terraform
from appliance.environment.terraform.mirror import ADDRESS
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

pytestmark = pytest.mark.timeout(300)

THINGS = """
resource "practice_network" "n" {
  name = "%(name)s"
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
  name    = "%(name)s"
  image   = "debian-12"
  network = practice_network.n.id
  subnet  = practice_subnet.s.id
  groups  = [practice_security_group.g.id]
  key     = practice_key_pair.k.id
  state   = "%(instance)s"
}
resource "practice_disk" "d" {
  name = "%(name)s"
  %(disk)s
}
resource "practice_elastic_address" "a" {
  name = "%(name)s"
  %(address)s
}
resource "practice_user" "u" {
  name = "%(name)s"
  %(user)s
}
"""
ON = "instance = practice_instance.i.id"


def things(name="states", **said):
    given = {"instance": "running", "disk": "", "address": "", "user": "", **said}
    return THINGS % {"name": name, **given}


@pytest.fixture(scope="module")
def access(cloud, tmp_path_factory):
    password = tmp_path_factory.mktemp("password") / "password"
    password.write_text(cloud.password)
    return TerraformAccess(
        provider="practice",
        source=ADDRESS,
        arguments={"endpoint": cloud.url},
        environment={"PRACTICE_USER": "alice", "PRACTICE_PASSWORD_FILE": str(password)},
        hosts=frozenset(),
    )


@pytest.fixture
async def runner(tmp_path):
    pytest.importorskip("tf", reason="the provider needs the extra `terraform`")
    runner = Terraform(Settings().environment.terraform, tmp_path)
    yield runner
    await runner.close()


@pytest.fixture
def made(runner, access, api):
    """Applies a text; the states of what it made."""

    async def made(text):
        workspace = await runner.open("states", {}, access, files={"things.tf": text})
        await workspace.apply()
        assert {c.actions for c in await workspace.plan()} == {("no-op",)}
        return {each.type: item(api, each)["state"] for each in workspace.state()}

    return made


PATHS = {
    "practice_instance": "/api/compute/instances",
    "practice_disk": "/api/disks/disks",
    "practice_elastic_address": "/api/networking/addresses",
    "practice_user": "/api/identity/users",
}


def item(api, resource):
    if resource.type not in PATHS:
        return {"state": None}
    return api.get(f"{PATHS[resource.type]}/{resource.id}").json()


def seen(states):
    return [states[name] for name in PATHS]


async def test_a_thing_is_brought_into_its_state_and_out_of_it_again(made, runner, access):
    wanted = f'{ON}\n  state = "in-use"'
    first = things(instance="stopped", disk=wanted, address=wanted, user='state = "suspended"')
    assert seen(await made(first)) == ["stopped", "in-use", "in-use", "suspended"]

    second = things(user='state = "active"')
    workspace = await runner.open("states", {}, access, files={"things.tf": second})
    changes = {each.type: each.actions for each in await workspace.plan()}
    assert {name: changes[name] for name in PATHS} == dict.fromkeys(PATHS, ("update",))
    assert seen(await made(second)) == ["running", "available", "available", "active"]

    # What is attached and suspended is destroyed as well; a state that is left out stays.
    await made(things(disk=wanted, user='state = "suspended"'))
    assert seen(await made(things(disk=ON))) == ["running", "in-use", "available", "suspended"]
    assert len(await workspace.destroy()) == 8
    assert workspace.state() == ()


async def test_a_state_that_cannot_be_is_told_before_anything_is_done(runner, access):
    said = things(disk='state = "in-use"', user='state = "asleep"')
    workspace = await runner.open("wrong", {}, access, files={"things.tf": said})
    assert sorted(each.detail for each in await workspace.validate()) == [
        "A user cannot be 'asleep'; it can be active, suspended.",
        "It becomes in-use by its instance: give that too.",
    ]


async def test_a_state_that_only_a_new_thing_can_have_makes_a_new_one(runner, access):
    async def window(state):
        said = {"name": "window", "date": "2027-01-15", "state": state}
        asked = {"resource": {"practice_maintenance_window": {"m": said}}}
        return await runner.open("window", asked, access)

    workspace = await window("cancelled")
    await workspace.apply()
    workspace = await window("planned")
    assert [each.actions for each in await workspace.plan()] == [("delete", "create")]
    await workspace.apply()
    assert len(await workspace.destroy()) == 1


PARTLY_KNOWN = """
resource "practice_key_pair" "k" {
  name = "key"
}
resource "practice_network" "n" {
  name = "after-${practice_key_pair.k.id}"
}
"""


async def test_a_name_of_which_a_part_is_known_later_is_planned(runner, access):
    workspace = await runner.open("partly", {}, access, files={"partly.tf": PARTLY_KNOWN})
    assert await workspace.validate() == []
    await workspace.apply()
    key, network = sorted(workspace.state(), key=lambda each: each.type)
    assert network.name == f"after-{key.id}"
    assert len(await workspace.destroy()) == 2


async def test_a_newer_release_is_given_what_it_requires_and_its_own_defaults(runner, access):
    """The provider's schema is that of the oldest release."""
    with serving(PracticeSettings(settle_s=0.1)) as newest:
        there = replace(access, arguments={"endpoint": newest.url})
        text = things(instance="stopped")
        workspace = await runner.open("newest", {}, there, files={"things.tf": text})
        await workspace.apply()
        with httpx.Client(base_url=newest.url, auth=("alice", newest.password)) as api:
            made = {each.type: each.id for each in workspace.state()}
            instance = api.get(f"{PATHS['practice_instance']}/{made['practice_instance']}").json()
            subnet = api.get(f"/api/networking/subnets/{made['practice_subnet']}").json()
        assert instance["values"]["environment"] == "development"
        assert subnet["values"]["zone"] == "zone-b"
        assert {c.actions for c in await workspace.plan()} == {("no-op",)}
        assert len(await workspace.destroy()) == 8


PROTECTED = """
resource "practice_network" "n" {
  name = "protected"
}
resource "practice_subnet" "s" {
  name    = "protected"
  network = practice_network.n.id
  cidr    = "10.0.1.0/24"
}
resource "practice_load_balancer" "b" {
  name    = "protected"
  network = practice_network.n.id
  subnet  = practice_subnet.s.id
}
"""


async def test_what_is_protected_from_deletion_is_destroyed_all_the_same(runner, access, api):
    workspace = await runner.open("protected", {}, access, files={"p.tf": PROTECTED})
    await workspace.apply()
    made = next(each for each in workspace.state() if each.type == "practice_load_balancer")
    path = f"/api/networking/load-balancers/{made.id}"
    api.put(f"{path}/protection", json={"is_protected": True}).raise_for_status()
    assert api.delete(path).status_code == 409
    assert len(await workspace.destroy()) == 3
    assert api.get(path).status_code == 404
