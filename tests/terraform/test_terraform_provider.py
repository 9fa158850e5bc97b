"""The provider against the real Terraform and a practice cloud, for every resource type.

One story is told once, with all types in every command; the tests look at its parts, type by type.
"""

from dataclasses import dataclass, field

import pytest
import terraform_hcl as hcl
from terraform_hcl import KINDS, VARIANTS, address, type_of
from terraform_runner import actions

EVERY = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
pytestmark = pytest.mark.timeout(300)


@dataclass
class Story:
    """What happened, step by step: plans and errors by address."""

    errors: dict[str, dict[str, str]] = field(default_factory=dict)
    plans: dict[str, dict] = field(default_factory=dict)
    items: dict[str, dict] = field(default_factory=dict)
    """What the cloud had after a step, by id."""
    states: dict[str, dict] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)
    """The field of each kind that was changed behind Terraform's back; empty: it has none."""


@pytest.fixture(scope="module")
def story(terraform, api):
    told = Story()
    first, edited = hcl.everything(), hcl.everything(edited=True)
    tf = terraform()
    tf.init(first)

    def apply(step, text=None):
        told.plans[step] = tf.plan(text)
        told.errors[step] = tf.apply()
        told.states[step] = tf.state()
        told.items[step] = _items(api)

    apply("create")
    told.plans["again"] = tf.plan()
    told.plans["replace"] = tf.plan(hcl.everything(replaced=True))
    apply("edit", edited)
    told.plans["edited again"] = tf.plan()
    told.changed = {kind.name: _change_behind(api, kind, told) for kind in KINDS.values()}
    apply("drift")
    api.post("/api/accounts/alice/reset").raise_for_status()
    apply("gone")
    _import(terraform, told, edited, api)
    return told


def _import(terraform, told, text, api):
    """Take over in a folder that knows nothing, and destroy from there."""
    blocks = [
        f'import {{\n  to = {name}\n  id = "{values["id"]}"\n}}\n'
        for name, values in told.states["gone"].items()
    ]
    tf = terraform()
    tf.init(text + "\n".join(blocks))
    told.plans["import"] = tf.plan()
    told.errors["import"] = tf.apply()
    told.plans["imported again"] = tf.plan()
    told.errors["destroy"] = tf.destroy()
    told.items["destroy"] = _items(api)


def _items(api):
    found = {}
    for kind in KINDS.values():
        for page in range(1, 100):
            answer = api.get(
                kind.path, params={"region": "*", "per_page": 200, "page": page}
            ).json()
            found |= {item["id"]: item for item in answer["items"]}
            if page * answer["per_page"] >= answer["total"]:
                break
    return found


def _change_behind(api, kind, told):
    """Set a field of the full item as it was at first, as somebody in the console would."""
    state = told.states["edit"].get(address(kind, "full"))
    first = hcl.values(kind, "full")
    for action in kind.actions:
        for name in sorted(action.sets):
            is_plain = not action.sources and not action.to and not kind.field(name).refers_to
            if state and is_plain and not kind.field(name).is_secret and name in first:
                if not hcl.is_changeable(kind, kind.field(name), "full"):
                    continue
                path = f"{kind.path}/{state['id']}/{action.name}"
                api.post(path, json={name: first[name]}).raise_for_status()
                return name
    return ""


def editable(kind):
    """The fields of the full item that an edit changes."""
    return [
        field
        for field in kind.fields
        if kind.is_editable(field.name) and hcl.is_changeable(kind, field, "full")
    ]


@EVERY
def test_it_is_created_with_what_was_said(story, kind):
    for variant in VARIANTS:
        name = address(kind, variant)
        assert story.errors["create"].get(name) is None
        assert story.plans["create"][name]["actions"] == ["create"]
        state = story.states["create"][name]
        item = story.items["create"][state["id"]]
        assert (item["state"], item["is_settled"]) == (state["state"], True)
        for field_name, said in hcl.values(kind, variant).items():
            one = kind.field(field_name)
            if one.kind not in ("reference", "references", "file", "secret"):
                assert item["values"][field_name] == said
            if one.refers_to:
                assert item["values"][field_name], field_name
        for generated in (one for one in kind.fields if one.generated):
            assert state[generated.attribute]


@EVERY
def test_a_second_plan_is_empty(story, kind):
    for step in ("again", "edited again", "imported again"):
        assert actions(story.plans[step], type_of(kind) + ".") == {}, step


@EVERY
def test_what_an_edit_covers_is_changed_in_place(story, kind):
    name = address(kind, "full")
    planned = actions(story.plans["edit"], type_of(kind) + ".")
    assert planned == ({name: ["update"]} if editable(kind) else {})
    assert story.errors["edit"].get(name) is None
    item = story.items["edit"][story.states["edit"][name]["id"]]
    assert item["id"] == story.states["create"][name]["id"]
    for one in editable(kind):
        if not one.refers_to and not one.is_secret:
            said = hcl.values(kind, "full", edited=True)[one.name]
            assert item["values"][one.name] == said, one.name
    assert item["state"] == story.states["create"][name]["state"]


@EVERY
def test_what_no_edit_covers_needs_a_new_one(story, kind):
    replaced = {
        field.attribute
        for field in kind.fields
        if hcl.is_changeable(kind, field, "full") and not kind.is_editable(field.name)
    }
    change = story.plans["replace"][address(kind, "full")]
    found = {path[0].removesuffix("_name") for path in change.get("replace_paths", [])}
    assert found >= replaced
    assert not found & {field.attribute for field in kind.fields if kind.is_editable(field.name)}


@EVERY
def test_what_was_changed_behind_its_back_is_put_right(story, kind):
    name, changed = address(kind, "full"), story.changed[kind.name]
    planned = actions(story.plans["drift"], type_of(kind) + ".")
    assert planned == ({name: ["update"]} if changed else {})
    if changed:
        before, after = (story.states[s][name] for s in ("edit", "drift"))
        assert after == before
        item = story.items["drift"][after["id"]]
        assert item["values"][changed] == story.items["edit"][after["id"]]["values"][changed]


@EVERY
def test_what_was_deleted_behind_its_back_is_made_again(story, kind):
    expected = {address(kind, variant): ["create"] for variant in VARIANTS}
    assert actions(story.plans["gone"], type_of(kind) + ".") == expected
    assert not [name for name in story.errors["gone"] if name.startswith(type_of(kind) + ".")]


@EVERY
def test_it_can_be_imported(story, kind):
    """Secrets cannot be read: those that can be edited are set anew."""
    secrets = {f.attribute for f in kind.fields if f.kind == "secret" and not f.generated}
    for variant in VARIANTS:
        name = address(kind, variant)
        assert story.errors["import"].get(name) is None
        change = story.plans["import"][name]
        assert change["importing"]
        before, after = change["before"], change["after"]
        different = {key for key in after if before.get(key) != after[key]}
        assert different <= {*secrets, "state"}
        assert change["actions"] == (["update"] if different else ["no-op"])


@EVERY
def test_nothing_is_left_when_it_was_destroyed(story, kind):
    assert story.errors["destroy"] == {}
    assert not [item for item in story.items["destroy"].values() if item["kind"] == kind.name]
