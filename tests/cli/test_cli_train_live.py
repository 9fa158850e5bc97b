"""Attempts of a training in the live console: a practice cloud, a browser, a scripted model."""

import pytest

from appliance.benchmark.finding import load_suite
from appliance.cli._bench_runs import practice_console
from appliance.cli._local import carry_out_run
from appliance.cli._train_runs import practice_of
from appliance.config import AgentSettings, ModelSettings, Settings
from appliance.engine.engine import EngineOptions
from appliance.inference.client import ModelClient
from appliance.inference.scripted import Offer, serving
from appliance.training.attempts import AttemptMaker
from appliance.training.live import NAME
from appliance.training.options import LiveOptions
from appliance.training.rollouts import RolloutRequest

TASK = next(t for t in load_suite("practice").tasks if t.id.startswith("instances/start-an-"))
WAY = ["1 click Products", "1 click Instances", "3 click Start", "done"]


@pytest.mark.timeout(300)
async def test_who_gets_there_by_the_audit_log_is_better_than_who_says_so_or_nothing(tmp_path):
    options = LiveOptions(form="short", group=3, questions=1, max_actions=6, jobs=1)

    async def carry_out(request, release, baseline):
        practice = practice_of(Settings(), tmp_path / "run", practice_console(release, {}), options)
        engine = EngineOptions(warn=lambda _: None, is_open=True, baseline=baseline)
        return (await carry_out_run(practice, request, engine)).procedures

    answers = [*WAY, "done", "let me see"]
    with serving(answers, Offer(adapters={NAME: tmp_path})) as model:
        async with ModelClient(ModelSettings(endpoint=model.url), traces=True) as client:
            maker = AttemptMaker(
                tasks=[TASK],
                options=options,
                truth={},
                client=client,
                agent=AgentSettings(form="short", adapter=NAME, answer_tokens=32),
                carry_out=carry_out,
                work=tmp_path / "tasks",
            )
            made = await maker.make(RolloutRequest(step=0, adapter="", digest="ab"))
    by_length = sorted(made.attempts, key=lambda one: -len(one.exchanges))
    there, claims, nothing = by_length[0], *sorted(by_length[1:], key=lambda one: -one.reward)
    assert [each.said for each in there.exchanges] == WAY
    assert there.reward > 0.9 > 0.1 > claims.reward > nothing.reward
    assert there.advantage > 0 > claims.advantage > nothing.advantage
    assert all("Task: Start an instance" in text for text in there.asked)
    assert made.figures["live_left_out"] == 0
