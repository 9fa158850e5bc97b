# ruff: noqa: E501 - tables of cases
"""What hurts when it is wrong needs the text's own words for it, and for what it is done to."""

from dataclasses import replace

import pytest

from appliance.config.model_settings import SensitiveSettings
from appliance.core import actions
from appliance.core.actions import Action, ActionKind
from appliance.core.harm import Harm
from appliance.core.page import Box, Element, Observation, TextBlock, TextKind
from appliance.core.procedure import Procedure
from appliance.documents import parse_document
from appliance.policy.base import Decision
from appliance.verification.guard import Guard, HarmRecord, Ruling
from appliance.verification.guard.hazard import hazard_of
from appliance.verification.guard.things import thing_of_row
from appliance.verification.guard.words import harms_of, scopes

K = ActionKind
CLICK = actions.Click(1)


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


def test_a_link_to_the_page_of_a_bound_thing_changes_nothing_whatever_it_is_called() -> None:
    shown = view(
        element("Rename the settings", role="link", href="http://c/r/2"),
        element("Rename the settings", id=2),
    )
    own = guard(
        procedure("Open it."), protects_existing=True, bound={"request": "Rename the settings"}
    )
    rulings = [own.judge(shown, Decision(action=actions.Click(n), step="1")) for n in (1, 2)]
    assert rulings[0] is None and rulings[1] is not None


def test_in_a_sandbox_what_is_added_may_be_called_by_any_words_of_the_text() -> None:
    text = procedure("Open **Groups**.", "Assign users.", title="Groups")
    intro = "Each user can be a member of a group."
    sandbox = SensitiveSettings(change="allow")
    for name, settings, is_refused in (
        ("Add group member", SensitiveSettings(), True),
        ("Add group member", sandbox, False),
        ("Add group owner", sandbox, True),
    ):
        own = guard(text, protects_existing=True, settings=settings, intro=intro)
        ruling = own.judge(view(element(name)), Decision(action=CLICK, step="2"))
        assert ruling is not None and ruling.is_refused is is_refused, (name, ruling)
        title = f'{name} to "Office"'
        bound = {"group": "Office"}
        own = guard(text, protects_existing=True, settings=settings, intro=intro, bound=bound)
        shown = view(element("Save", dialog=title, is_submit=True), dialog=title)
        ruling = own.judge(shown, Decision(action=CLICK, step="2"))
        assert ruling is not None and ruling.is_refused is is_refused, (title, ruling)


ACTING = "http://c/?task=1&action=change&csrf_token=30d5"


@pytest.mark.parametrize(
    "action", [CLICK, actions.OpenUrl(ACTING)], ids=lambda action: action.kind.value
)
def test_an_address_with_a_proof_of_who_opens_it_does_something(action: actions.Action) -> None:
    row = {"row": "Cut the legs | Todo"}
    shown = view(element("Cut the legs", role="link", href=ACTING, **row))
    strict, sandbox = SensitiveSettings(), SensitiveSettings(change="allow")
    text = procedure("Open it.")
    for settings, is_search, is_refused in (
        (strict, False, True),
        (sandbox, False, False),
        (sandbox, True, True),  # nothing is changed to look for something
    ):
        own = guard(text, protects_existing=True, settings=settings)
        ruling = own.judge(shown, Decision(action=action, step="1", is_search=is_search))
        assert ruling is not None and ruling.hazard.harm is Harm.CHANGE
        assert ruling.is_refused is is_refused, ruling.why_not
    plain_link = element("Cut the legs", role="link", href="http://c/?task=1&action=show", **row)
    looked = Decision(action=CLICK, step="1", is_search=True)
    assert guard(text, protects_existing=True).judge(view(plain_link), looked) is None


@pytest.mark.parametrize(
    ("name", "is_harm"), [("Clear Input", False), ("清除输入", False), ("Clear", True)]
)
def test_what_empties_a_field_does_not_do_what_the_dialog_is_for(name: str, is_harm: bool) -> None:
    shown = view(element(name, dialog="Add a user to a group"), dialog="Add a user to a group")
    found = guard(procedure("Click **Save**.")).judge(shown, Decision(action=CLICK, step="1"))
    assert (found is not None) is is_harm


@pytest.mark.parametrize(
    ("says", "name", "is_refused"),
    [
        ("You can assign a token to a user.", "Assign User", False),
        ("You can assign a token to a user.", "Assign Role", True),
        ("You can assign a token to a user.", "Revoke User", True),
        ("可以将令牌分配给用户。", "分配用户", False),
    ],
)
def test_what_brings_together_may_be_called_by_the_words_of_the_step(
    says: str, name: str, is_refused: bool
) -> None:
    text = procedure(f"Click **FOB1**. {says}")
    shown = view(element(name, row="FOB1 | HOTP"))
    ruling = guard(text, protects_existing=True, bound={"token": "FOB1"}).judge(
        shown, Decision(action=CLICK, step="1")
    )
    assert ruling is not None and ruling.is_refused is is_refused, ruling


@pytest.mark.parametrize(
    ("name", "is_refused"),
    [
        ("Remove Token from Container", False),
        ("Delete Token", False),
        ("Remove Container", True),
        ("Destroy Token from Container", True),
    ],
)
def test_each_of_two_verbs_is_said_of_what_follows(name: str, is_refused: bool) -> None:
    text = procedure("Click **FOB1**. You can remove or delete tokens from the container.")
    shown = view(element(name, row="FOB1 | HOTP"))
    ruling = guard(text, protects_existing=True, bound={"token": "FOB1"}).judge(
        shown, Decision(action=CLICK, step="1")
    )
    assert ruling is not None and ruling.is_refused is is_refused, ruling


def test_the_heading_of_a_column_asks_nothing() -> None:
    shown = view(element("Save", is_submit=True), heading="Change project")
    column = TextBlock(kind=TextKind.COLUMN_HEADER, text="Delete?")
    assert hazard_of(replace(shown, texts=(*shown.texts, column)), CLICK) is None
    asked = replace(column, kind=TextKind.TEXT)
    assert hazard_of(replace(shown, texts=(*shown.texts, asked)), CLICK) is not None


@pytest.mark.parametrize(
    ("control", "text", "is_free"),
    [
        (
            {"href": "http://c/choose"},
            "Click **Delete things** and a list of all things on the page will be displayed.",
            True,
        ),
        (
            {"href": "http://c/choose"},
            "Click **Delete things**, which opens a list of things.",
            True,
        ),
        ({"href": "http://c/choose"}, "Click **Delete things**.", False),
        ({}, "Click **Delete things** and a list of all things will be displayed.", False),
        (
            {"href": "http://c/choose", "row": "web-1"},
            "Click **Delete things** and a list of all things will be displayed.",
            False,
        ),
    ],
)
def test_a_link_behind_which_the_text_has_a_list_to_choose_from_deletes_nothing_yet(
    control: dict[str, str], text: str, is_free: bool
) -> None:
    shown = view(element("Delete things", **control), heading="Tidal flow")
    own = guard(procedure(text), protects_existing=True)
    assert (own.judge(shown, Decision(action=CLICK, step="1")) is None) == is_free


