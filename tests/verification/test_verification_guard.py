"""What hurts when it is wrong needs the text's own words for it, and for what it is done to."""

import pytest

from appliance.config.model_settings import SensitiveSettings
from appliance.core.page import (
    Action,
    ActionKind,
    Box,
    Element,
    Observation,
    TextBlock,
    TextKind,
)
from appliance.core.procedure import Procedure
from appliance.documents import parse_document
from appliance.policy import Decision
from appliance.verification.guard import Done, Guard, Ruling
from appliance.verification.guard.hazard import hazard_of

K = ActionKind
CLICK = Action(kind=K.CLICK, element=1)


def element(name: str, **more: object) -> Element:
    return Element(name=name, **({"id": 1, "role": "button"} | more))


def view(
    *elements: Element, dialog: str = "", texts: tuple[str, ...] = (), heading: str = ""
) -> Observation:
    blocks = [TextBlock(kind=TextKind.TEXT, text=t, dialog=dialog or None) for t in texts]
    if heading:
        blocks.append(TextBlock(kind=TextKind.HEADING, text=heading, level=1))
    dialogs = (dialog,) if dialog else ()
    url = "http://c/things"
    return Observation(url=url, title="C", elements=elements, dialogs=dialogs, texts=tuple(blocks))


@pytest.mark.parametrize(
    ("control", "harm"),
    [
        (element("Delete"), "delete"),
        (element("Yes, delete it"), "delete"),
        (element("Release address", role="menuitem"), "delete"),
        (element("Clear data"), "delete"),
        (element("Factory reset"), "delete"),
        (element("Leave team"), "delete"),
        (element("🗑", description="Delete everything"), "delete"),
        (element("Archive", role="link", href="http://c/things/7/delete"), "delete"),
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
        (element("Disable MFA"), "identity"),
        (element("Two-factor authentication", role="switch"), "identity"),
        (element("Create access key"), "identity"),
        (element("Save", dialog="Assign role"), "identity"),
        (element("重置密码"), "identity"),
        (element("禁用多因素认证"), "identity"),
        (element("确认", dialog="添加用户"), "identity"),
        (element("Cancel", dialog="Delete bucket"), None),
        (element("Create", dialog="Create bucket"), None),
        (element("Release notes", role="link"), None),
        (element("Remove filter"), None),
        (element("Clear all filters"), None),
        (element("Clear search"), None),
        (element("Reset view"), None),
        (element("清除筛选"), None),
        (element("Order by name"), None),
        (element("Pay-as-you-go", role="radio"), None),
        (element("Delete with instance", role="checkbox"), None),
        (element("Deleted items", role="link"), None),
        (element("Users", role="link"), None),
        (element("Delete a bucket", role="link", region="navigation"), None),
        (element("删除保护"), None),
    ],
)
def test_what_a_control_could_do(control: Element, harm: str | None) -> None:
    shown = view(control, dialog=control.dialog or "")
    found = hazard_of(shown, CLICK)
    assert (found and found.harm.value) == harm


def test_a_dialog_can_be_confirmed_without_naming_a_control() -> None:
    shown = view(element("x", box=Box(10, 10, 5, 5)), dialog="Delete bucket")
    for action in (
        Action(kind=K.PRESS, text="Enter"),
        Action(kind=K.CLICK, point=(200.0, 200.0)),
    ):
        found = hazard_of(shown, action)
        assert found is not None and found.harm == "delete"
    assert hazard_of(shown, Action(kind=K.PRESS, text="Escape")) is None
    assert hazard_of(shown, Action(kind=K.TYPE, text="Delete", element=1)) is None


def test_enter_in_a_field_stands_for_the_button_of_its_form() -> None:
    field = element("Name", id=2, role="textbox")
    shown = view(element("Delete all", is_submit=True), field)
    found = hazard_of(shown, Action(kind=K.PRESS, text="Enter", element=2))
    assert found is not None and found.names == ("Delete all",)


def test_a_question_on_a_page_of_its_own_is_a_dialog_too() -> None:
    asks = ("Are you sure you want to delete web-1?",)
    assert hazard_of(view(element("Yes"), texts=asks, heading="Please confirm"), CLICK)
    assert (
        hazard_of(view(element("Yes"), texts=("All is well.",), heading="Settings"), CLICK) is None
    )


def test_go_does_what_the_list_beside_it_says() -> None:
    choice = element("Action", id=2, role="combobox", value="Delete selected")
    assert hazard_of(view(element("Go"), choice), CLICK)


def test_a_point_stands_for_what_is_drawn_there() -> None:
    shown = view(element("Delete", box=Box(10, 10, 50, 20)))
    assert hazard_of(shown, Action(kind=K.CLICK, point=(20.0, 20.0))) is not None
    assert hazard_of(shown, Action(kind=K.CLICK, point=(200.0, 20.0))) is None


