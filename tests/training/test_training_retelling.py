"""The prompts of samples are those that the agent sends, and its answers those that it takes."""

import json
from dataclasses import replace

from appliance.config import AgentSettings
from appliance.core import actions
from appliance.core.verdict import StepStatus
from appliance.policy.base import StepReport
from appliance.training.retelling import retell
from tests.policy.policy_model_desk import desk, view
from tests.training.training_attempts import LIST, attempt, turn, turns, untrue

AGENT = AgentSettings()


async def test_the_prompts_are_those_that_an_endpoint_is_sent():
    of = attempt()
    told = await retell(of, AGENT, 32768)
    assert [one.turn for one in told] == list(range(6))
    answers = [one.exchanges[0].answer for one in told]
    async with desk(answers, task=of.task()) as agent:
        last = None
        for moment in of.moments:
            made = await agent.policy.choose(moment.view, last)
            last = moment.performed
            assert made.action.kind == moment.action.kind
            assert made.step == moment.step
        sent = [[dict(one) for one in request.messages] for request in agent.model.requests]
    assert [list(map(dict, one.exchanges[0].messages)) for one in told] == sent[-6:]


async def test_an_answer_says_what_was_done_and_what_is_known_of_the_text():
    made = turns()
    made[2] = turn(
        made[2].view,
        actions.Click(3),
        "2",
        StepReport(step="1", status=StepStatus.AS_WRITTEN),
        StepReport(step="2", status=StepStatus.DIVERGED, note="it is called New bucket"),
        divergences=(untrue(),),
        is_detour=True,
    )
    told = await retell(attempt(made), AGENT, 32768)
    answer = json.loads(told[2].exchanges[0].answer)
    assert answer["is_detour"]
    assert answer["action"] == {"kind": "click", "element": 3, "how": ""}
    notes = {note["step"]: note for note in answer["notes"]}
    assert notes["1"]["matched"] == "as_written"
    assert notes["2"] | {} == {
        "step": "2",
        "matched": "differs",
        "quote": "Create bucket",
        "shown": "New bucket",
        "suggestion": "New bucket",
        "kind": "renamed_label",
    }
    last = json.loads(told[-1].exchanges[0].answer)
    assert last["action"] == {"kind": "complete", "seen": "it is listed"}


async def test_planner_and_grounder_are_told_apart():
    twice = [*LIST, replace(LIST[2], id=9)]  # by words alone it cannot be found
    made = [turn(view(*twice), actions.Click(9), "2"), *turns()[3:]]
    settings = AgentSettings(planner_grounder=True)
    told = await retell(attempt(made), settings, 32768)
    roles = {exchange.role for one in told for exchange in one.exchanges}
    assert roles == {"planner", "grounder"}
    by_role = {e.role: json.loads(e.answer) for e in told[0].exchanges}
    assert by_role["planner"]["action"]["element"]["label"] == "Create bucket"
    assert by_role["grounder"]["found"] == "element"
    assert by_role["grounder"]["element"] == 9


async def test_what_the_agent_could_not_have_answered_ends_the_telling():
    made = turns()
    made[3] = turn(made[3].view, actions.Click(77), "3")  # no such element
    assert len(await retell(attempt(made), AGENT, 32768)) == 3