def test_an_entry_without_cells_is_called_by_the_link_that_it_begins_with() -> None:
    row = "frontend Front end"
    shown = view(element("Join", row=row), element("frontend", role="link", row=row))
    assert thing_of_row(shown, row).names == ("frontend", "frontend front end")
    owned = "Shop of Mina"
    other = view(element("Delete", row=owned), element("Mina", role="link", row=owned))
    assert thing_of_row(other, owned).names == ("shop of mina",)


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
        (element("Reset user password"), "identity"),
        (element("Save", dialog="Reset the user's password"), "identity"),
        (element("Reset user data"), "delete"),
        (element("Save", dialog="Reset user"), "delete"),
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
        (element("Deleted items", role="link"), None),
        (element("Users", role="link"), None),
        (
            element("Delete a bucket", role="link", region="navigation", href="http://c/help/7"),
            None,
        ),
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
        actions.Press("Enter"),
        actions.ClickAt(point=(200.0, 200.0)),
    ):
        found = hazard_of(shown, action)
        assert found is not None and found.harm == "delete"
    assert hazard_of(shown, actions.Press("Escape")) is None
    assert hazard_of(shown, actions.Type(1, text="Delete")) is None


def test_enter_in_a_field_stands_for_the_button_of_its_form() -> None:
    field = element("Name", id=2, role="textbox")
    shown = view(element("Delete all", is_submit=True), field)
    found = hazard_of(shown, actions.Press("Enter", 2))
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
    assert hazard_of(shown, actions.ClickAt(point=(20.0, 20.0))) is not None
    assert hazard_of(shown, actions.ClickAt(point=(200.0, 20.0))) is None


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


def table(
    *rows: str, ticked: tuple[str, ...] = (), bulk: bool = False, control: str = "Delete"
) -> Observation:
    """A list with a button in each row, or with boxes and a button above it."""
    elements = []
    for n, row in enumerate(rows, 1):
        more = {"id": n, "row": f"{row} | Running"}
        if bulk:
            states = frozenset({"checked" if row in ticked else "unchecked"})
            elements.append(element(f"Select {row}", role="checkbox", states=states, **more))
        else:
            elements.append(element(control, **more))
    if bulk:
        elements.append(element("Delete", id=99))
    return view(*elements)


def row_ruling(shown: Observation, number: int, **more: object) -> Ruling:
    text = procedure("In the row of **web-1**, click **Delete**.")
    found = guard(text, **more).judge(shown, Decision(action=actions.Click(number), step="1"))
    assert found is not None
    return found


def test_the_name_of_a_thing_in_a_list_does_nothing() -> None:
    row = "new-checkout | release | a day ago"
    link = element("new-checkout", role="link", row=row, href="http://c/flags/new-checkout")
    assert hazard_of(view(link), CLICK) is None
    for name, cells in (("Checkout", "Checkout | now"), ("Buy", "web-1 | Buy")):
        act = element(name, role="link", row=cells, href="http://c/flags/1")
        assert hazard_of(view(act), CLICK) is not None


@pytest.mark.parametrize(
    ("says", "is_harm"),
    [
        ("The code that your customers will enter during checkout.", False),
        ("Taxes will only be calculated at checkout.", False),
        ("You will check out with this card.", True),
    ],
)
def test_when_somebody_pays_is_no_payment(says: str, is_harm: bool) -> None:
    form = view(element("Save", is_submit=True, dialog="Edit"), dialog="Edit", texts=(says,))
    found = guard(procedure("Click **Save**.")).judge(form, Decision(action=CLICK, step="1"))
    assert (found is not None and found.hazard.harm is Harm.PAY) == is_harm


@pytest.mark.parametrize(
    ("says", "is_refused"),
    [
        ("You remove 1 currency. Ensure that all prices of it are gone before proceeding.", False),
        ("You remove 1 currency. All prices of it go as well.", True),
    ],
)
def test_what_to_do_beforehand_is_not_what_is_done(says: str, is_refused: bool) -> None:
    text = procedure("Select the currency.", "Click **Remove**.", title="Remove a currency")
    question = view(element("Remove", dialog="Sure?"), dialog="Sure?", texts=(says,))
    one = guard(text, bound={"currency": "USD"})
    opened = one.judge(view(element("Remove", row="USD")), Decision(action=CLICK, step="2"))
    one.begin(opened)
    found = one.judge(question, Decision(action=CLICK, step="2"))
    assert found is not None and found.is_refused == is_refused


@pytest.mark.parametrize(("row", "is_refused"), [("wrong-size | Wrong size -", False),
                                                 ("order-7 | Wrong size", True)])  # fmt: skip
def test_a_name_in_other_letters_is_the_same_thing(row: str, is_refused: bool) -> None:
    shown = view(element("Delete", row=row), element("Delete", id=2, row="other | Other"))
    one = guard(procedure("Click **Delete** in its row.", title="Delete a reason"),
                bound={"reason": "Wrong size"}, protects_existing=True)  # fmt: skip
    found = one.judge(shown, Decision(action=CLICK, step="1"))
    assert found is not None and found.is_refused == is_refused


@pytest.mark.parametrize(("says", "is_harm"), [("new-checkout", False), ("Purchase it", True)])
def test_a_page_is_not_a_purchase_by_the_name_of_a_thing(says: str, is_harm: bool) -> None:
    one = guard(procedure("Click **Save**."))
    link = element("new-checkout", role="link", row="new-checkout | release", href="/flags/1")
    one.see(view(link))
    form = view(element("Save", is_submit=True), heading=says)
    one.see(form)
    assert (one.judge(form, Decision(action=CLICK, step="1")) is not None) is is_harm


def test_a_name_that_the_user_gave_is_known_before_any_list_has_it() -> None:
    form = view(element("Save", is_submit=True), heading="new-checkout")
    for bound, is_harm in (({"flag": "new-checkout"}, False), ({}, True)):
        one = guard(procedure("Click **Save**."), bound=bound)
        one.see(form)
        assert (one.judge(form, Decision(action=CLICK, step="1")) is not None) is is_harm


@pytest.mark.parametrize(
    ("name", "confirmed", "is_refused"),
    [
        ("Destroy", "Destroy volume", (False, False)),  # whichever word: it ends what is its own
        ("Delete", "Destroy volume", (False, False)),
        ("Destroy all", "Destroy volume", (True, True)),
        ("Delete", "Destroy volume and snapshots", (False, True)),
        ("Release", "Delete volume", (True, False)),
    ],
)
@pytest.mark.parametrize("provided", [("web-1",), ()])
def test_its_own_may_be_ended_by_another_word(
    name: str, confirmed: str, is_refused: tuple[bool, bool], provided: tuple[str, ...]
) -> None:
    text = procedure("In the row of `web-1`, click **Delete**.", "Click **Delete volume**.")
    one = guard(text, provided=provided)
    found = doing(one, table("web-1", control=name), CLICK)
    assert found is not None
    assert found.is_refused is (is_refused[0] or (not provided and name != "Delete"))
    if not found.is_refused:
        asked = view(element(confirmed, dialog="Delete volume"), dialog="Delete volume")
        found = doing(one, asked, CLICK, "2")
        assert found is not None and found.is_refused is (is_refused[1] or not provided)


def test_a_name_is_no_verb() -> None:
    text = procedure("Open the flag.", "Click **Checkout**.")
    path = element("flags/new-checkout", id=3, role="link")
    edit = element("Edit", id=4, description="Edit new-checkout")
    shown = view(element("new-checkout", role="link"), element("Checkout", id=2), path, edit)
    one = guard(text, bound={"flag": "new-checkout"})
    assert doing(one, shown, CLICK) is None and doing(one, shown, actions.Click(3)) is None
    assert doing(one, shown, actions.Click(4)) is None
    assert doing(one, shown, actions.Click(2), "2") is not None
    paid = view(element("Checkout new-checkout"))
    assert doing(one, paid, CLICK, "2") is not None
    assert doing(guard(text), shown, CLICK) is not None  # nobody says that it is one


