"""What hurts when it is wrong is told by its name and its dialog, and needs the text's word."""

import pytest

from appliance.config.model_settings import SensitiveSettings
from appliance.core.page import Action, ActionKind, Box, Element, Observation
from appliance.core.procedure import Procedure
from appliance.documents import parse_document
from appliance.policy import Decision
from appliance.verification.sensitive import Gate, Passage, sensitive_kind

K = ActionKind


def element(name: str, **more: object) -> Element:
    return Element(id=1, name=name, **({"role": "button"} | more))


def view(*elements: Element, dialog: str = "") -> Observation:
    dialogs = (dialog,) if dialog else ()
    return Observation(url="http://c/", title="C", elements=elements, dialogs=dialogs)


CLICK = Action(kind=K.CLICK, element=1)


@pytest.mark.parametrize(
    ("control", "kind"),
    [
        (element("Delete"), "delete"),
        (element("Yes, delete it"), "delete"),
        (element("Release address", role="menuitem"), "delete"),
        (element("删除"), "delete"),
        (element("释放实例"), "delete"),
        (element("Confirm", dialog="Delete bucket"), "delete"),
        (element("确定", dialog="删除存储桶"), "delete"),
        (element("Go", dialog="Delete bucket", is_submit=True), "delete"),
        (element("Buy now"), "pay"),
        (element("Place order"), "pay"),
        (element("立即购买"), "pay"),
        (element("续费", role="link"), "pay"),
        (element("Reset password"), "identity"),
        (element("Create access key"), "identity"),
        (element("Save", dialog="Assign role"), "identity"),
        (element("重置密码"), "identity"),
        (element("确认", dialog="添加用户"), "identity"),
        (element("Cancel", dialog="Delete bucket"), None),
        (element("Create", dialog="Create bucket"), None),
        (element("Release notes", role="link"), None),
        (element("Remove filter"), None),
        (element("Order by name"), None),
        (element("Pay-as-you-go", role="radio"), None),
        (element("Delete with instance", role="checkbox"), None),
        (element("Deleted items", role="link"), None),
        (element("Users", role="link"), None),
        (element("Delete a bucket", role="link", region="navigation"), None),
        (element("删除保护"), None),
    ],
)
def test_what_a_control_could_do(control: Element, kind: str | None) -> None:
    found = sensitive_kind(view(control), CLICK)
    assert (found and found.kind.value) == kind


def test_a_dialog_can_be_confirmed_without_naming_a_control() -> None:
    shown = view(element("x", box=Box(10, 10, 5, 5)), dialog="Delete bucket")
    for action in (
        Action(kind=K.PRESS, text="Enter"),
        Action(kind=K.CLICK, point=(200.0, 200.0)),
    ):
        found = sensitive_kind(shown, action)
        assert found is not None and found.kind == "delete"
    assert sensitive_kind(shown, Action(kind=K.PRESS, text="Escape")) is None
    assert sensitive_kind(shown, Action(kind=K.TYPE, text="Delete", element=1)) is None


def test_a_point_stands_for_what_is_drawn_there() -> None:
    shown = view(element("Delete", box=Box(10, 10, 50, 20)))
    assert sensitive_kind(shown, Action(kind=K.CLICK, point=(20.0, 20.0))) is not None
    assert sensitive_kind(shown, Action(kind=K.CLICK, point=(200.0, 20.0))) is None


def procedure(*steps: str, title: str = "T") -> Procedure:
    text = f"# {title}\n\n" + "".join(f"{n}. {s}\n" for n, s in enumerate(steps, 1))
    return parse_document(text, "t.md", "markdown").procedures[0]


def passage(
    text: Procedure, step: str, control: Element, settings: SensitiveSettings | None = None
) -> Passage:
    decision = Decision(action=CLICK, step=step)
    found = Gate(text, settings or SensitiveSettings()).passage(view(control), decision)
    assert found is not None
    return found


DELETE = procedure("Open **Disks**.", "Click **Delete**.", "Click **OK**.", "Open **Jobs**.")


@pytest.mark.parametrize(
    ("step", "control", "is_refused"),
    [
        ("2", element("Delete"), False),
        ("2", element("Remove"), False),  # another word for the same
        ("3", element("Delete"), False),  # the text has just said so
        ("3", element("OK", dialog="Delete disk"), False),
        ("4", element("Yes", dialog="Delete disk"), False),  # what confirms may come late
        ("1", element("Delete"), True),
        ("4", element("Delete"), True),
        ("2", element("Buy now"), True),
        ("2", element("Reset password"), True),
    ],
)
def test_the_step_has_to_say_it(step: str, control: Element, is_refused: bool) -> None:
    found = passage(DELETE, step, control)
    assert found.is_refused is is_refused
    if is_refused:
        assert found.why_not.endswith(f"the step does not say to (agent.sensitive.{found.kind})")


def test_a_chinese_step_says_it_too() -> None:
    text = procedure("打开**云盘**。", "单击**释放**。")
    assert not passage(text, "2", element("释放")).is_refused
    assert passage(text, "1", element("释放")).is_refused


@pytest.mark.parametrize(
    ("rule", "step", "is_refused"),
    [("allow", "1", False), ("ask", "1", False), ("refuse", "2", True), ("documented", "2", False)],
)
def test_the_settings_say_what_is_done(rule: str, step: str, is_refused: bool) -> None:
    settings = SensitiveSettings.model_validate({"delete": rule})
    assert passage(DELETE, step, element("Delete"), settings).is_refused is is_refused
