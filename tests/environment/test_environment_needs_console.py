"""The planner against the practice console's own way of making things: the same comes of both."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import appliance.practice
from appliance.consoles.practice.make import Maker
from appliance.core.checks import Need
from appliance.documents import load_documents
from appliance.environment.modules import Catalogue
from appliance.environment.needs import Reference, plan
from appliance.outcome.bindings import expand
from appliance.practice.releases import catalogue
from appliance.practice.views import kinds_view

UNIQUE = "cda1f2e3d"
FOLDER = Path(appliance.practice.__file__).parent
KINDS = kinds_view(catalogue())
MODULES = Catalogue.load().of("practice")


class Cloud:
    """Takes what it is given, as the practice cloud's API does; nothing takes time in it."""

    def __init__(self):
        self.made = {}
        self._kinds = {known["path"]: kind for kind, known in KINDS.items()}

    async def call(self, blame, method, path, body=None, query=None):
        if path not in self._kinds:  # an action
            return {}
        kind = self._kinds[path]
        item = {
            "id": f"{kind}-{len(self.made)}", "kind": kind, "values": dict(body),
            "region": (query or {}).get("region", ""), "state": "new",
        }  # fmt: skip
        self.made[item["id"]] = item
        return item

    async def items(self, blame, path):
        return [item for item in self.made.values() if item["kind"] == self._kinds[path]]

    async def wait_settled(self, blame, path, id):
        return self.made[id]


def shape_there(cloud, made, id):
    """A thing with all that it refers to, as the console made it."""
    item = cloud.made[id]
    (last,) = (one.body for one in made if one.id == id)
    parts = {}
    for name, value in {**item["values"], **last}.items():
        ids = value if isinstance(value, list) else [value]
        if all(isinstance(v, str) and v in cloud.made for v in ids):
            parts[name] = [shape_there(cloud, made, v) for v in ids]
    return (item["kind"], item["region"], sorted(parts.items()))


def shape_here(found, label):
    """The same of a planned block."""
    (block,) = (b for b in found.blocks if b.label == label)
    parts = {
        block.module.variables[name].word or name: [
            shape_here(found, part.block)
            for part in (value if isinstance(value, tuple) else (value,))
        ]
        for name, value in block.arguments.items()
        if isinstance(value, Reference | tuple)
    }
    return (block.module.name, block.region, sorted(parts.items()))


def bundled():
    for document in load_documents([FOLDER / "documentation"]):
        for procedure in document.procedures:
            if procedure.checks.needs:
                yield pytest.param(procedure.checks.needs, id=procedure.id)


MORE = [
    pytest.param([Need(kind=kind, values=values) for kind, values in needs], id=str(number))
    for number, needs in enumerate(
        [
            [("instance", {}), ("instance", {}), ("database", {})],
            [("instance", {"region": "eu-2"}), ("instance", {}), ("disk", {"region": "eu-2"})],
            [("disk", {"region": "eu-2"}), ("user", {"region": "eu-2"}), ("subnet", {})],
            [("log_export", {}), ("log_alert", {}), ("lifecycle_rule", {})],
            [("listener", {}), ("backup", {}), ("access_key", {"state": "disabled"})],
        ]
    )
]


@pytest.mark.parametrize("needs", [*bundled(), *MORE])
async def test_both_make_the_same(needs):
    needs = [
        replace(n, values={k: expand(v, {"unique": UNIQUE}) for k, v in n.values.items()})
        for n in needs
    ]
    cloud = Cloud()
    maker = Maker(cloud, KINDS, {"unique": UNIQUE})
    bound = await maker.make_all(needs)
    found = plan(needs, MODULES, UNIQUE, shared=False)
    assert Counter(b.module.name for b in found.blocks) == Counter(m.kind for m in maker.made)
    assert set(bound) == {w for word in found.names for w in (word, f"{word} id")}
    for word, label in found.names.items():
        assert shape_here(found, label) == shape_there(cloud, maker.made, bound[f"{word} id"])
