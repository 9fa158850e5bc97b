"""Attempts are kept for training where that is wanted, whole, and without secrets."""

from dataclasses import replace

import pytest

from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.errors import StoreError
from appliance.core.verdict import Verdict
from appliance.inference.messages import TokenTrace
from appliance.policy.base import Exchange
from appliance.store.store import Store
from appliance.verification import Demonstration, KeptAction, Trajectory
from appliance.verification.demonstrations import demonstration_of
from appliance.verification.trajectory import Unusable
from tests.training.training_attempts import attempt, turn, turns
from tests.verification.test_verification_practice import CHECKS, GUIDE


def test_an_attempt_comes_back_as_it_was():
    made = attempt()
    assert Demonstration.from_json(made.to_json()) == made


@pytest.mark.parametrize(
    "action",
    [
        actions.Click(1, "double"),
        actions.ClickAt((1.5, 2.0), "right"),
        actions.Type(2, "a"),
        actions.Check(3, False),
        actions.Drag(4, 5),
        actions.Wait(2.5),
        actions.Unfold(6, "51-100"),
        actions.Press("Enter"),
        actions.GoBack(),
        actions.Complete("seen"),
        actions.HandOver("code", 7),
    ],
)
def test_every_kind_of_action_comes_back(action):
    kept = KeptAction.of(action)
    assert kept.action() == action


def test_what_another_appliance_kept_is_refused_in_words():
    text = attempt().to_json().replace('{"procedure"', '{"schema_version": 99, "procedure"', 1)
    with pytest.raises(StoreError, match="version 99"):
        Demonstration.from_json(text)


def test_a_short_secret_is_hidden_where_it_stands_alone_and_leaves_words_whole():
    made = turns()
    made[3] = turn(made[3].view, actions.Type(4, "Sto"), "3")
    kept = attempt(made, bindings={"unique": "k3f9", "Password": "Sto"})
    assert kept.moments[3].action.argument == "<secret:Password>"
    assert kept.moments[0].view.elements[0].name == "Storage"
    assert kept.bindings["Password"] == "<secret:Password>"


def test_an_empty_attempt_is_one():
    made = demonstration_of(attempt().task(), Trajectory(turns=[]))
    assert made.moments == ()
    assert len(attempt(turns()).moments) == 6


def test_the_tokens_of_all_answers_are_kept_also_of_those_that_could_not_be_used():
    trace = TokenTrace(prompt=(1, 2), answer=(3,), logprobs=(-0.5,))
    asked = Exchange(role="agent", version="1", messages=(), answer="1 click Go", trace=trace)
    unheard = replace(asked, trace=None)
    made = turns()[:2]
    made[0] = replace(made[0], decision=replace(made[0].decision, exchanges=(asked, unheard)))
    last = Unusable(view=made[1].view, exchanges=(replace(asked, answer="well"),))
    task = attempt().task()
    kept = demonstration_of(task, Trajectory(turns=made, unusable=last))
    found = list(Demonstration.from_json(kept.to_json()).answers())
    assert [(view, said.text) for view, said in found] == [
        (made[0].view, "1 click Go"),
        (made[1].view, "well"),
    ]
    assert all(said.tokens == trace for _, said in found)
    silent = Trajectory(turns=[], unusable=replace(last, exchanges=(unheard,)))
    assert demonstration_of(task, silent).last is None  # nobody asked for tokens


@pytest.mark.parametrize("is_kept", [True, False])
async def test_an_attempt_in_a_real_console_is_kept_where_it_is_wanted(lab, is_kept):
    run = await lab.verify(GUIDE, CHECKS, training={"keep_attempts": is_kept})
    with Store.open(lab.folder) as store:
        rows = store.demonstrations.judged("practice", [run.id])
        assert store.demonstrations.judged("practice", ["another"]) == ()
        assert len(rows) == is_kept
        if not is_kept:
            return
        (one,) = rows
        assert (one.verdict, one.row.reached, one.row.has_witness) == (Verdict.VERIFIED, True, True)
        assert one.row.audited is True
        assert one.row.document.endswith("guide.md")
        made = Demonstration.from_json(store.artifacts.get(one.row.artifact))
    kinds = [moment.action.kind for moment in made.moments]
    assert kinds[0] is ActionKind.CLICK
    assert ActionKind.TYPE in kinds
    assert kinds[-1] is ActionKind.COMPLETE
    password = (lab.folder / "password").read_text()
    assert password not in made.to_json()