def procedure(*steps: str, title: str = "T") -> Procedure:
    text = f"# {title}\n\n" + "".join(f"{n}. {s}\n" for n, s in enumerate(steps, 1))
    return parse_document(text, "t.md", "markdown").procedures[0]


def guard(text: Procedure, **more: object) -> Guard:
    return Guard(procedure=text, **({"settings": SensitiveSettings()} | more))


def judge(text: Procedure, step: str, control: Element, **more: object) -> Ruling:
    shown = view(control, dialog=control.dialog or "", heading="Disk d-1")
    found = guard(text, **more).judge(shown, Decision(action=CLICK, step=step))
    assert found is not None
    return found


DELETE = procedure(
    "Open **Disks**.", "Click **Delete**.", "Click **OK**.", "Open **Jobs** of `d-1`.",
    title="Delete the disk `d-1`",
)  # fmt: skip


@pytest.mark.parametrize(
    ("step", "control", "is_refused"),
    [
        ("2", element("Delete"), False),
        ("2", element("DELETE…"), False),  # case and ellipsis apart
        ("2", element("Delete d-1"), False),  # with the thing's own name
        ("2", element("Delete all"), True),
        ("2", element("Delete disk pool"), True),
        ("2", element("Remove"), True),  # another word for the same
        ("2", element("Delete permanently"), True),
        ("3", element("Delete"), False),  # the text has just said so
        ("3", element("OK", dialog="Delete disk"), False),
        ("4", element("Yes", dialog="Delete disk"), False),  # what confirms may come late
        ("4", element("Yes", dialog="Delete all disks"), True),
        ("4", element("Yes", dialog="Delete project"), True),
        ("4", element("Yes", dialog="Terminate disk"), True),
        ("1", element("Delete"), True),
        ("4", element("Delete"), True),
        ("2", element("Buy now"), True),
        ("2", element("Reset password"), True),
    ],
)
def test_the_step_has_to_say_it_in_these_words(
    step: str, control: Element, is_refused: bool
) -> None:
    assert judge(DELETE, step, control).is_refused is is_refused


@pytest.mark.parametrize("rule", ["allow", "documented"])
def test_no_setting_lets_what_only_resembles_the_words_be_clicked(rule: str) -> None:
    settings = SensitiveSettings.model_validate({"delete": rule})
    assert judge(DELETE, "2", element("Delete all"), settings=settings).is_refused


def test_a_person_may_be_asked_and_is_told_what_is_against_it() -> None:
    settings = SensitiveSettings.model_validate({"delete": "ask"})
    found = judge(DELETE, "2", element("Delete all"), settings=settings)
    assert not found.is_refused and "does not name it so" in found.question


@pytest.mark.parametrize(
    ("rule", "step", "is_refused"),
    [("allow", "3", False), ("ask", "1", False), ("refuse", "2", True), ("documented", "2", False)],
)
def test_the_settings_say_what_is_done(rule: str, step: str, is_refused: bool) -> None:
    settings = SensitiveSettings.model_validate({"delete": rule})
    assert judge(DELETE, step, element("Delete"), settings=settings).is_refused is is_refused


def test_a_chinese_step_says_it_too() -> None:
    text = procedure("打开**云盘**`d-1`。", "单击**释放**。")
    assert not judge(text, "2", element("释放")).is_refused
    assert judge(text, "2", element("全部释放")).is_refused
    assert judge(text, "2", element("删除")).is_refused
    assert judge(text, "1", element("释放")).is_refused


# -- what it is done to ----------------------------------------------------------------------------


def table(*rows: str, ticked: tuple[str, ...] = (), bulk: bool = False) -> Observation:
    """A list with a button in each row, or with boxes and a button above it."""
    elements = []
    for n, row in enumerate(rows, 1):
        more = {"id": n, "row": f"{row} | Running"}
        if bulk:
            states = frozenset({"checked" if row in ticked else "unchecked"})
            elements.append(element(f"Select {row}", role="checkbox", states=states, **more))
        else:
            elements.append(element("Delete", **more))
    if bulk:
        elements.append(element("Delete", id=99))
    return view(*elements)


def row_ruling(shown: Observation, number: int, **more: object) -> Ruling:
    text = procedure("In the row of **web-1**, click **Delete**.")
    found = guard(text, **more).judge(
        shown, Decision(action=Action(kind=K.CLICK, element=number), step="1")
    )
    assert found is not None
    return found


def test_only_the_row_that_is_named() -> None:
    shown = table("web-1", "web-2")
    assert not row_ruling(shown, 1).is_refused
    assert "'web-2'" in row_ruling(shown, 2).why_not


