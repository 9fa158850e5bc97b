"""What the agent costs is measured on a page, with a model, that do what they should."""

from dataclasses import replace

import httpx
import pytest
import pytest_asyncio

from appliance.browser import BrowserPool
from appliance.config import BrowserSettings
from appliance.config.model_settings import AgentSettings, ModelSettings
from appliance.core.errors import AnswerError
from appliance.inference.client import ModelClient
from appliance.policy.model import ModelPolicy
from tests.benchmarks.agent.answering import answering
from tests.benchmarks.agent.bare import BareHands
from tests.benchmarks.agent.form import address, task
from tests.benchmarks.agent.measuring import Found, Row
from tests.benchmarks.agent.stepping import steps
from tests.benchmarks.agent.table import document, table
from tests.benchmarks.agent.together import Together, together

TURNS, SLOW_S = 4, 3.0
WORDS = AgentSettings(screenshots=False)
SHARED = Together(
    attempts=16, slow_s=15.0, least_meanwhile=5, most_waited_ms=80.0, median_waited_ms=9.0
)
FOUND = Found(
    steps=60, rows=(Row(part="look", ours=40.0, bare=25.0, cpu=3.0),), overhead_ms=50.0,
    cpu_ms=12.0, ratio=1.8, first_ms=90.0, last_ms=95.0, first_cpu_ms=12.0, last_cpu_ms=13.0,
    together=SHARED, arrangements=(), load=0.4, processors=2,
)  # fmt: skip


@pytest_asyncio.fixture
async def client():
    with answering(TURNS, SLOW_S) as url:
        async with ModelClient(ModelSettings(endpoint=url)) as made:
            yield url, made


async def test_the_same_actions_are_done_with_and_without_us(client) -> None:
    url, model = client
    count = "document.getElementById('count').textContent + document.getElementById('f2').value"
    async with (
        BrowserPool(BrowserSettings(quiet_ms=0)) as pool,
        httpx.AsyncClient(base_url=url, trust_env=False) as bare_client,
    ):
        async with pool.page(frozenset()) as page, pool.page(frozenset()) as other:
            await page.goto(address())
            await other.goto(address())
            bare = BareHands(other.raw, bare_client)
            policy = ModelPolicy(task("one"), model, WORDS)
            ours = await steps(policy, page, TURNS, bare.again)
            seen = [await one.raw.evaluate(count) for one in (page, other)]
        async with pool.page(frozenset()) as page:
            with pytest.raises(AnswerError, match="could not be used"):  # an empty page
                await steps(ModelPolicy(task("one"), model, WORDS), page, TURNS)
    assert seen == ["2 rules added10.0.2.0/24"] * 2
    assert len(bare.turns) == len(ours) == TURNS
    assert all(step.decision.spent.calls == 1 for step in ours)
    assert all(s.cpu > 0 and s.choose.wall >= s.decision.spent.model_s * 1000 for s in ours)


async def test_a_slow_answer_holds_up_nobody_else(client) -> None:
    found = await together(client[1], attempts=3, turns=2)
    assert found.is_free, found
    assert found.slow_s >= SLOW_S


def test_what_is_too_slow_is_said() -> None:
    assert FOUND.is_fine
    held = replace(SHARED, most_waited_ms=15_100.0)
    for bad, word in (
        (replace(FOUND, overhead_ms=61.0), "61.0"),
        (replace(FOUND, last_cpu_ms=19.0), "grows"),
        (replace(FOUND, together=held), "held up)"),
        (replace(FOUND, together=replace(SHARED, least_meanwhile=0)), "held up)"),
    ):
        assert not bad.is_fine
        assert word in table(bad)
        assert document(bad)["is_fine"] is False