def test_only_the_row_that_is_named() -> None:
    shown = table("web-1", "web-2")
    assert not row_ruling(shown, 1).is_refused
    assert "'web-2'" in row_ruling(shown, 2).why_not


def test_a_bar_above_the_list_acts_on_what_is_ticked() -> None:
    assert not row_ruling(table("web-1", "web-2", ticked=("web-1",), bulk=True), 99).is_refused
    both = table("web-1", "web-2", ticked=("web-1", "web-2"), bulk=True)
    assert row_ruling(both, 99).is_refused


@pytest.mark.parametrize(
    ("title", "asked", "is_refused"),
    [
        ("Remove user", "Remove 'ben' from 'Biology 8'?", False),
        ("Remove user", "Are you sure you want to remove 'ben' from 'Biology 8'?", False),
        ("Remove user", "Remove 'ben'?", True),  # from where?
        ("Remove user", "Remove 'ben' from 'History 9'?", True),  # from another
        ("Remove user", "Remove 'dora' from 'Biology 8'?", True),  # another one
        ("Remove user", "Remove 'ben' and 'dora' from 'Biology 8'?", True),
        ("Remove user account", "Remove 'ben' from 'Biology 8'?", True),
        ("Delete user", "Remove 'ben' from 'Biology 8'?", True),
        ("Remove all users", "Remove 'ben' from 'Biology 8'?", True),
    ],
)
def test_a_question_that_names_the_thing_and_its_place_may_call_it_otherwise(
    title: str, asked: str, is_refused: bool
) -> None:
    text = procedure("Click **Remove** for the chosen learner.", "Click **Remove** to confirm.")
    bound = {"learner": "ben", "class": "Biology 8"}
    one = guard(text, protects_existing=True, bound=bound)
    found = doing(one, table("ben", "dora", control="Remove"), CLICK)
    assert found is not None and not found.is_refused, found
    question = view(element("Remove", dialog=title), dialog=title, texts=(asked,))
    found = doing(one, question, CLICK, "2")
    assert found is not None and found.is_refused is is_refused, found


@pytest.mark.parametrize(
    ("asked", "is_refused"),
    [
        ("All data stored in the volume will be removed.", False),
        ("Delete web-1? All of its data will be lost.", False),
        ("All snapshots of this volume will be deleted permanently.", False),
        ("The volume will be removed from all groups and permanently deleted.", False),
        ("The volume is permanently deleted.", False),
        ("Volumes will be removed from all groups and be lost for good after 30 days.", False),
        ("Servers will be removed from all groups.", True),
        ("All volumes in the project will be removed.", True),
        ("All of the volumes will be removed.", True),
        ("All data in the project will be removed.", True),
        ("All data in the volume and all servers will be removed.", True),
        ("All data of the volume and of others will be removed.", True),
    ],
)
@pytest.mark.parametrize("bound", [{"volume": "web-1"}, {}])
def test_all_that_is_in_the_thing_itself_goes_with_it(
    asked: str, is_refused: bool, bound: dict[str, str]
) -> None:
    text = procedure("Click **Delete** for the volume `web-1`.", "Click **Delete** to confirm.")
    one = guard(text, bound=bound)
    found = doing(one, table("web-1", "web-2"), CLICK)
    assert found is not None and not found.is_refused, found
    question = view(element("Delete", dialog="Delete"), dialog="Delete", texts=(asked,))
    found = doing(one, question, CLICK, "2")
    assert found is not None and found.is_refused is (is_refused or not bound), found


def test_what_was_there_before_has_to_be_bound_where_nothing_can_be_put_back() -> None:
    shown = table("web-1", "web-2")
    assert "not of this attempt" in row_ruling(shown, 1, protects_existing=True).why_not
    mine = {"Instance": "web-1"}
    assert not row_ruling(shown, 1, protects_existing=True, bound=mine).is_refused


def doing(one: Guard, shown: Observation, action: Action, step: str = "1") -> Ruling | None:
    """As the attempt does it: see, judge, begin, note."""
    one.see(shown)
    found = one.judge(shown, Decision(action=action, step=step))
    if found is None or not found.is_refused:
        one.begin(found)
        one.note(shown, action)
    return found


def test_what_the_attempt_made_is_its_own_unless_a_list_had_it_before() -> None:
    text = procedure("Click **Create**, enter `web-1`.", "In the row of `web-1`, click **Delete**.")
    form = view(element("Name", role="textbox"), dialog="Create instance")
    typing = actions.Type(1, text="web-1")
    for before, is_refused in ((table("old"), False), (table("old", "web-1"), True)):
        one = guard(text, protects_existing=True)
        doing(one, before, actions.Wait())
        doing(one, form, typing)
        found = doing(one, table("old", "web-1"), actions.Click(2), "2")
        assert found is not None and found.is_refused is is_refused


@pytest.mark.parametrize(
    ("name", "provided", "is_refused"),
    [
        ("Edit Role", ("docs-1",), False),
        ("Edit Role", (), True),  # it may be anybody's
        ("Edit all roles", ("docs-1",), True),
        ("Delete Role", ("docs-1",), True),
        ("Edit Role Assignments", ("docs-1",), True),
    ],
)
def test_a_control_on_the_attempts_own_may_say_what_the_title_says(
    name: str, provided: tuple[str, ...], is_refused: bool
) -> None:
    text = procedure("Open the **Roles** of a user.", "Click **Edit**.", title="Edit a role")
    shown = view(element(name, row=f"docs-1 | {name}"))
    found = guard(text, provided=provided).judge(shown, Decision(action=CLICK, step="2"))
    assert found is not None and found.is_refused is is_refused


def test_what_an_earlier_attempt_may_have_done_is_not_done_again() -> None:
    done = HarmRecord()
    shown, click = table("web-1"), actions.Click(1)
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
        doing(one, table("web-1", "web-2"), actions.Click(1))
        found = doing(one, view(yes, dialog="Delete instance?", texts=(says,)), CLICK)
        assert found is not None and found.is_refused is is_refused, says


# -- a console that cannot put anything back -------------------------------------------------------

EDIT = procedure("Set **Name** to `Acme`.", "Click **Save**.")


def saved(one: Guard, held: str, heading: str) -> Ruling | None:
    """A field is filled in, and the form sent."""
    field = element("Name", role="textbox", value=held)
    button = element("Save", id=2, is_submit=True)
    shown = view(field, button, heading=heading)
    doing(one, shown, actions.Type(1, text="Acme"))
    return doing(one, shown, actions.Click(2), "2")


def test_what_held_something_else_is_not_saved_over() -> None:
    found = saved(guard(EDIT, protects_existing=True), "Initech", "Settings")
    assert found is not None and found.is_refused
    assert saved(guard(EDIT, protects_existing=True), "", "Settings") is None
    assert saved(guard(EDIT, protects_existing=True), "untitled", "Create a company") is None
    assert saved(guard(EDIT), "Initech", "Settings") is None
    bound = guard(EDIT, protects_existing=True, bound={"Name": "Acme"})
    changed = saved(bound, "Initech", "Settings")
    named = {"company": "Initech"}
    of_it = saved(guard(EDIT, protects_existing=True, bound=named), "Initech", "Settings")
    assert of_it is not None and not of_it.is_refused  # its own name is what is written over
    other = saved(guard(EDIT, protects_existing=True, bound=named), "Acme Corp", "Settings")
    assert other is not None and other.is_refused
    assert changed is not None and not changed.is_refused


