"""Worked examples: what each kind of change makes untrue, and what stays right."""

from pathlib import Path

import pytest

from appliance.benchmark.drift.judge import ClaimCatalogue
from appliance.benchmark.drift.truth import untruths_of
from appliance.benchmark.truth import read_truth
from appliance.practice.changes import OverlayFile
from appliance.practice.loading import SourceFile, read_source
from appliance.practice.overlay import KINDS, apply_overlay, catalogue_of, read_overlay
from appliance.practice.releases import RELEASES, catalogue, release_tree, releases

BUCKET, INSTANCE = "storage.resources.bucket", "compute.resources.instance"
NETWORK, SUBNET = "networking.resources.network", "networking.resources.subnet"
KEPT = ("buckets.md", "buckets.zh.md", "instances.html", "instances.zh.md", "networks.rst",
        "networks.zh.md")  # fmt: skip
"""The documents of the examples."""


@pytest.fixture(scope="module")
def untrue(reads):
    """What some changes make untrue: (place, quote, kind), optional ones in brackets."""
    mine = [read for read in reads if read.document in KEPT]

    def find(*changes):
        tree = release_tree(releases()[0])
        stages = [ClaimCatalogue(catalogue_of(tree))]
        for change in changes:
            overlay = OverlayFile.model_validate({"changes": [change]})
            tree = apply_overlay(tree, overlay, SourceFile(Path("x"), {}, {}))
            stages.append(ClaimCatalogue(catalogue_of(tree)))
        return untruths_of(mine, stages)

    return find


def said(untruths):
    return [
        f"{one.place} {one.kind} {one.quote}" if not one.is_optional
        else f"({one.place} {one.kind} {one.quote})"
        for one in untruths
    ]  # fmt: skip


def change(kind, target, **more):
    return {"kind": kind, "target": target, **{k.rstrip("_"): v for k, v in more.items()}}


