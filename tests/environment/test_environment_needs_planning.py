from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.core.checks import Need
from appliance.core.errors import ProvisioningError
from appliance.documents import load_documents
from appliance.environment.needs import Reference, plan
from tests.environment.environment_needs_modules import catalogue, module, variable

ID = "disk-3f9a01c27d"


def need(kind, **values):
    return Need(kind=kind, values=values)


def planned(*needs, modules=None, **more):
    return plan(needs, modules or catalogue(), "cda1", **more)


def shown(found):
    """Blocks as `label: argument=value, …`, references as `→label`."""

    def said(value):
        match value:
            case Reference(block=label):
                return f"→{label}"
            case tuple():
                return "[" + " ".join(said(v) for v in value) + "]"
            case _:
                return str(value)

    return [
        f"{block.label}: " + ", ".join(f"{k}={said(v)}" for k, v in sorted(block.arguments.items()))
        for block in found.blocks
    ]


def test_what_is_required_is_made_once_and_before():
    found = planned(need("instance", name="web"), need("instance", name="db"))
    assert shown(found) == [
        "network_1: name=network-cda1",
        "security_group_1: name=security-group-cda1",
        "subnet_1: name=subnet-cda1, network=→network_1",
        "instance_1: groups=[→security_group_1], name=web, network=→network_1, subnet=→subnet_1",
        "instance_2: groups=[→security_group_1], name=db, network=→network_1, subnet=→subnet_1",
    ]
    assert found.names == {"instance": "instance_1", "instance 2": "instance_2"}


def test_values_name_other_things():
    found = planned(
        need("network", name="lab", cidr="10.7.0.0/16"),
        need("instance", name="app", network="lab"),
        need("disk", name="vol", instance="app", state="in-use"),
    )
    assert shown(found)[0] == "network_1: cidr=10.7.0.0/16, name=lab"
    assert "subnet_1: name=subnet-cda1, network=→network_1" in shown(found)
    assert shown(found)[-1] == "disk_1: instance=→instance_1, name=vol, state=in-use"


def test_an_instance_is_in_the_network_of_its_subnet():
    found = planned(
        need("network", name="lab"),
        need("subnet", name="bench", network="lab"),
        need("instance", subnet="bench"),
    )
    assert [b.label for b in found.blocks if b.module.name == "network"] == ["network_1"]
    assert found.blocks[-1].arguments["network"] == Reference("network_1")


def test_a_state_brings_what_it_needs():
    found = planned(need("disk", state="in-use"))
    assert found.blocks[-1].arguments["instance"] == Reference("instance_1")
    assert "state" not in planned(need("disk", state="available")).blocks[0].arguments


def test_a_value_may_be_an_id_of_what_is_there():
    found = planned(need("disk", instance="ins-0a9c8f7e6d"))
    assert [b.label for b in found.blocks] == ["disk_1"]
    assert found.blocks[0].arguments["instance"] == "ins-0a9c8f7e6d"
    listed = planned(
        need("security_group", name="open"), need("instance", groups=f"open, {ID}")
    ).blocks[-1]
    assert listed.arguments["groups"] == (Reference("security_group_1"), ID)


def test_a_region_holds_for_what_is_made_unasked_too():
    found = planned(
        need("instance", region="eu-2"), need("instance"), need("security_rule", region="eu-2")
    )
    regions = {b.label: b.region for b in found.blocks}
    assert regions == {
        "network_1": "eu-2", "subnet_1": "eu-2", "security_group_1": "eu-2", "instance_1": "eu-2",
        "network_2": "", "subnet_2": "", "security_group_2": "", "instance_2": "",
        "security_rule_1": "eu-2",
    }  # fmt: skip
    assert found.blocks[-1].arguments["group"] == Reference("security_group_1")


def test_names_are_not_given_twice():
    found = planned(need("disk"), need("disk"), need("disk", name="disk-cda1n3"), need("disk"))
    names = [b.arguments["name"] for b in found.blocks]
    assert names == ["disk-cda1", "disk-cda1n2", "disk-cda1n3", "disk-cda1n4"]


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("size", "100", 100),
        ("size", " 1.5 ", 1.5),
        ("encrypted", "Enabled", True),
        ("encrypted", "no", False),
        ("tags", "a=1, b = x=y", {"a": "1", "b": "x=y"}),
        ("tags", '{"a,b": 1}', {"a,b": "1"}),
        ("tags", "", {}),
        ("days", "monday, sunday", ["monday", "sunday"]),
        ("days", '["a, b", "c"]', ["a, b", "c"]),
        ("name", "${path.module} %{if}", "${path.module} %{if}"),
    ],
)
def test_values_have_the_type_of_the_variable(key, text, value):
    assert planned(need("disk", **{key: text})).blocks[0].arguments[key] == value


def test_a_variable_goes_by_the_word_of_the_needs():
    block = planned(need("instance", source="custom")).blocks[-1]
    assert block.arguments["image_source"] == "custom"