def test_an_entry_of_an_unfolded_menu_that_leads_elsewhere_changes_nothing() -> None:
    one = guard(procedure("Open **Data Input Methods**."), protects_existing=True)
    fold = element("Data Collection", states=frozenset({"collapsed"}))
    doing(one, view(fold), CLICK)
    entry = element("Data Input Methods", role="menuitem", href="/data_input.php")
    assert doing(one, view(entry, heading="Console"), CLICK) is None
    stop = element("Stop collecting", role="menuitem", href="/collect.php?stop=1")
    found = doing(one, view(stop, heading="Console"), CLICK)
    assert found is not None and found.is_refused


@pytest.mark.parametrize("entry", ["/2", "/2/", "/2?tab=1", "/2#overview"])
@pytest.mark.parametrize(
    ("path", "is_refused"),
    [("/2/settings", False), ("/2", False), ("/21/settings", True), ("/settings", True)],
)
def test_below_the_address_of_a_thing_its_menu_is_still_about_it(
    entry: str, path: str, is_refused: bool
) -> None:
    text = procedure("Open the project.", "Click **Settings**.", "Switch **Labelling** on.")
    one = guard(text, protects_existing=True, bound={"project": "Film reviews"})
    link = element("Film reviews", role="link", row="Film reviews | 7", href="/things/2")
    doing(one, view(link), CLICK)
    menu = element("Settings", role="link", region="navigation")
    doing(one, replace(view(menu), url=f"http://c/things{entry}"), CLICK, "2")
    shown = view(element("Labelling", role="switch"), heading="Auto labelling")
    found = doing(
        one, replace(shown, url=f"http://c/things{path}"), actions.Check(1, checked=True), "3"
    )
    assert found is not None and found.is_refused is is_refused


@pytest.mark.parametrize(
    ("label", "held", "is_refused"),
    [
        ("Name", "Acceptance", False),
        ("Name", "Weekend", True),
        ("Parent plan", "Acceptance", True),  # what it has to do with is not what it is
    ],
)
def test_a_form_is_about_what_bears_the_name_in_it(label: str, held: str, is_refused: bool) -> None:
    text = procedure("Open the plan.", "Switch **Active** off.", "Click **Save**.")
    one = guard(text, protects_existing=True, bound={"plan": "Acceptance"})
    name = element(label, role="textbox", value=held)
    notes = element("Notes", id=2, role="textbox", value="Old")
    shown = view(name, notes, element("Save", id=3, is_submit=True), heading="Edit plan")
    doing(one, shown, actions.Type(2, text="Off"))
    found = doing(one, shown, actions.Click(3), "3")
    assert found is not None and found.is_refused is is_refused


def test_what_is_cloned_is_new() -> None:
    one = guard(procedure("Enter a name.", "Click **Clone**."), protects_existing=True)
    name = element("Name", role="textbox", value="Copy of Acceptance")
    shown = view(name, element("Clone", id=2, is_submit=True), heading="Clone plan - Acceptance")
    doing(one, shown, actions.Type(1, text="Mine"))
    assert doing(one, shown, actions.Click(2), "2") is None


@pytest.mark.parametrize(
    ("heading", "is_refused"),
    [("Change user", False), ("Change owner", True), ("Change password", True)],
)
def test_the_title_of_a_form_may_call_filling_it_in_otherwise(
    heading: str, is_refused: bool
) -> None:
    text = procedure(
        "Click the name of the user.", "Edit **First name**.", "Click **Save**.",
        title="Update personal information of a user",
    )  # fmt: skip
    user = element("Username", id=3, role="textbox", value="mina")
    field = element("First name", role="textbox", value="Mina")
    save = element("Save", id=2, is_submit=True)
    one = guard(text, protects_existing=True, bound={"user": "mina"})
    shown = view(user, field, save, heading=heading)
    doing(one, shown, actions.Type(1, text="Mia"))
    found = doing(one, shown, actions.Click(2), "3")
    assert found is None or found.is_refused is is_refused
    assert not is_refused or found is not None


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


def test_in_a_sandbox_what_was_there_before_may_be_changed_as_the_text_says() -> None:
    sandbox = {"protects_existing": True, "settings": SensitiveSettings(change="allow")}
    stop = procedure("In the row of **web-1**, click **Stop**.")
    shown = view(element("Stop", row="web-1 | Running"))
    stopped = guard(stop, **sandbox).judge(shown, Decision(action=CLICK, step="1"))
    assert stopped is not None and not stopped.is_refused
    overwritten = saved(guard(EDIT, **sandbox), "Initech", "Settings")
    assert overwritten is not None and not overwritten.is_refused
    assert not row_ruling(table("web-1", "web-2"), 1, **sandbox).is_refused
    assert row_ruling(table("web-1", "web-2"), 2, **sandbox).is_refused  # deletes what is named
    bound = {"instance": "web-2"}  # says which one is meant
    unnamed = procedure("In its row, click **Stop**.")
    other = guard(unnamed, **sandbox, bound=bound).judge(shown, Decision(action=CLICK, step="1"))
    assert other is not None and other.is_refused
    any_one = guard(unnamed, **sandbox).judge(shown, Decision(action=CLICK, step="1"))
    assert any_one is not None and not any_one.is_refused
    first = guard(stop, **sandbox)
    assert not doing(first, shown, CLICK).is_refused
    assert not doing(guard(stop, **sandbox, done=first.done), shown, CLICK).is_refused
    deleting = guard(procedure("Click **Delete** in the row of **web-1**."), **sandbox)
    assert not doing(deleting, table("web-1"), CLICK).is_refused
    again = guard(deleting.procedure, **sandbox, done=deleting.done)
    assert "not done twice" in doing(again, table("web-1"), CLICK).why_not


# -- attempts to get past it -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "control",
    [
        element("Get rid of it"),
        element("Tear down"),
        element("Force release"),
        element("Schedule deletion"),
        element("Cancel server"),
        element("🗑️"),
        element("×", row="web-1 | Running"),
        element("删掉"),
        element("移出"),
        element("Proceed to payment"),
        element("Add funds"),
        element("结账"),
        element("Give access"),
        element("Replace the access key"),
        element("更换密钥"),
        element("Clean", description="Delete everything here"),  # what only the tooltip says
        element("Delete", role="tab"),
        element("Delete", role="columnheader"),
        element("Delete", role="treeitem"),
        element("Delete", role="option"),
        element("Delete", role="link", region="navigation", href="#"),
        element("Require two-factor authentication", role="checkbox"),
        element("HarmRecord", role="link", href="http://c/things?action=delete&id=7"),
        element("Go on", role="link", href="http://c/deleteThing?id=7"),
        element("Go on", role="link", href="http://c/things/7/%64elete"),
        element("Go on", role="link", href="#add_remove"),
        element("+", role="link", row="host-1 | +", href="http://c/things/7/remove"),
        element("Do it", dialog="Delete bucket"),
        element("👍 Sure", dialog="删除存储桶"),
        element("OK", dialog="Deleting bucket photos"),
        element("Continue", section="Delete this project"),
        element("Submit", is_submit=True, group="Terminate server"),
    ],
)
def test_other_words_and_other_places_for_it(control: Element) -> None:
    assert hazard_of(view(control, dialog=control.dialog or ""), CLICK) is not None


@pytest.mark.parametrize(
    "control",
    [
        element("×", row=None),
        element("+", role="link", row="host-1 | +", href="#add_remove"),
        element("Browse", dialog="Delete bucket"),
        element("Recycle bin", role="link", region="navigation", href="http://c/bin"),
        element("Change password", role="tab"),
        element("Show password", role="button"),
        element("Deleted items", role="tab"),
        element("Release notes", role="tab"),
    ],
)
def test_what_only_shows_something_is_let_be(control: Element) -> None:
    assert hazard_of(view(control, dialog=control.dialog or ""), CLICK) is None


