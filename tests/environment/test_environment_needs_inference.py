from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import appliance.practice
from appliance.core.checks import Checks
from appliance.documents import load_documents, parse_document
from appliance.environment.modules import Catalogue, Cost
from appliance.environment.needs import infer, plan, with_inferred
from appliance.outcome.bindings import bind_checks, bind_needs
from tests.environment.environment_needs_modules import catalogue, module, variable
from tests.environment.environment_needs_texts import TEXTS

BUNDLED = Path(appliance.practice.__file__).parent / "documentation"
OURS = Catalogue.load()
UNIQUE = {"unique": "cda1f2e3d"}


def procedure(steps, title="Tidy up", before=""):
    text = f"# {title}\n\n{before}\n\n" + "\n".join(f"1. {step}" for step in steps) + "\n"
    (found,) = parse_document(text, "x.md", "markdown").procedures
    return found


def kinds(*steps, modules=None, **more):
    """Of the steps and of one that names a control: without any a list is no procedure."""
    wanted = infer(procedure([*steps, "Click **Done**."], **more), modules or catalogue())
    return {i.need.kind for i in wanted}


def value(step, modules=None, **more):
    (found,) = infer(procedure([step], **more), modules or catalogue())
    return found


# Against what people wrote beside the bundled documentation.


def made_for(checks, modules):
    """Kinds that are made for some needs, with what these require in turn."""
    return {b.module.name for b in plan(bind_needs(checks, UNIQUE), modules, "cda1f2e3d").blocks}


def measured():
    """By language: kinds that are rightly made, made for nothing, and missing."""
    modules = OURS.of("practice")
    counts = {"en": [0, 0, 0], "zh": [0, 0, 0]}
    for document in load_documents([BUNDLED]):
        for found in document.procedures:
            if found.checks.source is None:
                continue
            without = replace(found.checks, needs=())
            got = made_for(with_inferred(without, infer(found, modules)), modules)
            wanted = made_for(found.checks, modules)
            for at, some in enumerate((got & wanted, got - wanted, wanted - got)):
                counts[found.language][at] += len(some)
                if at and some:
                    print(f"{found.id}: {'for nothing' if at == 1 else 'missing'}: {some}")
    for language, (right, wrong, missing) in counts.items():
        precision, recall = right / (right + wrong), right / (right + missing)
        print(f"{language}: precision {precision:.3f}, recall {recall:.3f} of {right + missing}")
    return counts


def test_the_bundled_documentation_says_what_its_checks_say():
    """As measured on 2026-11-21; the patterns were written with these texts at hand."""
    assert measured() == {"en": [235, 0, 0], "zh": [68, 0, 0]}


@pytest.mark.parametrize(
    ("title", "text", "console", "wanted"), TEXTS, ids=[f"{t[2]}: {t[0]}" for t in TEXTS]
)
def test_texts_in_the_manner_of_other_clouds(title, text, console, wanted):
    (found,) = parse_document(f"# {title}\n{text}", "x.md", "markdown").procedures
    modules = OURS.of(console)
    inferred = infer(found, modules)
    assert {i.need.kind for i in inferred} == wanted
    plan(bind_needs(with_inferred(Checks(), inferred), UNIQUE), modules, "cda1f2e3d")


# One by one.


@pytest.mark.parametrize(
    "step",
    [
        "In the row of the disk, click **Attach**.",
        "Click the name of the disk.",
        "Select the check box next to the disk.",
        "Select the disk's row.",
        "From the **SourceText** list, choose an existing disk.",
        "Type the name of the disk and pick it from the list.",
        "Detach the disk.",
        "Search for the cloud disk, and click **More**.",
        "Click the **Name** of the volume.",
        "在云盘所在行，单击**挂载**。",
        "找到目标云盘，单击**更多**。",
        "勾选要删除的云盘前的复选框。",
        "选择已有的云盘。",
        "单击云硬盘名称，进入详情页。",
        "将云盘挂载到服务器上。",
    ],
)
def test_what_a_step_acts_upon_is_needed(step):
    assert kinds(step) == {"disk"}