FIELD = {"label": {"en": "Ticket", "zh": "工单"}, "example": "x"}
EXAMPLES = {
    "rename_label: the button, not the dialog of the same name": (
        change("rename_label", f"{BUCKET}.actions.set-versioning", label={"en": "Versions"}),
        ["buckets.md:46 renamed_label Edit versioning"],
    ),
    "rename_label: the other language says what it said": (
        change("rename_label", f"{BUCKET}.actions.set-versioning", label={"zh": "历史版本"}),
        ["buckets.zh.md:28 renamed_label 设置版本控制"],
    ),
    "rename_label: a field is named again where the result is told": (
        change("rename_label", f"{BUCKET}.fields.access", label={"en": "Visibility"}),
        [
            "buckets.md:29 renamed_label Access control",
            "buckets.md:63 renamed_label Access control",
            "(buckets.md:67 renamed_label Access control)",
        ],
    ),
    "rename_label: an option is a changed option": (
        change("rename_label", f"{BUCKET}.fields.class.options.archive", label={"zh": "冷归档"}),
        ["buckets.zh.md:14 changed_option 归档"],
    ),
    "change_text: nobody quotes the notice": (
        change("change_text", f"{BUCKET}.actions.delete.confirm.notice", text={"en": "Gone."}),
        [],
    ),
    "change_text: the search box is named by its text": (
        change("change_text", f"{BUCKET}.list.search_label", text={"en": "Find"}),
        ["buckets.md:93 renamed_label Search by bucket name"],
    ),
    "change_message": (
        change("change_message", f"{NETWORK}.actions.delete", text={"en": "Done", "zh": "完成"}),
        [
            "networks.rst:113 wrong_result Network deleted",
            "networks.zh.md:39 wrong_result 虚拟网络已删除",
        ],
    ),
    "change_confirmation: a name that need not be typed": (
        change("change_confirmation", f"{NETWORK}.actions.delete", types_name=False),
        [
            "networks.rst:110 extra_step In the Delete network dialog, type the name of the network"
            " to confirm.",
            "networks.zh.md:37 extra_step 在删除虚拟网络对话框中，输入虚拟网络的名称，"
            "然后单击确认删除。",
        ],
    ),
    "change_confirmation: a box that must be ticked": (
        change("change_confirmation", f"{INSTANCE}.actions.stop",
               acknowledge={"en": "I know", "zh": "我已知晓"}),
        ["instances.html:50 missing_step Stop instance", "instances.zh.md:11 missing_step 确定"],
    ),
    "require_permission: it shows at the latest where it is sent": (
        change("require_permission", f"{NETWORK}.actions.edit", permission="security"),
        ["networks.rst:97 permission Save changes", "(networks.rst:99 permission Changes saved)"],
    ),
    "require_permission: one that the reader has": (
        change("require_permission", f"{NETWORK}.actions.edit", permission="manage"), [],
    ),
    "dead_link: of the navigation; the product menu leads elsewhere": (
        change("dead_link", "networking.navigation.networks.entries.subnets"),
        ["networks.rst:80 dead_link Subnets"],
    ),
    "move_menu_entry: the path in the text names no group": (
        change("move_menu_entry", "storage", to="operations"), [],
    ),
    "move_control": (
        change("move_control", f"{NETWORK}.actions.delete", from_="list.row", to="list.more"),
        ["networks.rst:109 moved_control Delete", "networks.zh.md:36 moved_control 删除"],
    ),
    "move_control: from a place that no text speaks of": (
        change("move_control", f"{NETWORK}.actions.delete", from_="detail.header",
               to="detail.more"), [],
    ),
    "remove_control: its dialog is still described rightly": (
        change("remove_control", f"{INSTANCE}.actions.restart"),
        ["instances.html:66 missing_control Restart"],
    ),
    "remove_control: also above the list on the page of another item": (
        change("remove_control", f"{SUBNET}.actions.create"),
        [
            "networks.rst:48 missing_control Add subnet",
            "networks.zh.md:22 missing_control 创建子网",
        ],
    ),
    "remove_field: what is chosen in it is gone with it": (
        change("remove_field", f"{BUCKET}.fields.class"),
        [
            "buckets.md:28 missing_control Storage class",
            "(buckets.md:28 missing_control Infrequent access)",
            "buckets.zh.md:14 missing_control 存储类型",
            "(buckets.zh.md:14 missing_control 归档)",
        ],
    ),
    "add_field: one that must be filled in": (
        change("add_field", SUBNET, name="ticket", step="settings",
               field={**FIELD, "required": True}),
        ["networks.rst:61 missing_step Add", "networks.zh.md:27 missing_step 确定"],
    ),
    "add_field: one that need not": (
        change("add_field", SUBNET, name="ticket", step="settings", field=FIELD), [],
    ),
    "add_field: one that says something already": (
        change("add_field", SUBNET, name="ticket", step="settings",
               field={**FIELD, "required": True, "default": "none"}), [],
    ),
    "move_field: out of the step that the text describes": (
        change("move_field", f"{INSTANCE}.fields.size", to="access"),
        ["instances.html:27 moved_control Size"],
    ),
    "move_field: within a page that is shown as a whole": (
        change("move_field", f"{NETWORK}.fields.description", to="options"), [],
    ),
    "require_field: where the text says it is optional": (
        change("require_field", f"{NETWORK}.fields.description"),
        ["networks.rst:23 missing_step Description", "networks.zh.md:11 missing_step 描述"],
    ),
    "reorder_steps: either of two exchanged steps": (
        change("reorder_steps", f"{INSTANCE}.actions.create",
               order=["network", "machine", "access", "advanced", "review"]),
        ["instances.html:21 wrong_order Name and image", "(instances.html:32 wrong_order Network)"],
    ),
    "change_options: one that the text chooses": (
        change("change_options", f"{SUBNET}.fields.zone", options=[
            {"value": f"zone-{x.lower()}", "label": {"en": f"Zone {x}", "zh": f"可用区 {x}"}}
            for x in "AB"
        ]),
        ["networks.zh.md:26 changed_option 可用区 C"],
    ),
    "change_default: where the text names it": (
        change("change_default", f"{SUBNET}.fields.zone", default="zone-b"),
        ["networks.rst:59 changed_default Zone A"],
    ),
    "change_default: of a check box and of an address range": (
        change("change_default", f"{NETWORK}.fields.dns", default=False),
        ["networks.rst:30 changed_default It is selected by default."],
    ),
    "change_default: written as code": (
        change("change_default", f"{NETWORK}.fields.cidr", default="172.20.0.0/16"),
        [
            "networks.rst:27 changed_default 10.0.0.0/16",
            "networks.zh.md:12 changed_default 10.0.0.0/16",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("made", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_a_change_makes_these_sentences_untrue_and_no_others(untrue, made, expected):
    assert said(untrue(made)) == expected


def test_every_kind_has_an_example():
    assert {made["kind"] for made, _ in EXAMPLES.values()} == set(KINDS)


def test_what_may_be_reported_elsewhere_is_written_down(untrue):
    [first, second] = untrue(EXAMPLES["reorder_steps: either of two exchanged steps"][0])
    assert (first.instead, second.instead) == ((32,), (21,))
    first = untrue(EXAMPLES["require_field: where the text says it is optional"][0])[0]
    assert 31 in first.instead
    assert 24 in first.instead  # "Optional." stands below the field's name
    [first, _] = untrue(EXAMPLES["require_permission: it shows at the latest where it is sent"][0])
    assert set(first.instead) >= {92, 99}


def test_each_untruth_names_the_change_that_caused_it(untrue):
    names = ("move_control", "remove_control: its dialog is still described rightly")
    found = untrue(*(EXAMPLES[name][0] for name in names))
    assert {(one.document, one.change) for one in found} == {
        ("networks.rst", 1), ("networks.zh.md", 1), ("instances.html", 2),
    }  # fmt: skip


@pytest.mark.parametrize("release", releases()[1:])
def test_what_people_wrote_about_a_release_is_what_comes_out(reads, release):
    source = read_source(RELEASES / f"{release}.yaml")
    overlay = read_overlay(source)
    stages = [ClaimCatalogue(catalogue(overlay.follows)), ClaimCatalogue(catalogue(release))]
    found = untruths_of(reads, stages)
    known = read_truth(RELEASES / f"{release}.truth.yaml").untruths
    assert {(one.place, one.kind, one.is_optional) for one in found} == {
        (one.place, one.kind, one.is_optional) for one in known
    }
    for one in known:
        [mine] = [o for o in found if o.place == one.place and o.kind == one.kind]
        assert one.acceptable_kinds <= mine.acceptable_kinds | {mine.kind}
    assert apply_overlay(release_tree(overlay.follows), overlay, source)