@pytest.mark.parametrize(
    ("says", "is_harm"),
    [
        ("web-1 will be deleted. Are you sure?", True),
        ("Deleting it cannot be undone.", True),
        ("web-1 将被删除", True),
        ("web-1 will not be deleted.", False),
        ("Deleted items are kept for 30 days.", False),
    ],
)
def test_whatever_the_form_of_the_verb(says: str, is_harm: bool) -> None:
    shown = view(element("OK", dialog="Attention"), dialog="Attention", texts=(says,))
    assert (hazard_of(shown, CLICK) is not None) is is_harm


def test_a_box_of_a_form_does_nothing_yet() -> None:
    box = element("Delete with instance", role="checkbox")
    assert hazard_of(view(box, element("Save", id=2)), CLICK) is None
    assert hazard_of(view(box), CLICK) is not None  # nothing sends it: it does it at once


def test_a_form_under_such_a_heading_needs_no_question() -> None:
    assert hazard_of(view(element("Submit", is_submit=True), heading="Delete server web-1"), CLICK)


def press(keys: str, number: int | None = None) -> Action:
    return actions.Press(keys, number)


def test_keys_that_go_to_nobody_knows_what() -> None:
    shown = view(element("Name", role="textbox"), element("Delete", id=2))
    for keys in ("Delete", "Shift+Delete", "Meta+Backspace", "#", "Ctrl+D", "Enter", "Space"):
        assert hazard_of(shown, press(keys)) is not None, keys
    for keys in ("Escape", "Tab", "Ctrl+A", "Ctrl+C", "F5"):
        assert hazard_of(shown, press(keys)) is None, keys
    assert hazard_of(shown, press("#", 1)) is None  # a field takes it
    one = guard(DELETE)
    doing(one, shown, actions.Type(1, text="x"))
    doing(one, shown, press("Tab"))  # the focus is where nobody looked
    assert one.judge(shown, Decision(action=press("Enter"), step="1")) is not None


def test_a_key_that_the_text_names_is_pressed() -> None:
    text = procedure("Press **n** to make a new note.")
    shown = view(element("Notes"))
    assert guard(text).judge(shown, Decision(action=press("n"), step="1")) is None
    assert guard(text).judge(shown, Decision(action=press("d"), step="1")) is not None


def test_an_option_that_only_resembles_what_is_chosen() -> None:
    choice = element("Action", role="combobox", options=("Rename", "Delete all"))
    assert hazard_of(view(choice), actions.Select(1, option="all")) is not None
    assert hazard_of(view(choice), actions.Select(1, option="Rename")) is None


def test_things_are_not_dropped_into_the_bin() -> None:
    shown = view(element("web-1"), element("Recycle bin", id=2))
    assert hazard_of(shown, actions.Drag(1, 2)) is not None


@pytest.mark.parametrize(
    "step",
    [
        "Do not click **Delete**.",
        "Never delete the disk `d-1`.",
        "Click **Stop** instead of **Delete**.",
        "请勿单击**Delete**。",
    ],
)
def test_what_the_text_warns_of_is_not_done(step: str) -> None:
    text = procedure(step, "Click **Stop** of `d-1`.")
    assert judge(text, "1", element("Delete")).is_refused
    forgot = procedure("Don't forget to click **Delete** for `d-1`.", "Look.")
    assert not judge(forgot, "1", element("Delete")).is_refused


def test_what_is_to_be_kept_is_not_what_is_deleted() -> None:
    text = procedure("In the row of `web-1`, click **Delete**, but keep `web-2`.")
    shown = table("web-1", "web-2")
    found = guard(text).judge(shown, Decision(action=actions.Click(2), step="1"))
    assert found is not None and found.is_refused


@pytest.mark.parametrize(
    ("cells", "columns", "is_refused"),
    [
        ("db-main | web-1", ("Name", "Replica of"), True),
        ("web-1 backup | 1 GB", ("Name", "Size"), True),
        ("Copy of web-1 | 1 GB", ("Name", "Size"), True),
        ("web-1 (2) | 1 GB", ("Name", "Size"), True),
        ("web-10 | 1 GB", ("Name", "Size"), True),
        ("i-0a1b2c | web-1", ("ID", "Name"), False),
        ("web-1 i-0a1b2c3d | 1 GB", ("Name", "Size"), False),
        ("web-1 | 1 GB", ("Name", "Size"), False),
        ("W | db-main | web-1", ("State", "Name", "Replica of"), True),
        ("WO | db-main | web-2 one", ("Avatar", "Name", "Replica of"), True),
    ],
)
def test_a_row_is_about_its_own_name(
    cells: str, columns: tuple[str, ...], is_refused: bool
) -> None:
    texts = tuple(
        TextBlock(kind=TextKind.CELL, text=text, row=cells, column=column)
        for text, column in zip(cells.split(" | "), columns, strict=True)
    )
    button = element("Delete", row=cells, column="Actions")
    shown = Observation(url="http://c/x", title="C", elements=(button,), texts=texts)
    assert row_ruling(shown, 1).is_refused is is_refused


def test_initials_stand_for_the_picture_of_whom_the_row_is_about() -> None:
    row = "MB | Mina Berg | Admin"
    shown = view(element("More", row=row))
    assert thing_of_row(shown, row).names == ("mina berg",)


def cards() -> Observation:
    elements = [element("Delete", id=n, section=f"web-{n}") for n in (1, 2)]
    heads = [TextBlock(kind=TextKind.HEADING, text=f"web-{n}", level=3) for n in (1, 2)]
    return Observation(url="http://c/x", title="C", elements=tuple(elements), texts=tuple(heads))


def test_only_the_card_that_is_named() -> None:
    assert not row_ruling(cards(), 1).is_refused
    assert row_ruling(cards(), 2).is_refused


@pytest.mark.parametrize(
    ("url", "heading", "is_refused"),
    [
        ("http://c/servers/web-1/volumes/vol-9", "vol-9", True),
        ("http://c/backups/7?of=web-1", "Backup", True),
        ("http://c/servers/web-1/settings", "Settings", False),
        ("http://c/server?id=web-1&tab=danger", "Server", False),
        ("http://c/#/servers/web-1", "Server", False),
    ],
)
def test_a_page_is_about_what_its_address_ends_with(
    url: str, heading: str, is_refused: bool
) -> None:
    head = TextBlock(kind=TextKind.HEADING, text=heading, level=1)
    shown = Observation(url=url, title="C", elements=(element("Delete"),), texts=(head,))
    assert row_ruling(shown, 1).is_refused is is_refused


def listing(*rows: str, said: str = "", more: tuple[Element, ...] = ()) -> Observation:
    elements = [element("Delete", id=n, row=f"{r} | Up") for n, r in enumerate(rows, 1)]
    texts = (TextBlock(kind=TextKind.TEXT, text=said),) if said else ()
    return Observation(url="http://c/x", title="C", elements=(*elements, *more), texts=texts)


@pytest.mark.parametrize(
    "before",
    [
        listing("old", more=(element("2", id=50),)),  # pages by number
        listing("old", more=(element("Load 10 more", id=50),)),
        listing("old", said="1-20 of 31"),
        listing("old", said="1-20 / 共 31"),
        listing("old", more=(element("Project", id=50, role="combobox", value="other"),)),
        replace(listing("old"), url="http://c/x#disks"),  # as some consoles tell their pages apart
    ],
)
def test_what_another_page_or_project_had_was_not_made(before: Observation) -> None:
    text = procedure("Click **Create**, enter `web-1`.", "In the row of `web-1`, click **Delete**.")
    one = guard(text, protects_existing=True)
    doing(one, before, actions.Wait())
    form = view(element("Name", role="textbox"), dialog="Create instance")
    doing(one, form, actions.Type(1, text="web-1"))
    found = doing(one, listing("old", "web-1"), actions.Click(2), "2")
    assert found is not None and found.is_refused