@pytest.mark.parametrize(
    "step",
    [
        "You do not need a disk.",
        "If the disk is attached, click **Detach** in the row of the disk.",
        "You can select the disk later.",
        "For more information, see the page of the disk.",
        "Select the disk type.",
        "Select the default disk.",
        "Choose a new disk size.",
        "Click **Disks**.",
        "Enter a name for the disk.",
        "Click [the name of the disk](disks.md).",
        "Type `the name of the disk`.",
        "如果云盘已挂载，在云盘所在行单击**卸载**。",
        "选择云盘类型。",
        "进入“云盘“页面。",
        "根据提示选择是否立即关联云盘。",
        "无需选择云盘。",
        "更多信息，请参见云盘。",
    ],
)
def test_what_is_only_spoken_of_is_not_needed(step):
    assert kinds("Click **Go**.", step) == set()


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("**Before you start:** the disk has the status **Available**.", {"disk"}),
        ("**Prerequisites:** You have created a VPC.", {"network"}),
        ("**Prerequisites:** A network with a subnet.", {"network", "subnet"}),
        ("**Prerequisites:** First, [create a disk](disks.md).", {"disk"}),
        ("**Prerequisites:** You do not need a disk.", set()),
        ("**Prerequisites:** You have the permission to create disks.", set()),
        ("**Prerequisites:** If you use a disk, have it ready.", set()),
        ("前提条件：已创建专有网络和子网。", {"network", "subnet"}),
        ("前提条件：云盘未挂载到任何实例。", set()),
        ("前提条件：已登录控制台，创建云盘请参见云盘。", set()),
        ("前提条件：您具有创建云盘的权限。", set()),
        ("前提条件：释放时，若云盘已挂载，请先卸载。", set()),
    ],
)
def test_prerequisites_are_needed(before, wanted):
    assert kinds("Click **Go**.", before=before) == wanted


def test_what_is_made_is_not_needed():
    steps = ["Click **Create disk**.", "In the row of the disk, click **Tags**."]
    assert kinds(*steps, title="Create a disk") == set()
    assert kinds(*steps) == set()
    before = ["In the row of the disk, click **Clone**.", *steps]
    assert kinds(*before) == {"disk"}


def test_what_is_made_from_something_needs_that():
    step = "In the row of the disk, click **Create snapshot**."
    snapshot = module("snapshot", variable("disk", module="disk", is_required=True))
    assert kinds(step, title="Create a snapshot", modules=catalogue(snapshot)) == {"disk"}


def test_adding_is_not_always_making():
    title = "Add a disk to an instance"
    assert kinds("Select the disk and the instance.", title=title) == {"disk", "instance"}
    assert kinds("Click **Add disk**.", title="Add a disk") == set()


def test_a_field_for_what_is_required_is_chosen_from():
    steps = ["Click **Create instance**.", "Choose your **Network** and your **Subnet**."]
    found = infer(procedure(steps), catalogue())
    assert [(i.need.kind, i.words) for i in found] == [
        ("network", ("Network",)),
        ("subnet", ("Subnet",)),
    ]
    assert found[1].need.values["network"] == found[0].need.values["name"]
    left = ["Click **Create instance**.", "Leave **Network** empty."]
    assert kinds(*left) == set()
    fields = "Fill in the form:\n   - **Network**: the one it is in.\n   - **Size**: `2`.\n"
    assert kinds("Click **Create instance**.", fields) == {"network"}


def test_notes_say_nothing_of_needs():
    found = procedure(["Click **Go**."], before="!!! note\n    Select the disk first.\n")
    assert infer(found, catalogue()) == ()


def test_an_optional_step_is_worth_what_costs_nothing():
    step = "Optional: select the disk."
    assert kinds(step) == {"disk"}
    modules = catalogue()
    assert kinds(step, modules=modules | {"disk": replace(modules["disk"], takes_s=60)}) == set()
    unknown = Cost(per_hour=0, currency="XXX")
    assert kinds(step, modules=modules | {"disk": replace(modules["disk"], cost=unknown)}) == set()


def test_a_short_word_means_what_the_pages_are_about():
    modules = catalogue(
        module("group", words=("user group", "group")),
        module("database", words=("database instance", "database"), zh=("数据库实例", "云数据库")),
    )
    assert kinds("In the row of the group, click **X**.", modules=modules) == {"group"}
    steps = ["Open **Network** > **Security groups**.", "In the row of the group, click **X**."]
    assert kinds(*steps, modules=modules) == {"security_group"}
    assert kinds("单击实例名称。", modules=modules) == {"instance"}
    assert kinds("打开**产品** > **云数据库**，单击实例名称。", modules=modules) == {"database"}


def test_a_word_for_several_things_means_nothing():
    modules = catalogue(
        module("access_key", words=("key",)), module("host_key", words=("key", "host key"))
    )
    assert kinds("Click the name of the key.", modules=modules) == set()
    assert kinds("Click the name of the host key.", modules=modules) == {"host_key"}


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Delete a disk", {"disk"}),
        ("Delete a disk type", set()),
        ("Change the size of a disk", set()),
        ("删除云盘", {"disk"}),
        ("删除云盘类型", set()),
        ("删除专有网络流日志", set()),
    ],
)
def test_a_title_counts_where_the_steps_say_nothing(title, wanted):
    assert kinds("Click **Go**.", title=title) == wanted


