from dataclasses import replace
from functools import cache

import pytest

from appliance.config import CoderSettings
from appliance.environment.coder.allowed import allowed
from appliance.environment.coder.policy import against, cost_per_hour
from appliance.environment.coder.schema import Field, ProviderSchema, ResourceType, load_schema
from appliance.environment.modules import Catalogue
from appliance.environment.modules.types import Cost
from appliance.environment.terraform import PlannedChange

SOURCE = "practice.appliance.local/appliance/practice"


def change(type="practice_bucket", *, address="", name="made-cda1f2e3", **more):
    known = {
        "address": address or f"module.made.{type}.this",
        "type": type,
        "provider": SOURCE,
        "actions": ("create",),
        "after": {} if name is None else {"name": name},
    }
    return PlannedChange(**{**known, **more})


@cache
def limits(prices=0.0, only=(), currency="EUR", **settings):
    modules = Catalogue.load().of("practice").values()
    cost = Cost(per_hour=prices, currency=currency)
    chosen = [replace(m, cost=cost) for m in modules if not only or m.name in only]
    return allowed(chosen, load_schema("practice"), CoderSettings(**settings))


def against_it(*changes, within=None):
    found = against(changes, within or limits(), marker="cda1f2e3", sources=[SOURCE])
    return [str(each) for each in found]


def test_what_may_be_carried_out():
    assert against_it(change(), change("practice_object", name="made-cda1f2e3.txt")) == []


@pytest.mark.parametrize(
    "actions", ["delete", "update", "delete create", "create delete", "read", "forget", "no-op", ""]
)
def test_only_making_is_allowed(actions):
    assert "only making is allowed" in against_it(change(actions=tuple(actions.split())))[0]


@pytest.mark.parametrize("type", ["terraform_data", "null_resource", "practice_group2", ""])
def test_only_allowed_types(type):
    assert "is not allowed" in against_it(change(type))[0]


def test_only_the_provider_of_the_console():
    found = against_it(change(provider="terraform.io/builtin/terraform"))
    assert "the provider terraform.io/builtin/terraform is not the console's" in found[0]


def test_an_empty_plan():
    assert against_it() == ["the plan makes nothing"]
    look_up = change(
        "practice_item", address="module.made.data.practice_item.x", actions=("read",), name=None
    )
    assert against_it(look_up) == ["the plan makes nothing"]
    assert against_it(look_up, change()) == []


def test_a_look_up_reads_and_nothing_else():
    at = "module.made.data.practice_item.x"
    assert against_it(change(), change("practice_item", address=at, actions=("create",)))
    assert "is not allowed" in against_it(change(), change(address=at, actions=("read",)))[0]


def test_what_is_only_called_data_is_no_look_up():
    assert against_it(change(address="module.made.practice_bucket.data")) == []
    keyed = 'module.made.practice_bucket.this["data.x.y"]'
    assert against_it(change(address=keyed, actions=("read",)))


def test_names_have_the_marker():
    assert "does not have var.name" in against_it(change(name="example"))[0]
    assert "not known before it is made" in against_it(change(name=None))[0]
    assert against_it(change("practice_security_rule", name=None)) == []  # has none


@pytest.mark.parametrize(
    ("type", "field"),
    [
        ("alicloud_vpc", "vpc_name"),
        ("alicloud_security_group", "security_group_name"),
        ("aws_s3_bucket", "bucket"),
        ("alicloud_slb_load_balancer", "load_balancer_name"),
    ],
)
def test_names_of_other_clouds(type, field):
    fields = {name: Field(name=name, type="string") for name in (field, "description")}
    kind = ResourceType(name=type, fields=fields, blocks={})
    schema = ProviderSchema(resources={type: kind}, data={})
    within = replace(limits(), schema=schema, prices={type: limits().prices["practice_bucket"]})
    assert against_it(change(type, after={field: "x-cda1f2e3"}), within=within) == []
    assert against_it(change(type, after={field: "x"}), within=within)


def test_no_more_than_the_cap():
    many = [change(address=f"module.made.practice_bucket.this[{n}]") for n in range(3)]
    assert against_it(*many, within=limits(max_resources=3)) == []
    assert "makes 3 resources" in against_it(*many, within=limits(max_resources=2))[0]


def test_no_dearer_than_the_cap():
    two = [change(), change("practice_object")]
    assert against_it(*two, within=limits(0.5)) == []
    (said,) = against_it(*two, within=limits(0.6))
    assert said.startswith(
        "it would cost 1.2 EUR an hour (1 practice_bucket at 0.6, 1 practice_object at 0.6)"
    )
    assert "At most 1 EUR is allowed" in said
    assert cost_per_hour(two, limits(0.6)) == pytest.approx(1.2)
    assert against_it(change(), within=limits(0.01, max_cost_per_hour=0))
    assert against_it(change(), within=limits(0.0, max_cost_per_hour=0)) == []


def test_what_nobody_knows_the_price_of():
    """A type that only a pattern or a module names is refused; one that somebody named is not."""
    by_pattern = limits(allow=("practice_*",), only=("object",))
    assert set(by_pattern.schema.resources) == set(by_pattern.prices) == {"practice_object"}
    assert "practice_bucket" in by_pattern.unpriced
    assert against_it(change(), within=by_pattern)
    in_full = limits(allow=("practice_object", "practice_bucket"), only=("object",))
    assert against_it(change(), within=in_full) == []
    by_module = limits(only=("object",), currency="XXX")
    assert (by_module.schema.resources, by_module.unpriced) == ({}, {"practice_object"})


def test_every_console_of_ours_can_be_written_for():
    catalogue = Catalogue.load()
    for console in catalogue.consoles:
        modules, schema = catalogue.of(console).values(), load_schema(console)
        found = allowed(modules, schema, CoderSettings())
        types = tuple(found.schema.resources.keys() | found.unpriced)
        assert len(types) >= 9
        named = allowed(modules, schema, CoderSettings(allow=types))
        assert (set(named.schema.resources), named.unpriced) == (set(types), frozenset())
        assert set(named.schema.data) <= set(schema.data)


def test_without_an_allow_list_what_our_modules_use():
    found = limits(only=("bucket", "object"))
    assert set(found.schema.resources) == {"practice_bucket", "practice_object"}
    assert set(found.schema.data) == {"practice_item"}
    assert set(limits(allow=("practice_b*",)).schema.resources) == {
        "practice_bucket",
        "practice_backup",
    }