@pytest.mark.parametrize("url", ["http://c/x/", "http://c/x?sort=name", "http://c/x#?page=1"])
def test_a_list_is_the_same_one_however_it_is_shown(url: str) -> None:
    text = procedure("Click **Create**, enter `web-1`.", "In the row of `web-1`, click **Delete**.")
    one = guard(text, protects_existing=True)
    doing(one, replace(listing("old"), url=url), actions.Wait())
    form = view(element("Name", role="textbox"), dialog="Create instance")
    doing(one, form, actions.Type(1, text="web-1"))
    found = doing(one, listing("old", "web-1"), actions.Click(2), "2")
    assert found is not None and not found.is_refused


def test_what_was_searched_for_was_not_made() -> None:
    one = guard(procedure("In the row of `web-1`, click **Delete**."), protects_existing=True)
    box = element("Search", id=60, role="searchbox")
    before = listing("old", more=(box,))
    doing(one, before, actions.Type(60, text="web-1"))
    found = doing(one, listing("web-1", more=(box,)), actions.Click(1))
    assert found is not None and found.is_refused


def test_more_is_selected_than_is_seen() -> None:
    shown = table("web-1", "web-2", ticked=("web-1",), bulk=True)
    for said, is_refused in (
        ("1 selected", False),
        ("25 items selected", True),
        ("已选 3 项", True),
    ):
        says = TextBlock(kind=TextKind.TEXT, text=said)
        found = row_ruling(replace(shown, texts=(says,)), 99)
        assert found.is_refused is is_refused, said


def test_an_open_menu_is_about_the_row_over_which_it_came() -> None:
    one = guard(procedure("In the row of `web-1`, click **Delete**."))
    rows = [element("⋮", id=n, row=f"web-{n} | Up", states=frozenset({"haspopup"})) for n in (1, 2)]
    doing(one, view(*rows), actions.Click(1))
    doing(one, view(*rows), actions.Hover(2))
    entry = element("Delete", id=3, role="menuitem", region="menu")
    found = doing(one, view(*rows, entry), actions.Click(3))
    assert found is not None and found.is_refused


def test_rows_without_a_name_are_no_ones() -> None:
    text = procedure("In the row of `ann`, click **Reset password**.")
    rows = [element("Reset password", id=n, row="ann | ann@x.org") for n in (1, 2)]
    twins = [replace(rows[0], row="ann | 1"), replace(rows[1], row="ann | 2")]
    found = guard(text).judge(view(*twins), Decision(action=CLICK, step="1"))
    assert found is not None and found.is_refused


@pytest.mark.parametrize(
    ("title", "button"),
    [("Create access key", "OK"), ("创建密钥对", "确定"), ("Access", "Create access key")],
)
def test_what_was_made_and_is_gone_again_may_be_made_anew(title: str, button: str) -> None:
    done = HarmRecord()
    text = procedure(f"Click **{title}**.", f"Enter `k-1` as the name, and click **{button}**.")
    form = view(element(button, dialog=title), dialog=title)
    for refused in (False, True):
        one = guard(text, done=done)
        doing(one, view(element(title)), actions.Click(1), "1")
        found = doing(one, form, actions.Click(1), "2")
        assert found is not None and found.is_refused is refused
    done.forget_made()
    one = guard(text, done=done)
    doing(one, view(element(title)), actions.Click(1), "1")
    found = doing(one, form, actions.Click(1), "2")
    assert found is not None and not found.is_refused


def test_a_second_attempt_that_finds_it_elsewhere_does_not_repeat_it() -> None:
    done = HarmRecord()
    text = procedure("In the row of `web-1`, click **Delete**.")
    doing(guard(text, done=done), table("web-1", "web-2"), actions.Click(1))
    page = view(element("Delete"), heading="Instance web-1")
    found = doing(guard(text, done=done), page, CLICK)
    assert found is not None and "not done twice" in found.why_not


def test_nothing_is_paid_twice_whatever_was_ticked() -> None:
    done = HarmRecord()
    text = procedure("Tick `web-1`.", "Click **Renew**.")
    ticked = table("web-1", ticked=("web-1",), bulk=True)
    renew = element("Renew", id=98)
    click = actions.Click(98)
    doing(guard(text, done=done), replace(ticked, elements=(*ticked.elements, renew)), click, "2")
    found = doing(guard(text, done=done), view(renew), click, "2")
    assert found is not None and "not done twice" in found.why_not


def test_what_broke_in_the_middle_may_have_been_done() -> None:
    done = HarmRecord()
    text = procedure("In the row of `web-1`, click **Delete**.")
    first, shown = guard(text, done=done), table("web-1")
    first.see(shown)
    first.begin(first.judge(shown, Decision(action=CLICK, step="1")))  # and nothing came back
    found = doing(guard(text, done=done), shown, CLICK)
    assert found is not None and "not done twice" in found.why_not


# -- questions of the browser's own ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "is_refused"),
    [
        ("Delete web-1?", False),
        ("Are you sure?", False),
        ("web-1 will be deleted. This cannot be undone.", False),
        ("Delete web-2?", True),
        ("Delete all instances?", True),
        ("Permanently delete web-1?", True),
        ("确定删除 web-1 吗？", False),
        ("确定删除全部实例吗？", True),
    ],
)
def test_a_browsers_question_is_read(message: str, is_refused: bool) -> None:
    one = guard(procedure("In the row of `web-1`, click **Delete**."))
    shown = table("web-1", "web-2")
    one.see(shown)
    one.begin(one.judge(shown, Decision(action=CLICK, step="1")))
    assert bool(one.objects(message)) is is_refused


def test_a_browsers_question_after_a_harmless_click_is_read_as_well() -> None:
    one = guard(procedure("Click **Clean up** for `web-1`."), protects_existing=True)
    shown = view(element("Tidy"))
    one.see(shown)
    one.judge(shown, Decision(action=CLICK, step="1"))
    one.begin(None)
    assert one.objects("Delete web-1?") and one.objects("Stop web-1?")
    assert not one.objects("Leave without saving?")


# -- a console that cannot put anything back, once more --------------------------------------------


def changed(shown: Observation, action: Action, *before: Action, **more: object) -> Ruling | None:
    """In a console that protects what is there; the text says to."""
    one = guard(
        procedure("In the row of `web-1`, do it.", "Click **Save**."),
        protects_existing=True,
        **more,
    )
    for each in before:
        doing(one, shown, each)
    return doing(one, shown, action)


SETTINGS = (
    element("Mail alerts", role="checkbox"),
    element("Size", id=2, role="combobox", value="S"),
)


@pytest.mark.parametrize(
    ("shown", "action"),
    [
        (view(element("Defenestrate", row="web-1 | Up")), CLICK),  # whatever the verb
        (view(element("On", role="checkbox", row="web-1 | Up", column="Enabled")), actions.Check(1)),
        (view(*SETTINGS), actions.Check(1)),  # saved at once
        (view(*SETTINGS), actions.Select(2, option="L")),
        (view(element("Note", role="textbox", value="old")), actions.Type(1, text="n")),
        (view(element("Size", role="combobox", row="web-1 | S")), actions.Select(1, option="L")),
        (view(element("Action", role="combobox"), element("Save", id=2)), actions.Select(1, option="Stop")),
        (view(element("web-1"), element("HarmRecord", id=2)), actions.Drag(1, 2)),
    ],
)  # fmt: skip
def test_what_is_there_is_not_changed_at_once(shown: Observation, action: Action) -> None:
    found = changed(shown, action)
    assert found is not None and found.is_refused