@pytest.mark.parametrize(
    ("title", "step", "state"),
    [
        ("Start an instance", "In the row of the instance, click **Start**.", "stopped"),
        ("Restart an instance", "In the row of the instance, click **Restart**.", None),
        ("Detach a disk", "Click the name of the disk.", "in-use"),
        ("Clean up", "In the row of the disk, click **Detach**.", "in-use"),
        ("Attach a disk", "In the row of the disk, click **Attach**.", None),
        ("启动实例", "在实例所在行，单击**启动**。", "stopped"),
        ("卸载云盘", "在云盘所在行，单击**卸载**。", "in-use"),
    ],
)
def test_the_state_is_the_one_before(title, step, state):
    assert value(step, title=title).need.values.get("state") == state


def test_what_is_detached_was_attached_to_what_the_text_speaks_of():
    steps = ["In the row of the disk, click **Detach**.", "Select the instance, and click **Go**."]
    instance, disk = infer(procedure(steps), catalogue())
    assert disk.need.values["instance"] == instance.need.values["name"]
    steps[1] = "Select the new instance, and click **Go**."
    disk, _ = infer(procedure(steps, title="Move a disk"), catalogue())
    assert disk.need.values == {"name": "disk-${unique}", "state": "in-use"}


def test_what_is_removed_was_in_there():
    steps = ["Click the name of the pool.", "Select the instance, and click **Remove**."]
    pool = module("pool", variable("members", "list(string)", module="instance"))
    instance, found = infer(procedure(steps), catalogue(pool))
    assert found.need.values["members"] == instance.need.values["name"]
    steps[1] = "Select the instance, and click **Add**."
    found, _ = infer(procedure(steps), catalogue(pool))
    assert "members" not in found.need.values


@pytest.mark.parametrize(
    ("before", "state"),
    [
        ("**Prerequisites:** The instance is stopped.", "stopped"),
        ("前提条件：实例处于已停止状态。", "stopped"),
        ("Only a stopped instance can be resized.", "stopped"),
        ("You can only resize an instance that is stopped.", "stopped"),
        ("只有已停止的实例才能变更规格。", "stopped"),
    ],
)
def test_a_prerequisite_tells_the_state(before, state):
    assert value("Click **Go**.", before=before).need.values["state"] == state


def test_what_is_inferred_is_bound_by_the_words_of_the_text():
    steps = [
        "In the row of the cloud disk, click **Attach**.",
        "In the **Attach** dialog, select the instance from the **Attached to** list.",
    ]
    found = infer(procedure(steps), catalogue())
    checks = with_inferred(Checks(bindings={"size": "3"}), found)
    assert checks.bindings == {
        "size": "3",
        "cloud disk": "${disk}",
        "instance": "${instance}",
        "Attached to": "${instance}",
    }
    needs = bind_needs(checks, UNIQUE)
    assert [n.values for n in needs] == [{"name": "disk-cda1f2e3d"}, {"name": "instance-cda1f2e3d"}]
    known = bind_checks(checks, {"disk": "vol", "instance": "web"})
    assert known["Attached to"] == "web"


@pytest.mark.parametrize(
    ("step", "word"),
    [
        ("Type the name of the disk in the **Find** box, and click the name of the disk.", "Find"),
        ("Search for the disk: type its name into the **Find** box.", "Find"),
        ("在**挂载**中输入云盘的名称，并从下拉列表中选择该云盘。", "挂载"),
        ("In the **Attach** dialog, select the disk.", None),
        ("Select the disk, and click **Attach**.", None),
    ],
)
def test_a_field_for_a_name_is_bound(step, word):
    assert [w for w in value(step).words if w not in ("disk", "云盘")] == ([word] if word else [])


def test_what_is_inferred_says_why():
    found = value("Select the disk.", title="Tidy up")
    assert (found.quote, found.line, str(found.need.span)) == ("Select the disk.", 5, "x.md:5:4")


WORDS = [
    *("the disk", "select", "row of", "network", "not", "if", "**Disk**", "create", "instance's"),
    *("云盘", "选择", "所在行", "新", "‹0›", "⟦1⟧", "[disk](a.md)", ",", "。", "$", "`x`"),
]
CATALOGUE = catalogue()


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9), min_size=1, max_size=4))
def test_no_text_is_too_odd(steps):
    text = "# Do it\n\n" + "\n".join(f"1. Click {' '.join(words)}" for words in steps)
    for found in parse_document(text, "x.md", "markdown").procedures:
        for one in infer(found, CATALOGUE):
            assert one.need.kind in CATALOGUE
            assert 1 <= one.line <= 3 + len(steps)
            assert one.words