def test_a_bar_above_the_list_acts_on_what_is_ticked() -> None:
    assert not row_ruling(table("web-1", "web-2", ticked=("web-1",), bulk=True), 99).is_refused
    both = table("web-1", "web-2", ticked=("web-1", "web-2"), bulk=True)
    assert row_ruling(both, 99).is_refused


def test_what_was_there_before_has_to_be_bound_where_nothing_can_be_put_back() -> None:
    shown = table("web-1", "web-2")
    assert "not of this attempt" in row_ruling(shown, 1, protects_existing=True).why_not
    mine = {"Instance": "web-1"}
    assert not row_ruling(shown, 1, protects_existing=True, bound=mine).is_refused


def doing(one: Guard, shown: Observation, action: Action, step: str = "1") -> Ruling | None:
    """As the attempt does it: see, judge, note."""
    one.see(shown)
    found = one.judge(shown, Decision(action=action, step=step))
    if found is None or not found.is_refused:
        one.note(shown, action, found)
    return found


def test_what_the_attempt_made_is_its_own_unless_a_list_had_it_before() -> None:
    text = procedure("Click **Create**, enter `web-1`.", "In the row of `web-1`, click **Delete**.")
    form = view(element("Name", role="textbox"), dialog="Create instance")
    typing = Action(kind=K.TYPE, element=1, text="web-1")
    for before, is_refused in ((table("old"), False), (table("old", "web-1"), True)):
        one = guard(text, protects_existing=True)
        doing(one, before, Action(kind=K.WAIT))
        doing(one, form, typing)
        found = doing(one, table("old", "web-1"), Action(kind=K.CLICK, element=2), "2")
        assert found is not None and found.is_refused is is_refused


def test_what_an_earlier_attempt_may_have_done_is_not_done_again() -> None:
    done: Done = set()
    shown, click = table("web-1"), Action(kind=K.CLICK, element=1)
    text = procedure("In the row of **web-1**, click **Delete**.")
    first = guard(text, done=done)
    assert doing(first, shown, click) == doing(first, shown, click)  # within it, it may
    found = doing(guard(text, done=done), shown, click)
    assert found is not None and "not done twice" in found.why_not
    anew = guard(text, done=done, provided=("web-1",))
    again = doing(anew, shown, click)
    assert again is not None and not again.is_refused


def test_the_question_that_comes_must_be_about_the_same_thing() -> None:
    text = procedure("In the row of the instance **web-1**, click **Delete**, and confirm.")
    yes = element("Delete", dialog="Delete instance?")
    for says, is_refused in (
        ("web-1 will be deleted.", False),
        ("web-2 will be deleted.", True),
        ("This also deletes 12 backups.", True),
        ("All data is lost.", True),
    ):
        one = guard(text)
        doing(one, table("web-1", "web-2"), Action(kind=K.CLICK, element=1))
        found = doing(one, view(yes, dialog="Delete instance?", texts=(says,)), CLICK)
        assert found is not None and found.is_refused is is_refused, says


# -- a console that cannot put anything back -------------------------------------------------------

EDIT = procedure("Set **Name** to `Acme`.", "Click **Save**.")


def saved(one: Guard, held: str, heading: str) -> Ruling | None:
    """A field is filled in, and the form sent."""
    field = element("Name", role="textbox", value=held)
    button = element("Save", id=2, is_submit=True)
    shown = view(field, button, heading=heading)
    doing(one, shown, Action(kind=K.TYPE, element=1, text="Acme"))
    return doing(one, shown, Action(kind=K.CLICK, element=2), "2")


def test_what_held_something_else_is_not_saved_over() -> None:
    found = saved(guard(EDIT, protects_existing=True), "Initech", "Settings")
    assert found is not None and found.is_refused
    assert saved(guard(EDIT, protects_existing=True), "", "Settings") is None
    assert saved(guard(EDIT, protects_existing=True), "untitled", "Create a company") is None
    assert saved(guard(EDIT), "Initech", "Settings") is None
    bound = guard(EDIT, protects_existing=True, bound={"Name": "Acme"})
    changed = saved(bound, "Initech", "Settings")
    assert changed is not None and not changed.is_refused


@pytest.mark.parametrize("name", ["Stop", "Disable", "Rename", "停止", "禁用"])
def test_what_was_there_before_is_not_stopped_or_renamed(name: str) -> None:
    text = procedure(f"In the row of **web-1**, click **{name}**.")
    shown = view(element(name, row="web-1 | Running"))
    decision = Decision(action=CLICK, step="1")
    found = guard(text, protects_existing=True).judge(shown, decision)
    assert found is not None and found.is_refused
    assert guard(text).judge(shown, decision) is None
    allowed = guard(text, protects_existing=True, bound={"x": "web-1"}).judge(shown, decision)
    assert allowed is not None and not allowed.is_refused
