"""What of an OpenStack account's things has to go: no cloud is needed to say that."""

from datetime import UTC, datetime

import pytest

from appliance.consoles import Trace
from appliance.consoles.openstack.audit import CreatedResource
from appliance.consoles.openstack.inventory import CloudResource
from appliance.consoles.openstack.recover import resources_to_remove
from appliance.core.resources import Inventory

MARKER = "cda0a1b2"
OLD = CreatedResource("network", "n-old", "old")
NEW = CreatedResource("network", "n-new", "new")
MARKED = CreatedResource("network", "n-marked", f"net-{MARKER}")
FLAVOR = CreatedResource("flavor", "f-new", "new")


def found(*made):
    return [CloudResource(resource=one) for one in made]


def trace(before=None, **more):
    before = Inventory.of(one.thing for one in found(*before)) if before is not None else None
    return Trace(since=datetime.now(UTC), unique=MARKER, before=before, **more)


def test_what_is_new_goes_and_what_was_there_stays():
    known = trace(before=[OLD])
    assert resources_to_remove(known, (), None, found(OLD, NEW)) == [NEW]
    assert resources_to_remove(known, (), [OLD, NEW], found(OLD, NEW)) == [NEW]


def test_what_the_log_tells_goes_even_where_it_cannot_be_listed_until_it_is_gone():
    elsewhere = CreatedResource("network", "n-x", "in another project", "p-x")
    assert resources_to_remove(trace(before=[]), (), [elsewhere], ()) == [elsewhere]
    assert resources_to_remove(trace(before=[]), (), [elsewhere], (), {("network", "n-x")}) == []
    assert resources_to_remove(trace(before=[]), (), [NEW], found(NEW), {("network", "n-new")}) == [
        NEW
    ]


@pytest.mark.parametrize("logged", [None, [], [NEW, MARKED]])
def test_in_a_shared_account_the_marker_decides(logged):
    assert resources_to_remove(trace(), (), logged, found(OLD, NEW, MARKED)) == [MARKED]
    assert resources_to_remove(trace(), (NEW,), logged, found(OLD, NEW, MARKED))[0] == NEW


def test_what_is_everybody_s_may_be_another_administrator_s():
    marked = CreatedResource("flavor", "f-marked", f"f-{MARKER}")
    assert resources_to_remove(trace(before=[]), (), [], found(FLAVOR, marked)) == [marked]
    assert resources_to_remove(trace(before=[]), (), [FLAVOR], found(FLAVOR)) == [FLAVOR]
    assert resources_to_remove(trace(before=[]), (), None, found(FLAVOR)) == [FLAVOR]
    assert resources_to_remove(trace(before=[marked]), (), [], found(marked)) == []


def test_what_terraform_made_stays_with_what_came_with_it():
    port = CreatedResource("port", "p-1")
    came_with_it = CloudResource(resource=port, instance="i-1")
    instance = CreatedResource("instance", "i-1", "web")
    kept = trace(before=[], keep=frozenset({"i-1"}))
    told = [instance, port, NEW]
    assert resources_to_remove(kept, (), told, [*found(instance, NEW), came_with_it]) == [NEW]
    unkept = trace(before=[])
    assert resources_to_remove(unkept, (), None, [came_with_it]) == [port]
