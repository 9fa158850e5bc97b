"""A model of outcomes: what it learns from, how sure it is, when it may reward, and whom."""

import json
import math
import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from appliance.benchmark.finding import load_suite
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult, Part, Setup, Trial
from appliance.config import AgentSettings, ModelSettings
from appliance.core import actions
from appliance.core.causes import CauseKind
from appliance.core.errors import SetupError
from appliance.core.result import ChannelResult, Goal
from appliance.core.verdict import GoalChannel, Verdict
from appliance.inference.client import ModelClient
from appliance.inference.scripted import Offer, serving
from appliance.training.attempts import OUTCOME_NAME, AttemptMaker
from appliance.training.calibration import calibrated, calibration, figures
from appliance.training.judge_comparison import compare_judges
from appliance.training.live import NAME
from appliance.training.options import LiveOptions
from appliance.training.outcomes import OutcomeModel, OutcomeTurn, outcome_samples, question
from appliance.training.scoring import is_exact
from tests.policy.policy_model_desk import procedure
from tests.training.test_training_attempts import TASKS, Engine, verdict
from tests.training.training_attempts import NAME as MADE_UP
from tests.training.training_attempts import UNIQUE, attempt, judged, turns

SETUP = {
    "suite": "judge",
    "suite_version": "v",
    "policy": BenchmarkPolicy.ORACLE,
    "runs": 1,
    "seed": 0,
    "tasks": (),
}


def outcome_run(tmp_path, decision: object = None):
    (tmp_path / "adapter").mkdir(parents=True)
    (tmp_path / "judge.json").write_text(json.dumps({"scale": 1.0, "shift": 0.0}))
    if decision is not None:
        (tmp_path / "decision.json").write_text(json.dumps(decision))
    return tmp_path


def test_only_attempts_that_an_audit_log_knows_of_are_learnt_from():
    made = {name: attempt() for name in ("a", "b", "c")}
    rows = [judged(document=name, artifact=name, reached=True) for name in made]
    said = {"a": True, "b": False, "c": None}
    rows = [replace(one, row=replace(one.row, audited=said[one.row.document])) for one in rows]
    samples = outcome_samples(rows, lambda name: made[name].to_json().encode())
    assert [(one.document, one.answer) for one in samples] == [("a", "yes"), ("b", "no")]
    assert {one.role for one in samples} == {"judge"}


def test_the_question_has_what_was_done_and_the_last_page_and_no_claim():
    done = [
        OutcomeTurn(view=t.view, action=t.decision.action, step=t.decision.step) for t in turns()
    ]
    assert isinstance(done[-1].action, actions.Complete)
    asked = question(procedure(), UNIQUE, done)
    assert "1 click Storage; 1 click Buckets; 2 click Create bucket" in asked
    assert "Page: All buckets" in asked
    assert "it is listed" not in asked  # what the policy said of itself
    assert MADE_UP not in asked
    assert is_exact(" yes ", "yes")
    assert not is_exact("no", "yes")


def test_calibration_takes_certainty_from_a_model_that_is_often_wrong():
    draw = random.Random(0)
    known = []
    for _ in range(400):
        label = draw.random() < 0.5
        right = draw.random() < 0.7
        known.append((8.0 if label == right else -8.0, label))
    scale, shift = calibration(known)
    assert calibrated(8.0, scale, shift) == pytest.approx(0.7, abs=0.05)
    assert figures([(calibrated(x, scale, shift), y) for x, y in known])["brier"] < 0.22
    assert figures([(calibrated(x, 1, 0), y) for x, y in known])["brier"] > 0.25
    assert calibration([(3.0, True)] * 5) == (1.0, 0.0)
    apart = calibration([(9.0, True), (-9.0, False)] * 5)
    assert all(map(math.isfinite, apart))


def test_what_did_not_prove_to_be_better_than_the_judges_rewards_nobody(tmp_path):
    with pytest.raises(SetupError, match="no finished training of kind judge"):
        OutcomeModel.of(tmp_path)
    run = outcome_run(tmp_path)
    for decision in (None, {"is_better": False}, {"is_promoted": True}):
        if decision is not None:
            (run / "decision.json").write_text(json.dumps(decision))
        with pytest.raises(SetupError, match="right more often than the judges"):
            OutcomeModel.of(run)
    (run / "decision.json").write_text('{"is_better": true}')
    model = OutcomeModel.of(run)
    assert model.probability(says_yes=True, confidence=0.8) == pytest.approx(0.8)
    assert model.probability(says_yes=False, confidence=0.8) == pytest.approx(0.2)
    assert replace(model, shift=-3.0).probability(says_yes=True, confidence=0.8) < 0.5


