"""One turn after the other: what a model answers, and what becomes of it."""

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from appliance.config.model_settings import AgentSettings
from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.errors import AnswerError, ModelError
from appliance.core.page import Box, Fold, FoldKind
from appliance.inference.scripted import Fault, Offer, ScriptedReply
from appliance.policy.base import Task
from tests.policy.policy_model_desk import BUCKETS, desk, element, note, procedure, said, view

K = ActionKind
LISTED = view(*BUCKETS, folds=(Fold(id=9, kind=FoldKind.TABLE, name="Buckets", total=400),))


def click(number: object) -> dict[str, object]:
    return {"kind": "click", "element": number, "how": ""}


DEEDS = [
    (click(3), actions.Click(3)),
    ({**click(3), "how": "double"}, actions.Click(3, how="double")),
    ({"kind": "type", "element": 4, "text": "w"}, actions.Type(4, text="w")),
    ({"kind": "type", "element": 4, "text": ""}, actions.Type(4, "")),
    ({"kind": "select", "element": 4, "option": "W"}, actions.Select(4, option="W")),
    (
        {"kind": "check", "element": 4, "checked": False},
        actions.Check(4, checked=False),
    ),
    ({"kind": "upload", "element": 4}, actions.Upload(4, path="/tmp/a.png")),
    ({"kind": "press", "keys": "Enter", "element": None}, actions.Press("Enter")),
    ({"kind": "hover", "element": 2}, actions.Hover(2)),
    (
        {"kind": "scroll", "direction": "down", "element": None},
        actions.Scroll("down"),
    ),
    ({"kind": "drag", "element": 1, "to": 2}, actions.Drag(1, 2)),
    ({"kind": "go_back"}, actions.GoBack()),
    ({"kind": "open_url", "url": "http://c/"}, actions.OpenUrl(url="http://c/")),
    ({"kind": "open_url", "url": "/a?b=1"}, actions.OpenUrl(url="http://console/a?b=1")),
    ({"kind": "switch_tab", "tab": 2}, actions.SwitchTab(tab="2")),
    ({"kind": "wait", "seconds": 2.5}, actions.Wait(seconds=2.5)),
    ({"kind": "unfold", "list": 9, "rows": "5-9"}, actions.Unfold(9, "5-9")),
    ({"kind": "request_resource", "what": "a"}, actions.RequestResource(what="a")),
    (
        {"kind": "hand_over", "what": "code", "element": 4},
        actions.HandOver("code", 4),
    ),
    ({"kind": "complete", "seen": "listed"}, actions.Complete(seen="listed")),
    ({"kind": "unachievable", "why": "no way"}, actions.Unachievable(why="no way")),
]


@pytest.mark.parametrize(("deed", "action"), DEEDS)
async def test_every_deed_becomes_its_action(deed, action):
    task = Task(procedure=procedure(), sample_file="/tmp/a.png")
    async with desk([said(action=deed)], task=task) as d:
        made = await d.choose(LISTED)
    assert made.action == action
    assert made.spent.calls == 1
    assert made.spent.unusable == 0


def test_no_kind_of_action_is_left_out():
    assert {action.kind for _, action in DEEDS} == set(ActionKind)


async def test_a_decision_says_its_step_its_thought_and_its_cost():
    answer = said(step="2", page="the list of buckets", next="open the form", is_detour=False)
    async with desk([answer]) as d:
        made = await d.choose()
    assert (made.step, made.thought) == ("2", "the list of buckets open the form")
    assert made.spent == d.policy.spent
    assert made.spent.tokens_in > 500
    assert made.spent.tokens_out > 5
    (exchange,) = made.exchanges
    assert (exchange.role, exchange.problem, exchange.answer) == ("agent", "", answer)
    assert exchange.version.startswith("en-")