def test_a_page_that_is_all_for_one_button_keeps_nothing_before_it() -> None:
    export = view(*SETTINGS, element("Export", id=3))
    choice = actions.Select(2, option="L")
    assert changed(replace(export, url="http://c/things/export?of=1"), choice) is None
    assert changed(export, choice) is not None


def test_rules_for_passwords_say_nothing_of_how_many_things_are_meant() -> None:
    assert not scopes("Your password can’t be entirely numeric.")
    assert scopes("The disk will be entirely erased.")


@pytest.mark.parametrize(
    ("shown", "action"),
    [
        (view(element("More", row="web-1 | Up")), CLICK),
        (view(element("详情", row="web-1 | Up")), CLICK),
        (view(element("Select web-1", role="checkbox", row="web-1 | Up")), actions.Check(1)),
        (view(*SETTINGS, element("Save", id=3)), actions.Check(1)),
        (view(*SETTINGS, element("x", id=3, row="web-1 | Up")), actions.Select(2, option="L")),
    ],
)  # fmt: skip
def test_looking_and_filling_in_is_free(shown: Observation, action: Action) -> None:
    assert changed(shown, action) is None


def test_a_bound_field_does_not_open_every_door() -> None:
    field = element("Size", id=2, role="combobox", value="S")
    shown = view(element("Stop", row="web-9 | Up"), field, element("Save", id=3))
    choosing = actions.Select(2, option="L")
    found = changed(shown, CLICK, choosing, bound={"Size": "L"})
    assert found is not None and found.is_refused


def test_a_form_of_several_pages_is_still_that_form() -> None:
    one = guard(EDIT, protects_existing=True)
    field = element("Name", role="textbox", value="Initech")
    first = view(field, element("Next", id=2), heading="Settings")
    doing(one, first, actions.Type(1, text="Acme"))
    doing(one, first, actions.Click(2))
    last = replace(view(element("Finish", id=3), heading="Review"), url="http://c/things/2")
    found = doing(one, last, actions.Click(3), "2")
    assert found is not None and found.is_refused


def test_a_title_that_only_sounds_like_something_new() -> None:
    for heading in ("Add-ons", "Import and export"):
        found = saved(guard(EDIT, protects_existing=True), "Initech", heading)
        assert found is not None and found.is_refused, heading


def test_a_form_for_new_ones_beside_the_list_does_not_open_the_list() -> None:
    add = element("Add", id=9, is_submit=True)
    shown = table("web-1", "web-2")
    head = TextBlock(kind=TextKind.HEADING, text="Create instances", level=1)
    beside = replace(shown, elements=(*shown.elements, add), texts=(head,))
    assert row_ruling(beside, 2).is_refused


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_on_a_button_is_a_click(key: str) -> None:
    text = procedure("In the row of **web-1**, click **Stop**.")
    shown = view(element("Stop", row="web-1 | Running"))
    for action in (actions.Press(key, 1), actions.Press(key)):
        found = guard(text, protects_existing=True).judge(shown, Decision(action=action, step="1"))
        assert found is not None and found.is_refused


# -- what only a second reader saw -----------------------------------------------------------------

AT = (300.0, 300.0)
POINTED = actions.ClickAt(point=AT)


@pytest.mark.parametrize(
    ("step", "is_refused"),
    [
        ("Click the **Delete** icon of the node `web-1`.", True),
        ("On the map, release the address.", True),
        ("单击**删除**。", True),
        ("Click **Buy now**.", True),
        ("Click **Reset password**.", True),
        ("Click the node `web-1` on the map.", False),
        ("Do not click **Delete**. Click the node.", False),
        ("Choose a plan from the drop-down list, close it, and order by name.", False),
    ],
)
def test_what_is_only_drawn_is_not_clicked_where_the_text_says_such_a_thing(
    step: str, is_refused: bool
) -> None:
    canvas = element("Map", role="img", tag="canvas", box=Box(0, 0, 900, 900))
    text = procedure("Look at the map.", step, "Click **Done**.")
    for shown in (view(heading="Map"), view(canvas, heading="Map")):
        for action in (POINTED, CLICK) if shown.elements else (POINTED,):
            found = guard(text).judge(shown, Decision(action=action, step="2"))
            assert (found is not None and found.is_refused) is is_refused


def test_a_click_at_a_point_changes_what_stands_there() -> None:
    shown = view(element("Stop", box=Box(290, 290, 40, 20)), heading="Server web-1")
    found = changed(shown, POINTED)
    assert found is not None and found.is_refused


def page_of(name: str, *controls: Element, address: str = "7") -> Observation:
    """The page of something that a list had."""
    return replace(view(*controls, heading=name), url=f"http://c/things/{address}")


def on_page_of(name: str, control: Element, **more: object) -> Ruling | None:
    cells = (("payroll", "Name"), ("web-1", "Name"))
    texts = tuple(TextBlock(kind=TextKind.CELL, text=t, row=t, column=c) for t, c in cells)
    link = element("web-1", id=3, role="link", row="web-1", column="Name", href="http://c/things/7")
    listed = Observation(url="http://c/things", title="C", elements=(link,), texts=texts)
    one = guard(
        procedure(f"On its page, click **{control.name}**."), protects_existing=True, **more
    )
    doing(one, listed, actions.Click(3))
    menu = element("Actions", id=9, states=frozenset({"haspopup"}))
    if control.region == "menu":
        doing(one, page_of(name, menu), actions.Click(9))
    return doing(one, page_of(name, control), CLICK)


@pytest.mark.parametrize("name", ["web-1", "Server web-1", "payroll"])
def test_whatever_the_verb_on_the_page_of_a_thing(name: str) -> None:
    for control in (
        element("Quiesce"),
        element("Quiesce", is_submit=True),
        element("Quiesce", role="menuitem", region="menu"),
        element("静默"),
    ):
        found = on_page_of(name, control)
        assert found is not None and found.is_refused
        theirs = on_page_of(name, control, bound={"it": name.split()[-1]})
        assert theirs is None or not theirs.is_refused


@pytest.mark.parametrize(
    "control",
    [
        element("Refresh"),
        element("Remove filter"),
        element("Create snapshot"),
        element("Metrics", role="tab"),
        element("Volumes", role="link", href="http://c/things/7/volumes"),
        element("Overview", role="link", href="http://c/things/7#overview"),
        element("Networks", role="menuitem"),  # of the console's own menu
        element("Dark mode", region="banner"),
        element("Feedback", region="contentinfo"),
        element("Actions", states=frozenset({"haspopup"})),
        element("刷新"),
        element("Next"),
    ],
)
def test_looking_round_on_the_page_of_a_thing_is_free(control: Element) -> None:
    assert on_page_of("web-1", control) is None


def test_a_page_about_no_thing_has_buttons_of_any_name() -> None:
    assert on_page_of("Events", element("Quiesce")) is None