def said_by(*channels: tuple[GoalChannel, bool | None]) -> Goal:
    return Goal(
        reached=None,
        channels=tuple(ChannelResult(channel=c, reached=r, reason="") for c, r in channels),
    )


@pytest.mark.parametrize(
    ("goal", "more", "answer", "reached", "is_asked"),
    [
        # the audit log knows: nobody else is asked
        (said_by((GoalChannel.AUDIT, False)), {}, "yes", False, False),
        # no audit log: the model in place of the judges
        (said_by((GoalChannel.AUDIT, None), (GoalChannel.UI, True)), {}, "yes", True, True),
        (said_by((GoalChannel.JUDGES, True)), {}, "no", False, True),
        (said_by(), {}, "perhaps", None, True),
        # what was in the way says nothing of the agent
        (
            said_by(),
            {"verdict": Verdict.BLOCKED, "cause": CauseKind.CONSOLE, "blocked_by": "down"},
            "yes",
            None,
            False,
        ),
    ],
)
async def test_it_says_who_got_there_where_no_audit_log_does(
    tmp_path, goal, more, answer, reached, is_asked
):
    asked = []

    def says(request) -> str:
        text = request.last
        if "Was all of it done" not in text:
            return "1 click Go on"
        asked.append(text)
        return answer

    offer = Offer(adapters={NAME: tmp_path, OUTCOME_NAME: tmp_path})
    outcomes = OutcomeModel.of(outcome_run(tmp_path / "run", {"is_better": True}))
    engine = Engine(lambda p, n: verdict(p, None, goal=goal, **more))
    with serving(says, offer) as server:
        async with ModelClient(ModelSettings(endpoint=server.url), traces=True) as client:
            maker = AttemptMaker(
                tasks=TASKS,
                options=LiveOptions(form="short"),
                truth={},
                client=client,
                agent=AgentSettings(form="short", adapter=NAME),
                carry_out=engine,
                work=tmp_path / "work",
                outcomes=outcomes,
            )
            made = await maker.attempt(TASKS[0])
    assert made.reached is reached
    assert bool(asked) is is_asked
    assert (made.reward is None) == (reached is None)


def test_both_are_held_against_the_same_held_out_attempts():
    suite = load_suite("judge")
    tasks = suite.tasks[:4]
    labels = [suite.behaviours[one.folder].reaches_goal for one in tasks]

    def result(judges: list[bool | None]) -> BenchmarkResult:
        trials = tuple(
            Trial(
                task=task.id,
                run=1,
                release=task.release,
                product=task.product,
                language=task.language,
                success=False,
                reason="",
                label=label,
                said={"judges": said},
            )
            for task, label, said in zip(tasks, labels, judges, strict=True)
        )
        return BenchmarkResult(
            id="b",
            appliance_version="0",
            commit="c",
            setup=Setup(**SETUP),
            started_at=datetime(2026, 1, 1, tzinfo=UTC),
            parts=(Part(run=1, release="2025.1", run_id="r"),),
            trials=trials,
        )

    def lines(said: list[bool], *, run: str = "r", measures: bool = True) -> list[dict]:
        return [
            {
                "procedure": f"{t.folder}/x",
                "run_id": run,
                "yes": 0.1 + 0.8 * s,
                "measures": measures,
            }
            for t, s in zip(tasks, said, strict=True)
        ]

    half = [*labels[:2], *(not one for one in labels[2:])]
    undecided = [labels[0], None, None, None]
    made = compare_judges(lines(half), result(undecided), suite)
    assert (made.attempts, made.outcome_model, made.judges) == (4, 0.5, 0.25)
    assert made.is_better
    assert not compare_judges(lines(half), result(half), suite).is_better  # no better
    assert not compare_judges(lines(half), result([*labels]), suite).is_better
    for other in (lines(half, run="another"), lines(half, measures=False)):
        with pytest.raises(SetupError, match="no attempt of b was judged and is held out"):
            compare_judges(other, result(undecided), suite)