UNUSABLE = [
    (said(action={"kind": "teleport"}), "teleport"),
    (said(action=click(77)), "no element 77 on the page; there are 1 to 5"),
    (said(action=click("Save")), "Save"),
    (said(action=click({"role": "button", "label": "Save", "place": ""})), "by their number"),
    (said(action={"kind": "drag", "element": 1, "to": 42}), "no element 42"),
    (said(action={"kind": "type", "element": 4}), "text: Field required"),
    (said(action={"kind": "complete", "seen": "  "}), "seen"),
    (said(action={"kind": "unfold", "list": 3, "rows": "1-9"}), "no long list 3; the lists are 9"),
    (said(action={"kind": "upload", "element": 4}), "no file to upload"),
    (said(action={"kind": "click_at", "x": 10, "y": 10}), "no screenshot"),
    (said(action={"kind": "wait", "seconds": 9000}), "seconds"),
    (said(step="12"), "no step '12'; the steps are 1, 2, 3"),
    (said(notes=[note("7")]), "no step '7'"),
    ("Certainly! I would be happy to help you with that.", "no JSON object but 'Certainly!"),
    ('{"step": "1", "action"', "no JSON object"),
    ("[1, 2]", "no JSON object"),
    ("", "it is empty"),
    (ScriptedReply(text=said()[:40], finish_reason="length"), "cut off"),
    (ScriptedReply(text="x" * 200_000), "cut off"),
    ("{" * 100_000, "cut off"),
]


@pytest.mark.parametrize(("bad", "why"), UNUSABLE)
async def test_an_answer_that_cannot_be_used_is_answered_once_with_what_was_wrong(bad, why):
    async with desk([bad, said(action={"kind": "click", "element": 5, "how": ""})]) as d:
        made = await d.choose(LISTED)
        first, second = d.model.requests
    assert made.action.element == 5
    assert (made.spent.calls, made.spent.unusable) == (2, 1)
    assert why in second.last
    assert second.messages[:2] == first.messages
    assert [m["role"] for m in second.messages[2:]] == ["assistant", "user"]
    assert len(second.text) < len(first.text) + 3000
    assert why in made.exchanges[0].problem
    assert made.exchanges[1].problem == ""


async def test_two_answers_that_cannot_be_used_end_it_with_the_reason():
    async with desk(["prose", said(step="12")]) as d:
        with pytest.raises(AnswerError, match="could not be used twice: there is no step '12'"):
            await d.choose()
        assert (d.policy.spent.calls, d.policy.spent.unusable) == (2, 2)


@pytest.mark.parametrize("fault", [Fault.PROSE, Fault.WRONG, Fault.TRUNCATED, Fault.HUGE])
async def test_faults_of_the_model_are_survived_once(fault):
    async with desk([ScriptedReply(text=said(), fault=fault), said()]) as d:
        assert (await d.choose()).spent.unusable == 1


@pytest.mark.parametrize("fault", [Fault.CUT_OFF, Fault.HANG_UP, Fault.ERROR])
async def test_a_server_that_dies_in_mid_sentence_is_the_model_s_fault(fault):
    async with desk([ScriptedReply(text=said(), fault=fault)] * 3) as d:
        with pytest.raises(ModelError):
            await d.choose()


@pytest.mark.parametrize(
    "wrapped",
    [
        "```json\n{}\n```",
        "<think>Where is it? {here}</think>\n{}",
        "Here is my answer: {}",
    ],
)
async def test_what_stands_around_the_answer_is_overlooked(wrapped):
    async with desk([wrapped.replace("{}", said())]) as d:
        assert (await d.choose()).action.element == 1


async def test_step_indexes_may_be_written_loosely():
    async with desk([said(step=" 2. ", notes=[note("2.")])]) as d:
        made = await d.choose()
    assert made.step == made.reports[0].step == "2"


async def test_the_second_attempt_is_asked_warmer_and_under_the_adapter_s_name():
    settings = AgentSettings(adapter="console-lora", temperature=0.1)
    offer = Offer(models=("base", "console-lora"))
    async with desk([said()], settings, attempt=2, offer=offer) as d:
        await d.choose()
        (asked,) = d.model.requests
    assert asked.temperature == pytest.approx(0.4)
    assert asked.model == "console-lora"