def in_form_titled(
    heading: str,
    *beside: Element,
    path: str = "",
    empty: bool = False,
    listed: bool = False,
) -> Ruling | None:
    """A field that held something is filled in anew and sent."""
    one = guard(EDIT, protects_existing=True)
    if listed:
        doing(one, table(heading), actions.Wait())
    fields = [element("Name", role="textbox", value="Initech")]
    fields += [element("Note", id=3, role="textbox", value="")] if empty else []
    shown = view(*fields, element("Save", id=2, is_submit=True), *beside, heading=heading)
    shown = replace(shown, url=shown.url + path)
    doing(one, shown, actions.Type(1, text="Acme"))
    return doing(one, shown, actions.Click(2), "2")


@pytest.mark.parametrize(
    ("name", "leads_to", "is_refused"),
    [("Nightly", "/7", False), ("Weekly", "/8", True), ("Nightly", "/7/", False)],
)
@pytest.mark.parametrize("row", ["0% complete | Nightly started at noon", None])
def test_the_form_of_what_a_link_by_its_name_has_led_to_is_that_things(
    name: str, leads_to: str, is_refused: bool, row: str | None
) -> None:
    one = guard(EDIT, protects_existing=True, bound={"run": "Nightly"})
    link = element(name, role="link", row=row and row.replace("Nightly", name))
    doing(one, view(link), actions.Click(1))
    page = view(element("Edit", role="link", region="menu"), heading="A run")
    page = replace(page, url=f"{page.url}{leads_to}")
    doing(one, page, actions.Click(1))
    fields = element("Manager", role="textbox", value="otto"), element("Save", id=2, is_submit=True)
    form = replace(view(*fields, heading="Edit run"), url=f"{page.url.rstrip('/')}/edit")
    doing(one, form, actions.Type(1, text="mina"))
    ruling = doing(one, form, actions.Click(2), "2")
    assert (ruling is not None and ruling.is_refused) is is_refused


def test_a_name_that_begins_with_new_is_no_form_for_something_new() -> None:
    for found in (
        in_form_titled("New York office"),  # whoever makes something new has something to fill in
        in_form_titled("New York office", empty=True, listed=True),
        in_form_titled("New York office", empty=True, path="/7"),
        in_form_titled("New York office", empty=True, path="/7/edit"),
    ):
        assert found is not None and found.is_refused
    assert in_form_titled("New office", empty=True) is None
    assert in_form_titled("Create an office") is None
    search = element("Search offices", id=8, role="link")
    assert in_form_titled("New office", search) is None  # the page calls such things so
    archive = element("Archive New York office", id=8)
    for other in (search, archive):
        found = in_form_titled("New York office", other)
        assert found is not None and found.is_refused


@pytest.mark.parametrize(
    ("steps", "row", "is_refused"),
    [
        (("Open **web-1**. To delete **web-2**, click **Delete**.",), 1, True),
        (("Open **web-1**. To delete **web-2**, click **Delete**.",), 2, False),
        (("Open `web-1`.", "In the row of `web-2`, click **Delete**."), 1, True),
        (("Open `web-1`.", "Select **web-2** and click **Delete**."), 1, True),  # a list has it
        (("打开`web-1`。删除`web-2`。",), 1, True),
        (("打开`web-1`。删除`web-2`。",), 2, False),
        (("In the row of `web-1`, click **Delete**.", "In the row of `web-2`, click **Delete**."), 1, False),
        (("Select `web-1`.", "Click **More** > **Delete**."), 1, False),
        (("Select `web-1`.", "To delete the server, click **Delete** in `eu-1`."), 1, False),
        (("Select `web-1`.", "To delete it click **Delete** and enter `DELETE`."), 1, False),
        (("选择`web-1`。", "单击**删除**。"), 1, False),
        (("Select `web-1`.", "In the **Instances** list, click **Delete**."), 1, False),
    ],
)  # fmt: skip
def test_a_thing_named_for_another_purpose_is_not_the_one(
    steps: tuple[str, ...], row: int, is_refused: bool
) -> None:
    delete = "Delete" if steps[0].isascii() else "删除"
    shown = table("web-1", "web-2")
    shown = replace(shown, elements=tuple(replace(e, name=delete) for e in shown.elements))
    one = guard(procedure(*steps))
    doing(one, table("Instances"), actions.Wait())  # an overview of what there is
    one.see(shown)
    click = actions.Click(row)
    found = one.judge(shown, Decision(action=click, step=str(len(steps))))
    assert found is not None and found.is_refused is is_refused


@pytest.mark.parametrize("typed", ["Acme\n", "x\n"])
def test_a_line_break_in_a_field_sends_its_form_too(typed: str) -> None:
    name, note = (
        element("Name", role="textbox", value="Initech"),
        element("Note", id=3, role="textbox", value=""),
    )
    save = element("Save", id=2, is_submit=True)
    for heading, is_refused in (("Settings", True), ("Create a company", False)):
        one, shown = guard(EDIT, protects_existing=True), view(name, note, save, heading=heading)
        doing(one, shown, actions.Type(1, text="Acme"))
        for at in (1, 3):
            found = doing(one, shown, actions.Type(at, text=typed))
            assert (found is not None and found.is_refused) is is_refused
    fresh = guard(EDIT, protects_existing=True)
    found = doing(fresh, view(name, save, heading="Settings"), actions.Type(1, text=typed))
    assert found is not None and found.is_refused
    noted = doing(fresh, view(note, save, heading="Settings"), actions.Type(3, text=typed))
    assert noted is None


@pytest.mark.parametrize(
    ("words", "harms"),
    [
        ("Edit user data", False),  # a script of a machine
        ("Edit user", True),
        ("Create users", True),
        ("Edit the user's data", True),
    ],
)
def test_user_data_is_nobody_who_may_log_in(words, harms):
    assert (harms_of(words, ignored=None) is Harm.IDENTITY) is harms


def test_a_caret_does_not_make_a_button_harmless_that_an_own_menu_would() -> None:
    acts = view(element("Restart", row="web-1 | Active", states=frozenset({"caret"})))
    opens = view(element("Restart", row="web-1 | Active", states=frozenset({"haspopup"})))
    own = guard(procedure("Open it."), protects_existing=True)
    rulings = [own.judge(each, Decision(action=CLICK, step="1")) for each in (acts, opens)]
    assert rulings[0] is not None and rulings[1] is None


def test_a_drawn_trash_can_deletes() -> None:
    drawn = element("delete", look="delete", is_wordless=True, row="web-1 | Active")
    found = hazard_of(view(drawn), CLICK)
    assert found is not None and found.harm is Harm.DELETE


@pytest.mark.parametrize(("fields", "is_refused"), [(3, False), (1, True)])
def test_what_a_form_explains_of_its_fields_makes_nothing_larger(
    fields: int, is_refused: bool
) -> None:
    boxes = [element(f"Name {n}", id=n + 2, role="textbox") for n in range(fields)]
    explained = "A user will get all permissions of each of their groups."
    shown = view(element("Save", is_submit=True), *boxes, texts=(explained,), heading="Change user")
    text = procedure("Tick **Staff** of the user, and click **Save**.", title="Change a user")
    ruling = guard(text).judge(shown, Decision(action=CLICK, step="1"))
    assert ruling is not None
    assert ('says "all"' in ruling.objection) is is_refused


def test_what_a_form_says_of_its_consequences_counts() -> None:
    boxes = [element(f"Name {n}", id=n + 2, role="textbox") for n in range(3)]
    warning = "All volumes of the cluster will be deleted."
    shown = view(element("Save", is_submit=True), *boxes, texts=(warning,), heading="Delete node")
    text = procedure("Click **Save**, which deletes the node.", title="Delete a node")
    ruling = guard(text).judge(shown, Decision(action=CLICK, step="1"))
    assert ruling is not None
    assert 'says "all"' in ruling.objection
