"""Single steps: what their file may hold, and who is right."""

import json
from collections import Counter
from contextlib import asynccontextmanager

import pytest

from appliance.benchmark.answering import StepTries, answer_step, policies
from appliance.benchmark.finding import load_suite
from appliance.benchmark.grounding import Style, load_steps
from appliance.benchmark.policies.bounds import RandomPolicy
from appliance.benchmark.record import Record
from appliance.benchmark.runner import run
from appliance.benchmark.trials import BenchmarkPolicy, Split
from appliance.config import Settings
from appliance.core import actions
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.verdict import PolicyName
from appliance.policy.base import Decision, Spent
from appliance.policy.literal import LiteralPolicy
from tests.benchmark.setups import setup_of

GROUNDING = load_suite("grounding")
HEAD = {"schema_version": 1, "kind": "grounding", "title": "Mine"}
PAGE = {
    "page": "p",
    "observation": {
        "url": "/",
        "title": "Disks",
        "elements": [
            {"id": 7, "role": "button", "name": "Create disk"},
            {"id": 8, "role": "textbox", "name": "Search"},
        ],
    },
}
STEP = {
    "id": "s",
    "page": "p",
    "language": "en",
    "product": "disks",
    "split": "train",
    "style": "documented",
    "instruction": "Click **Create disk**.",
    "accepted": [{"action": "click", "element": 7}],
}


@pytest.fixture
def loaded(tmp_path):
    def load(*lines):
        file = tmp_path / "mine.jsonl"
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        file.write_text("\n".join(texts) + "\n", encoding="utf-8")
        return load_steps(file)

    return load


def literal(step, task):
    return LiteralPolicy(task)


def test_it_has_as_many_steps_as_the_paper_and_of_every_kind():
    steps = GROUNDING.tasks
    assert len(steps) >= 400
    told = Counter((step.language, step.line.style) for step in steps)
    assert min(told[language, style] for language in ("en", "zh") for style in Style) >= 50
    assert {step.split for step in steps} == set(Split)
    pages = {}
    for step in steps:
        pages.setdefault(step.line.page, set()).add(step.split)
    assert {len(splits) for splits in pages.values()} == {1}


async def test_who_reads_word_by_word_is_right_where_the_control_is_named():
    sample = GROUNDING.tasks[::9]
    trials = [await answer_step(step, literal, 1) for step in sample]
    right = [step.line.style for step, trial in zip(sample, trials, strict=True) if trial.success]
    assert set(right) == {Style.DOCUMENTED}
    assert len(right) == sum(step.line.style is Style.DOCUMENTED for step in sample)


@pytest.mark.parametrize(
    ("action", "right"),
    [
        (actions.Click(7), True),
        (actions.Click(8), False),
        (actions.Hover(7), False),
        (actions.Type(7, "x"), False),
        (actions.Complete("done"), False),
    ],
)
async def test_only_what_is_accepted_is_right(loaded, action, right):
    class Answering:
        name = PolicyName.BASELINE

        async def choose(self, view, last):
            return Decision(action=action, step="1")

    (step,) = loaded(HEAD, PAGE, STEP).tasks
    assert (await answer_step(step, lambda *_: Answering(), 1)).success is right


async def test_what_is_typed_has_to_be_right(loaded):
    typed = [{"action": "type", "element": 8, "argument": "beta"}]
    text = "Enter `{}` in **Search**."
    for said, right in (("beta", True), ("gamma", False)):
        line = STEP | {"accepted": typed, "instruction": text.format(said)}
        (step,) = loaded(HEAD, PAGE, line).tasks
        assert (await answer_step(step, literal, 1)).success is right


def test_what_was_interrupted_goes_on(loaded, tmp_path):
    suite = loaded(HEAD, PAGE, STEP, STEP | {"id": "t"})
    setup = setup_of(suite, suite.tasks, BenchmarkPolicy.RANDOM, 2)
    asked = []

    @asynccontextmanager
    async def opened(run):
        def policy_of(step, task):
            asked.append((step.id, run))
            if len(asked) == 4:
                raise KeyboardInterrupt
            return RandomPolicy(task, f"1/{run}")

        yield policy_of

    def record():
        return Record(setup, [""], tmp_path / "results", SystemClock().now())

    with pytest.raises(KeyboardInterrupt):
        run(record(), StepTries(suite.tasks, opened), lambda _: None)
    told = []
    result = run(record(), StepTries(suite.tasks, opened), told.append)
    assert result.is_over
    assert [(one.task, one.run) for one in result.trials] == [
        ("s", 1), ("t", 1), ("s", 2), ("t", 2),
    ]  # fmt: skip
    assert asked == [("s", 1), ("t", 1), ("s", 2), ("t", 2), ("t", 2)]
    assert [trial.task for trial in told] == ["t"]


async def test_the_oracle_answers_steps():
    async with policies(BenchmarkPolicy.ORACLE, Settings(), 1, 1) as policy_of:
        for step in GROUNDING.tasks[::9]:
            trial = await answer_step(step, policy_of, 1)
            assert trial.success, (step.id, trial.reason)


async def test_of_the_tokens_of_an_answer_account_is_kept(loaded):
    class Answering:
        name = PolicyName.BASELINE

        async def choose(self, view, last):
            spent = Spent(calls=1, tokens_in=7, tokens_out=2)
            return Decision(action=actions.Click(7), step="1", spent=spent)

    (step,) = loaded(HEAD, PAGE, STEP).tasks
    cost = (await answer_step(step, lambda *_: Answering(), 1)).cost
    assert (cost.model_calls, cost.tokens) == (1, 9)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((), "mine.jsonl:1: schema_version"),
        (("{",), "mine.jsonl:1: no JSON: "),
        (("[]",), "mine.jsonl:1: no JSON object"),
        ((HEAD | {"schema_version": 2},), "mine.jsonl:1: schema_version: Input should be 1"),
        ((HEAD, PAGE | {"more": 1}), "mine.jsonl:2: more: Extra inputs are not permitted"),
        (
            (HEAD, {"page": "p", "observation": {"url": "/"}}),
            "mine.jsonl:2: observation.title: Field required",
        ),
        ((HEAD, STEP), "mine.jsonl:2: page 'p' is not above"),
        ((HEAD, PAGE, STEP, STEP), "mine.jsonl:4: step 's' is there twice"),
        (
            (HEAD, PAGE, STEP | {"accepted": [{"action": "click", "element": 9}]}),
            "mine.jsonl:3: page 'p' has no element 9",
        ),
        ((HEAD, PAGE, STEP | {"accepted": []}), "mine.jsonl:3: accepted: Tuple should have"),
        ((HEAD, PAGE, STEP | {"split": "test"}), "mine.jsonl:3: split: Input should be"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(loaded, lines, why):
    with pytest.raises(SetupError) as refused:
        loaded(*(lines or ({},)))
    assert why in str(refused.value)