async def test_the_budget_ends_it_before_the_question_that_it_cannot_pay():
    async with desk([said()] * 9, AgentSettings(budget_tokens=6000)) as d:
        for _ in range(9):
            made = await d.choose()
            if made.action.is_final:
                break
        assert len(d.model.requests) < 9
        assert d.policy.spent.tokens <= 6000
    assert made.action.kind is ActionKind.UNACHIEVABLE
    assert made.is_over_budget and made.action.argument.startswith("budget: ")
    assert "agent.budget_tokens" in made.action.argument


def _jpeg() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 40), "white").save(out, "JPEG")
    return out.getvalue()


async def _picture(page: object) -> bytes:
    return _jpeg()


async def test_the_screenshot_is_shown_where_the_model_takes_images():
    async with desk([said()], picture=_picture) as d:
        made = await d.choose()
        (asked,) = d.model.requests
    assert asked.images == (_jpeg(),)
    assert "The screenshot shows it with the same numbers." in asked.text
    assert "click_at" in asked.text
    kept = json.dumps(made.exchanges[0].messages)
    assert "image_url" in kept
    assert "base64" not in kept


@pytest.mark.parametrize(
    ("settings", "offer"),
    [
        (AgentSettings(), Offer(takes_images=False)),
        (AgentSettings(screenshots=False), Offer(takes_images=True)),
    ],
)
async def test_no_screenshot_where_it_is_not_taken_or_not_wanted(settings, offer):
    async with desk([said()], settings, offer=offer, picture=_picture) as d:
        await d.choose()
        (asked,) = d.model.requests
    assert asked.images == ()
    assert "click_at" not in asked.text
    assert "ClickAt" not in json.dumps(asked.schema)


async def test_a_point_on_a_control_is_that_control_and_else_a_point():
    canvas = element(8, "img", "Topology", tag="canvas", box=Box(400, 200, 800, 500))
    page = view(*BUCKETS, canvas)
    deeds = [
        {"kind": "click_at", "x": 500, "y": 500},
        {"kind": "click_at", "x": 20, "y": 1000 * 130 / 800},
    ]
    async with desk([said(action=deed) for deed in deeds], picture=_picture) as d:
        drawn, on_button = await d.choose(page), await d.choose(page)
    assert drawn.action == actions.ClickAt(point=(640.0, 400.0))
    assert on_button.action == actions.Click(3)


async def test_a_file_is_uploaded_under_the_name_that_the_text_gives(tmp_path):
    sample = tmp_path / "sample.txt"
    sample.write_text("sample")
    deeds = [
        {"kind": "upload", "element": 4, "name": "reports/q3.csv"},
        {"kind": "upload", "element": 4, "name": "../../etc/passwd"},
        {"kind": "upload", "element": 4, "name": "/etc/hostname"},
        {"kind": "upload", "element": 4, "name": ""},
    ]
    task = Task(procedure=procedure(), sample_file=str(sample), unique="x1")
    async with desk([said(action=deed) for deed in deeds], task=task) as d:
        files = [Path((await d.choose()).action.argument) for _ in deeds]
    assert [f.name for f in files] == ["q3.csv", "passwd", "hostname", "sample.txt"]
    assert all(f.is_relative_to(tmp_path) and f.is_file() for f in files)


async def test_a_secret_is_typed_and_never_shown():
    task = Task(procedure=procedure(), bindings={"Name": "web-1", "Root password": "hush-4711"})
    deed = {"kind": "type", "element": 4, "text": "<secret:Root password>"}
    async with desk([said(action=deed), said()], task=task) as d:
        made = await d.choose()
        shown = element(6, "textbox", "Root password", value="hush-4711")
        await d.choose(view(*BUCKETS, shown))
        assert made.action.argument == "hush-4711"
        assert "- Root password: <secret:Root password>" in d.prompt
        assert "web-1" in d.prompt
        assert not any("hush-4711" in asked.text for asked in d.model.requests)
