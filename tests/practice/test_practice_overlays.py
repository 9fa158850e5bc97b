import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.core.errors import SetupError
from appliance.practice.overlay import KINDS
from appliance.practice.releases import catalogue

BUCKET = "storage.resources.bucket"
INSTANCE = "compute.resources.instance"


def leaves(value, path=()):
    """Every value of a tree with its path; entries of lists go by their id where they have one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for number, inner in enumerate(value):
            name = next((inner[k] for k in ("id", "value", "field") if k in inner), number)
            yield from leaves(inner, (*path, name))
    else:
        yield ".".join(map(str, path)), value


def differences(tmp_path, *changes):
    """What a drift file with these changes makes different: path -> (before, after)."""
    before = dict(leaves(catalogue("2025.1").model_dump(mode="json")["products"]))
    after = dict(
        leaves(
            catalogue("2025.1", drift_file(tmp_path, *changes)).model_dump(mode="json")["products"]
        )
    )
    paths = sorted(before.keys() | after.keys())
    found = {p: (before.get(p), after.get(p)) for p in paths if before.get(p) != after.get(p)}
    return {
        path.replace(f"{BUCKET}.", "").replace(f"{INSTANCE}.", ""): v for path, v in found.items()
    }


def drift_file(tmp_path, *changes):
    file = tmp_path / "drift.yaml"  # JSON is YAML
    file.write_text(
        json.dumps({"changes": changes}, indent=1, ensure_ascii=False), encoding="utf-8"
    )
    return file


def change(kind, target, **more):
    return {"kind": kind, "target": target, **more}


CASES = {
    "rename_label": (
        change("rename_label", f"{BUCKET}.actions.create", label={"en": "New bucket"}),
        {"actions.create.label.en": ("Create bucket", "New bucket")},
    ),
    "rename_label of an option": (
        change("rename_label", f"{BUCKET}.fields.class.options.archive", label={"zh": "冷归档"}),
        {"fields.class.options.archive.label.zh": ("归档", "冷归档")},
    ),
    "change_text": (
        change("change_text", f"{BUCKET}.actions.delete.confirm.notice", text={"en": "Gone."}),
        {
            "actions.delete.confirm.notice.en": (
                "This removes the bucket and everything in it. It cannot be undone.",
                "Gone.",
            )
        },
    ),
    "change_message": (
        change("change_message", f"{BUCKET}.actions.create", text={"zh": "创建请求已提交"}),
        {"actions.create.success.zh": ("存储桶已创建", "创建请求已提交")},
    ),
    "change_confirmation": (
        change(
            "change_confirmation",
            f"{INSTANCE}.actions.stop",
            title={"en": "Shut down"},
            submit={"zh": "停止"},
            types_name=True,
        ),
        {
            "actions.stop.confirm.title.en": ("Stop instance", "Shut down"),
            "actions.stop.confirm.submit.zh": ("确定", "停止"),
            "actions.stop.confirm.types_name": (False, True),
        },
    ),
    "change_confirmation by a box to tick": (
        change(
            "change_confirmation",
            f"{INSTANCE}.actions.stop",
            acknowledge={"en": "I know", "zh": "我已知晓"},
        ),
        {
            "actions.stop.confirm.acknowledge.en": (None, "I know"),
            "actions.stop.confirm.acknowledge.zh": (None, "我已知晓"),
        },
    ),
    "require_permission": (
        change("require_permission", f"{INSTANCE}.actions.stop", permission="security"),
        {"actions.stop.permission": ("", "security")},
    ),
    "dead_link": (
        change("dead_link", "compute.navigation.machines.entries.instances"),
        {"compute.navigation.machines.entries.instances.is_dead": (False, True)},
    ),
    "move_menu_entry of a product": (
        change("move_menu_entry", "storage", to="compute"),
        {"storage.category": ("storage", "compute")},
    ),
    "move_menu_entry": (
        change("move_menu_entry", "storage.navigation.data.entries.buckets", to="monitoring"),
        {
            f"storage.navigation.{group}.entries.buckets.{key}": pair
            for key, value in {
                "id": "buckets",
                "kind": "list",
                "label.en": "Buckets",
                "label.zh": "存储桶",
                "resource": "bucket",
                "page": "",
                "is_dead": False,
            }.items()
            for group, pair in {"data": (value, None), "monitoring": (None, value)}.items()
        },
    ),
    "move_control": (
        change(
            "move_control",
            f"{BUCKET}.actions.set-access",
            **{"from": "list.row", "to": "list.more"},
        ),
        {
            "list.row": (["set-access"], []),
            "list.more": (
                ["set-versioning", "set-tags", "delete"],
                ["set-versioning", "set-tags", "delete", "set-access"],
            ),
        },
    ),
    "remove_control": (
        change("remove_control", f"{BUCKET}.actions.set-access"),
        {"list.row": (["set-access"], []), "detail.more": (["set-access"], [])},
    ),
    "remove_control from one place": (
        change("remove_control", f"{BUCKET}.actions.delete", **{"from": "list.batch"}),
        {"list.batch": (["delete"], [])},
    ),
    "remove_field": (
        change("remove_field", f"{BUCKET}.fields.versioning"),
        {"fields.versioning.is_hidden": (False, True)},
    ),
    "require_field": (
        change("require_field", f"{INSTANCE}.fields.user_data"),
        {"fields.user_data.required": (False, True)},
    ),
    "change_default": (
        change("change_default", f"{BUCKET}.fields.access", default="public-read"),
        {"fields.access.default": ("private", "public-read")},
    ),
    "change_options": (
        change(
            "change_options",
            f"{BUCKET}.fields.access",
            options=[
                {"value": "private", "label": {"en": "Private", "zh": "私有"}},
                {"value": "public-read", "label": {"en": "Everybody", "zh": "公共读"}},
            ],
        ),
        {
            "fields.access.options.public-read.label.en": ("Public read", "Everybody"),
            "fields.access.options.public-read-write.description": (None, None),
            "fields.access.options.public-read-write.label.en": ("Public read and write", None),
            "fields.access.options.public-read-write.label.zh": ("公共读写", None),
            "fields.access.options.public-read-write.value": ("public-read-write", None),
        },
    ),
    "move_field": (
        change("move_field", f"{INSTANCE}.fields.size", to="access"),
        {
            "actions.create.form.steps.machine.fields": (
                ["name", "source", "image", "custom_image", "size"],
                ["name", "source", "image", "custom_image"],
            ),
            "actions.create.form.steps.access.fields": (["key", "tags"], ["key", "tags", "size"]),
        },
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_change_changes_what_it_says_and_nothing_else(tmp_path, case):
    made, expected = case
    assert differences(tmp_path, made) == {k: v for k, v in expected.items() if v != (None, None)}


def test_steps_change_their_order_and_nothing_else(tmp_path):
    order = ["access", "machine", "network", "advanced", "review"]
    made = change("reorder_steps", f"{INSTANCE}.actions.create", order=order)
    assert differences(tmp_path, made) == {}
    form = catalogue("2025.1", drift_file(tmp_path, made)).resource("instance").resource
    assert [step.id for step in form.actions["create"].form.steps] == order


def test_a_field_is_added_to_its_step(tmp_path):
    field = {"label": {"en": "Cost centre", "zh": "成本中心"}, "required": True}
    made = change(
        "add_field", BUCKET, name="cost_centre", field=field, step="settings", after="name"
    )
    found = differences(tmp_path, made)
    assert {path.split(".")[0:2] == ["fields", "cost_centre"] for path in found} == {True, False}
    steps = found.pop("actions.create.form.steps.settings.fields")
    assert steps[1] == ["name", "cost_centre", "class", "access", "versioning"]
    assert found["fields.cost_centre.label.en"] == (None, "Cost centre")
    assert all(path.startswith("fields.cost_centre.") for path in found)


def test_every_kind_is_shown_here():
    shown = {made["kind"] for made, _ in CASES.values()} | {"reorder_steps", "add_field"}
    assert shown == set(KINDS)
    assert len(KINDS) >= 16


def test_shared_texts_of_the_files_stay_apart(tmp_path):
    made = change("rename_label", "networking.resources.network.fields.name", label={"en": "Title"})
    drifted = catalogue("2025.1", drift_file(tmp_path, made))
    assert drifted.resource("network").resource.fields["name"].label.en == "Title"
    assert drifted.resource("subnet").resource.fields["name"].label.en == "Subnet name"
    made = change("require_field", "networking.resources.network.fields.tags")
    drifted = catalogue("2025.1", drift_file(tmp_path, made))
    assert not drifted.resource("bucket").resource.fields["tags"].required


ACTIONS, FIELDS = f"{BUCKET}.actions", f"{BUCKET}.fields"
MOVE = {"target": f"{ACTIONS}.delete", "from": "list.row", "to": "list.more"}
BAD_TEXTS = {
    "changes: [": ":1: not valid YAML",
    "- 1": ":1: expected a mapping",
    "changed: []": ":1: there is no key 'changed'; did you mean 'changes'?",
    "changes:\n- target: x": ":2: a change needs a kind",
}
BAD_CHANGES = [
    (
        "rename_labels",
        {"target": "x"},
        "kind",
        "there is no kind 'rename_labels'; did you mean 're",
    ),
    ("remove_field", {"target": f"{FIELDS}.class", "form": "x"}, "form", "there is no key 'form'"),
    ("remove_field", {"target": f"{FIELDS}.classes"}, "target", "did you mean 'class'?"),
    ("remove_field", {"target": "storages.x"}, "target", "no 'storages'; did you mean 'storage'?"),
    ("remove_field", {"target": f"{ACTIONS}.delete"}, "target", "is no field: name it PRODUCT.res"),
    ("move_control", MOVE, "target", "it stands in list.batch, list.more, detail.header"),
    ("move_control", {**MOVE, "to": "list.rows"}, "target", "did you mean 'list.row'?"),
    (
        "change_default",
        {"target": f"{FIELDS}.class", "default": "gold"},
        "kind",
        "the default 'gold' is none of the options",
    ),
    (
        "reorder_steps",
        {"target": f"{INSTANCE}.actions.create", "order": ["machine", "networks"]},
        "target",
        "there is no step 'networks'; did you mean 'network'?",
    ),
    ("rename_label", {"target": ACTIONS, "label": {"en": "x"}}, "target", "has no label"),
    (
        "rename_label",
        {"target": f"{ACTIONS}.create", "label": {"eng": "x"}},
        "label",
        "there is no key 'eng'; did you mean 'en'?",
    ),
    ("change_text", {"target": f"{ACTIONS}.create", "text": {}}, "target", "is not a text"),
    ("move_menu_entry", {"target": "storage", "to": "disks"}, "target", "there is no 'disks'"),
    (
        "change_message",
        {"target": f"{ACTIONS}.creates", "text": {"en": "x"}},
        "target",
        "did you mean 'create'?",
    ),
    ("change_message", {"target": f"{FIELDS}.class", "text": {}}, "target", "is no action: name"),
    (
        "change_message",
        {"target": f"{ACTIONS}.delete", "texts": {}},
        "texts",
        "there is no key 'texts'; did you mean 'text'?",
    ),
    (
        "change_confirmation",
        {"target": f"{ACTIONS}.create", "types_name": True},
        "target",
        "has no confirm; did you mean 'delete'?",
    ),
    ("change_confirmation", {"target": f"{ACTIONS}.delete"}, "target", "nothing of the confirm"),
    (
        "change_confirmation",
        {"target": f"{ACTIONS}.delete", "titel": {}},
        "titel",
        "there is no key 'titel'; did you mean 'title'?",
    ),
    (
        "change_confirmation",
        {"target": f"{ACTIONS}.delete", "acknowledge": {"en": "I know"}},
        "acknowledge",
        "field required",
    ),
    (
        "require_permission",
        {"target": f"{ACTIONS}.delete", "permission": "billings"},
        "target",
        "there is no 'billings' in console.permissions; did you mean 'billing'?",
    ),
    (
        "dead_link",
        {"target": "storage.navigation.data.entries.bucket"},
        "target",
        "there is no 'bucket' in storage.navigation.data.entries; did you mean 'buckets'?",
    ),
    ("dead_link", {"target": "storage.navigation.data"}, "target", "is no menu entry: name PROD"),
]


@pytest.mark.parametrize(("text", "message"), BAD_TEXTS.items())
def test_a_file_that_cannot_be_read_is_refused(tmp_path, text, message):
    file = tmp_path / "drift.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SetupError) as refused:
        catalogue("2025.1", file)
    assert f"{file}{message}" in str(refused.value)


@pytest.mark.parametrize(("kind", "more", "key", "message"), BAD_CHANGES)
def test_a_bad_change_is_refused_with_its_line_and_the_nearest_name(
    tmp_path, kind, more, key, message
):
    file = tmp_path / "drift.yaml"
    lines = ["changes:", f"- kind: {kind}", *(f"  {k}: {json.dumps(v)}" for k, v in more.items())]
    file.write_text("\n".join(lines), encoding="utf-8")
    line = next(number for number, text in enumerate(lines, 1) if f" {key}: " in text)
    with pytest.raises(SetupError) as refused:
        catalogue("2025.1", file)
    assert str(refused.value).startswith(f"{file}:{line}: ")
    assert message in str(refused.value)


_MANGLED = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 2),
    st.text(max_size=4),
    st.sampled_from([[], {}, {"en": "x"}, "list.row"]),
)


@settings(max_examples=80, deadline=None)
@given(data=st.data(), value=_MANGLED)
def test_a_mangled_change_is_served_or_refused_with_its_place(tmp_path_factory, data, value):
    made = dict(data.draw(st.sampled_from([made for made, _ in CASES.values()])))
    key = data.draw(st.sampled_from([*made, "note", "more"]))
    if key == "target" and data.draw(st.booleans()):
        value = made["target"][: data.draw(st.integers(0, len(made["target"])))]
    file = drift_file(tmp_path_factory.mktemp("drift"), {**made, key: value})
    try:
        catalogue("2025.1", file)
    except SetupError as refused:
        assert re.match(rf"{re.escape(str(file))}:\d+: ", str(refused))


def test_an_unknown_release_is_refused():
    with pytest.raises(SetupError, match=r"there is no release '2025\.7'; did you mean '2025.2'"):
        catalogue("2025.7")