@pytest.mark.parametrize(
    ("needs", "said"),
    [
        ([need("disk", sise="3")], "a disk has no 'sise'; did you mean 'size'?"),
        ([need("disk", size="big")], "a disk has size: 'big'; write a number"),
        ([need("disk", encrypted="maybe")], "write true or false"),
        ([need("disk", tags="a")], "a disk has tags: 'a'; write key=value"),
        (
            [need("disk", state="in-us")],
            "a disk cannot be brought into the state 'in-us'; did you mean 'in-use'?",
        ),
        (
            [need("instance", name="app-1"), need("disk", instance="app-2")],
            "a disk has instance: 'app-2', but no instance of that name; did you mean 'app-1'?",
        ),
        ([need("disk", instance="app-x")], "no instance is needed before it"),
        (
            [need("instance", name="app-cda1f2e3d"), need("disk", instance="ap-cda1f2e3d")],
            "did you mean 'app-cda1f2e3d'?",
        ),
        (
            [need("disk", instance="app"), need("instance", name="app")],
            "a disk has instance: 'app', which is not made before it: list that need first",
        ),
        (
            [need("disk", name="vol"), need("disk", instance="vol")],
            "a disk has instance: 'vol', which is a disk, not an instance",
        ),
        ([need("disk", name="me", instance="me")], "which is not made before it"),
    ],
)
def test_what_cannot_be_understood_is_said(needs, said):
    with pytest.raises(ProvisioningError) as problem:
        planned(*needs)
    assert said in str(problem.value)


def test_a_problem_is_said_with_its_place(tmp_path):
    (tmp_path / "a.md").write_text("# Disks\n\n## Sort a disk\n\n1. Click **Sort**.\n")
    (tmp_path / "a.checks.yaml").write_text(
        "procedures:\n  sort-a-disk:\n    needs:\n      - disk\n      - disk: {nme: x}\n"
    )
    needs = load_documents([tmp_path / "a.md"])[0].procedures[0].checks.needs
    with pytest.raises(ProvisioningError, match=r"a\.checks\.yaml:5:9: a disk has no 'nme'"):
        planned(*needs)


def test_modules_in_a_circle_are_told():
    modules = catalogue(
        module("hen", variable("egg", module="egg", is_required=True)),
        module("egg", variable("hen", module="hen", is_required=True)),
    )
    with pytest.raises(ProvisioningError, match="modules require each other: hen → egg → hen"):
        planned(need("hen"), modules=modules)


def test_a_required_module_that_is_missing_is_told():
    modules = catalogue()
    del modules["security_group"]
    with pytest.raises(ProvisioningError, match="instance requires a security_group, and there"):
        planned(need("instance"), modules=modules)


def test_a_required_value_that_nobody_gives_is_told():
    modules = catalogue(module("record", variable("value", is_required=True)))
    with pytest.raises(ProvisioningError, match="record requires a value for 'value'"):
        planned(need("record"), modules=modules)


def test_a_need_goes_by_the_words_of_documents():
    found = planned(need("cloud disk"), need("云盘"), need("VPC"))
    assert [b.label for b in found.blocks] == ["disk_1", "disk_2", "network_1"]
    assert found.names == {"cloud disk": "disk_1", "云盘": "disk_2", "VPC": "network_1"}


def test_what_no_module_provides_is_made_by_the_console():
    """And what refers to it, and all that is of the same kind."""
    backup = need("backup", name="b", disk="vol")
    modules = catalogue(module("copy", variable("backup", module="backup")))
    needs = [
        need("disk", name="vol"), backup, need("copy", name="c", backup="b"), need("copy"),
    ]  # fmt: skip
    found = planned(*needs, modules=modules)
    assert list(found.by_console) == needs[1:]
    assert found.names == {"disk": "disk_1"}


def test_what_nobody_asked_for_may_be_shared():
    modules = catalogue(sharing=("network", "subnet", "disk"))
    found = planned(
        need("instance", region="eu-2"), need("network", name="own"),
        need("instance", network="own"), need("disk"), modules=modules,
    )  # fmt: skip
    assert [b.label for b in found.shared] == ["shared_network_eu_2", "shared_subnet_eu_2"]
    assert all("name" not in b.arguments and b.need is None for b in found.shared)
    assert [b.label for b in found.blocks] == [
        "security_group_1", "instance_1", "network_1", "security_group_2", "subnet_1",
        "instance_2", "disk_1",
    ]  # fmt: skip
    alone = planned(need("instance"), modules=modules, shared=False)
    assert not alone.shared


def test_what_lies_in_something_unshared_is_not_shared():
    found = planned(need("instance"), modules=catalogue(sharing=("subnet",)))
    assert not found.shared


KINDS = ("network", "subnet", "instance", "disk", "security_rule", "backup")


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(["", "eu-2"])), max_size=8))
def test_every_reference_is_to_a_block_before(kinds):
    needs = [Need(kind=kind, values={"region": region} if region else {}) for kind, region in kinds]
    found = planned(*needs, modules=catalogue(sharing=("network", "security_group")))
    known = set()
    for block in (*found.shared, *found.blocks):
        for argument in block.arguments.values():
            for part in argument if isinstance(argument, tuple) else (argument,):
                assert not isinstance(part, Reference) or part.block in known
        assert block.label not in known
        known.add(block.label)
    assert [b.need for b in found.blocks if b.need] == [n for n in needs if n.kind != "backup"]
    assert set(found.names.values()) == {b.label for b in found.blocks if b.need}
    names = [b.arguments["name"] for b in found.blocks if "name" in b.arguments]
    assert len(names) == len(set(names))


def test_a_name_in_the_plan_can_be_an_other_kind_s():
    """Clouds hold names apart by kind; so do we."""
    found = planned(
        need("network", name="web"), need("instance", name="web", network="web"),
        need("disk", instance="web"),
    )  # fmt: skip
    assert found.blocks[-1].arguments["instance"] == Reference("instance_1")


def test_a_kind_that_has_no_state_says_so():
    wrong = replace(need("network"), values={"state": "gone"})
    with pytest.raises(ProvisioningError, match="there is available"):
        planned(wrong)
