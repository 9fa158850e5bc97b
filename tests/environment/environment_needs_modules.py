"""A small catalogue: a cloud with networks, instances and disks."""

from dataclasses import replace
from pathlib import Path

from appliance.environment.modules.types import Check, Cost, Module, Variable


def variable(name, type="string", module="", **more):
    return Variable(name=name, type=type, description=f"The {name}.", module=module, **more)


def module(name, *variables, words=(), zh=(), state="available", named=True, **more):
    kept = [*([variable("name")] if named else []), *variables]
    defaults = {
        "console": "practice",
        "folder": Path("/modules") / name,
        "provides": {"en": f"A {name}."},
        "words": {"en": tuple(words) or (name.replace("_", " "),), "zh": tuple(zh)},
        "provider": "practice",
        "outputs": {"id": "string", "name": "string"},
        "check": Check(kind=name, state=state),
        "takes_s": 1.0,
        "cost": Cost(per_hour=0.0, currency="EUR"),
        "destroyed_by": "destroy",
        "named": f"{name.replace('_', '-')}-${{unique}}" if named else "",
    }
    return Module(name=name, variables={v.name: v for v in kept}, **(defaults | more))


def catalogue(*others, sharing=()):
    """The modules by name; `others` are added, those named in `sharing` may be shared."""
    found = [
        module("network", variable("cidr", default="10.0.0.0/16"), words=("network", "VPC"),
               zh=("虚拟网络", "专有网络")),
        module("subnet", variable("network", module="network", is_required=True),
               variable("cidr", is_required=True, default="10.0.1.0/24"), zh=("子网",)),
        module("security_group", zh=("安全组",)),
        # the subnet first: what it lies in is made before it all the same
        module("instance",
               variable("subnet", module="subnet", is_required=True),
               variable("network", module="network", is_required=True),
               variable("groups", "list(string)", module="security_group", is_required=True),
               variable("image_source", default="public", word="source"),
               variable("user_data"), variable("tags", "map(string)"), variable("state"),
               words=("instance", "server"), zh=("实例", "云服务器"), state="running",
               states=("stopped",)),
        module("disk", variable("size", "number"), variable("encrypted", "bool"),
               variable("instance", module="instance", needed_for=("in-use",)),
               variable("tags", "map(string)"), variable("days", "list(string)"),
               variable("state"), words=("disk", "cloud disk", "volume"), zh=("云盘", "云硬盘"),
               states=("in-use", "available")),
        module("security_rule", variable("group", module="security_group", is_required=True),
               words=("rule",), named=False),
        *others,
    ]  # fmt: skip
    return {m.name: replace(m, is_shared=m.name in sharing) for m in found}
