"""Groups of attempts: through the engine's seam, over the wire, with a model that is scripted."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from appliance.benchmark.finding import load_suite
from appliance.benchmark.truth import truth_of
from appliance.config import AgentSettings, ConsoleSettings, ModelSettings
from appliance.core.causes import CauseKind
from appliance.core.errors import SetupError
from appliance.core.result import ChannelResult, Cost, Goal, ProcedureResult
from appliance.core.verdict import GoalChannel, Verdict
from appliance.documents import load_documents
from appliance.engine.request import RunKind, RunRequest
from appliance.inference.client import ModelClient
from appliance.inference.scripted import Offer, serving
from appliance.policy.base import Task as PolicyTask
from appliance.training.attempts import AttemptMaker, outcome_of, state_of, untrue_steps
from appliance.training.errors import TrainingError
from appliance.training.live import NAME, RolloutService, validation_tasks
from appliance.training.options import LiveOptions, options_of
from appliance.training.rollouts import (
    RolledOutAttempt,
    RolloutRequest,
    Rollouts,
    TokenExchange,
    digest_of,
    read_request,
    read_rollouts,
    request_rollouts,
    rows_of,
)
from tests.policy.policy_model_desk import element, view

SUITE = load_suite("practice")
TASKS = [t for t in SUITE.tasks if t.release == "2025.1" and t.language == "en"][:6]
DRIFTED = next(t for t in SUITE.tasks if t.is_untrue and untrue_steps(t, truth_of(t.release))[0])
ASKED = RolloutRequest(step=3, adapter="policies/3", digest="ab")
PAGE = view(element(1, "button", "Go on"))


def verdict(pattern: str, reached: bool | None, **more: object) -> ProcedureResult:
    said = ChannelResult(channel=GoalChannel.AUDIT, reached=reached, reason="the log")
    page = ChannelResult(channel=GoalChannel.UI, reached=True, reason="a notice")
    usual = {
        "id": pattern,
        "title": "t",
        "title_path": ("t",),
        "document": "d.md",
        "line": 1,
        "end_line": 2,
        "verdict": Verdict.VERIFIED if reached else Verdict.UNDECIDED,
        "goal": Goal(reached=reached, channels=(said, page)),
        "path": "",
        "decided_by": "",
        "attempts": 1,
        "cost": Cost(),
        "steps": (),
    }
    return ProcedureResult(**(usual | more))


class Engine:
    """Stands for the engine: the policy takes one turn on a page, and then it is as it is told."""

    def __init__(self, become: Callable[[str, int], ProcedureResult]) -> None:
        self.become = become
        self.requests: list[tuple[RunRequest, str]] = []
        self.before: Callable[[], None] = lambda: None

    async def __call__(self, request, release, baseline) -> Sequence[ProcedureResult]:
        self.before()
        self.requests.append((request, release))
        results = []
        for number, document in enumerate(request.documents):
            (loaded,) = load_documents([document])
            wanted = request.patterns[number].rstrip("*")
            procedure = next(p for p in loaded.procedures if p.id.startswith(wanted))
            policy = baseline(PolicyTask(procedure=procedure), ConsoleSettings(kind="practice"))
            await policy.choose(PAGE, None)
            results.append(self.become(procedure.id, number))
        return results


@asynccontextmanager
async def maker(
    tmp_path, engine: Engine, tasks=TASKS, said="1 click Go on", validation=(), **options: object
):
    told = LiveOptions(**({"form": "short", "group": 3, "questions": 2} | options))
    with serving(
        said if callable(said) else lambda _: said, Offer(adapters={NAME: tmp_path})
    ) as model:
        async with ModelClient(ModelSettings(endpoint=model.url), traces=True) as client:
            yield AttemptMaker(
                tasks=tasks,
                options=told,
                truth={r: truth_of(r) for r in ("2025.1", "2025.2")},
                client=client,
                agent=AgentSettings(form="short", adapter=NAME),
                carry_out=engine,
                work=tmp_path,
                validation=validation,
            )


async def test_groups_are_attempts_at_the_same_task_and_more_are_made_than_are_needed(tmp_path):
    engine = Engine(lambda p, n: verdict(p, n % 2 == 0))
    async with maker(tmp_path, engine) as making:
        made = await making.make(ASKED)
    ((request, release),) = engine.requests
    assert (request.kind, release) == (RunKind.BENCHMARK, "2025.1")
    texts = [pattern.partition("/")[2] for pattern in request.patterns]
    assert len(set(request.documents)) == 9  # each attempt is a procedure of its own
    # 1.25 times two tasks are three, three times each.
    assert sorted(texts.count(text) for text in set(texts)) == [3, 3, 3]
    by_task = {one.task for one in made.attempts}
    assert len(made.attempts) == 6  # the two groups that are wanted
    assert len(by_task) == 2
    assert made.figures["live_attempts"] == 9
    assert (made.step, made.digest) == (3, "ab")
    assert all(len(one.exchanges) == 1 for one in made.attempts)
    turn = made.attempts[0].exchanges[0]
    assert turn.said == "1 click Go on"
    assert len(turn.logprobs) == len(turn.answer) == 5


async def test_groups_without_spread_are_left_out(tmp_path):
    """Of three tasks the first succeeds always: the others are learnt from."""
    engine = Engine(lambda p, n: verdict(p, n < 3 or n % 3 == 0))
    async with maker(tmp_path, engine) as making:
        made = await making.make(ASKED)
    rewards = [
        [a.reward for a in made.attempts if a.task == t] for t in {a.task for a in made.attempts}
    ]
    assert all(len(set(group)) > 1 for group in rewards)
    assert len(made.attempts) == 6
    assert made.figures["live_spread"] == pytest.approx(2 / 3)


async def test_a_policy_is_validated_at_tasks_of_their_own_once_each(tmp_path):
    engine = Engine(lambda p, n: verdict(p, (True, False, None)[n]))
    own, temperatures = TASKS[3:6], []

    def answer(question) -> str:
        temperatures.append(question.temperature)
        return "1 click Go on"

    async with maker(tmp_path, engine, TASKS[:3], answer, own) as making:
        made = await making.make(replace(ASKED, validates=True))
    assert set(temperatures) == {0.0}
    assert sorted(one.task for one in made.attempts) == sorted(task.id for task in own)
    assert made.figures == {"validation_success": 0.5, "validation_left_out": 1.0}
    made.write(tmp_path)
    assert read_rollouts(tmp_path, ASKED) is None  # nothing is learnt from it
    assert read_rollouts(tmp_path, replace(ASKED, validates=True)) is not None


def test_what_validates_is_always_the_same_and_of_its_own_split():
    options = LiveOptions(validated=3)
    tasks = validation_tasks(options)
    assert tasks == validation_tasks(options)
    assert {task.split for task in tasks} == {"validation"}
    assert len(tasks) == 3
    assert validation_tasks(LiveOptions()) == ()
    with pytest.raises(SetupError, match="what is learnt from cannot validate"):
        options_of(LiveOptions, ["validated=3", "split=validation"])


async def test_undecided_and_environment_failed_attempts_are_out_of_the_group(tmp_path):
    def become(procedure: str, number: int) -> ProcedureResult:
        match number % 4:
            case 0:
                return verdict(procedure, True)
            case 1:
                return verdict(procedure, None)
            case 2:
                blocked = {"verdict": Verdict.BLOCKED, "blocked_by": "console: it is down"}
                return verdict(procedure, False, cause=CauseKind.CONSOLE, **blocked)
            case _:
                return verdict(procedure, False)

    async with maker(tmp_path, Engine(become), group=4) as making:
        made = await making.make(ASKED)
    group = made.attempts[:4]
    assert [one.reward and round(one.reward, 2) for one in group] == [1.0, None, None, -0.0]
    # Two count, and are as far from their mean as each other: the others are not failures.
    assert [round(one.advantage, 3) for one in group] == [1.0, 0.0, 0.0, -1.0]
    assert made.figures["live_left_out"] == 6
    assert group[2].why == "console: it is down"


async def test_a_console_that_goes_down_ends_the_training_with_its_reason(tmp_path):
    down = {"verdict": Verdict.BLOCKED, "blocked_by": "it is down", "cause": CauseKind.CONSOLE_DOWN}
    async with maker(tmp_path, Engine(lambda p, _: verdict(p, None, **down))) as making:
        with pytest.raises(TrainingError, match="no attempt of step 3 counts: it is down"):
            await making.make(ASKED)


async def test_a_true_note_is_worth_more_than_a_way_round_and_a_false_one_nothing(tmp_path):
    must, may = untrue_steps(DRIFTED, truth_of(DRIFTED.release))
    assert must
    assert must <= may
    (untrue, *_) = must
    steps = [s.index for s in DRIFTED.draft.procedure.walk()]
    true = next(step for step in steps if step not in may)
    worth = {}
    for name, before in (("silent", ""), ("true", untrue), ("false", true)):
        said = f"{f'untrue {before} renamed_label; ' if before else ''}1 click Go on"
        engine = Engine(lambda p, n: verdict(p, n == 0))
        async with maker(tmp_path, engine, [DRIFTED], said) as making:
            worth[name] = (await making.make(ASKED)).attempts[0].reward
    assert worth["true"] > worth["silent"] > worth["false"]
    assert worth["true"] - worth["silent"] == pytest.approx(0.5)
    assert worth["silent"] - worth["false"] == pytest.approx(1.0)


def test_what_the_page_says_is_no_outcome_and_disagreement_is_none():
    def of(*said: tuple[GoalChannel, bool | None]) -> bool | None:
        channels = tuple(ChannelResult(channel=c, reached=r, reason="") for c, r in said)
        return outcome_of(verdict("p", None, goal=Goal(reached=True, channels=channels)))[0]

    assert of((GoalChannel.UI, True)) is None
    assert of((GoalChannel.AUDIT, True), (GoalChannel.JUDGES, False)) is None
    assert of((GoalChannel.JUDGES, True), (GoalChannel.UI, False)) is True
    assert of((GoalChannel.AUDIT, False), (GoalChannel.UI, True)) is False


def test_the_rows_of_a_step_are_its_turns_and_the_rest_teaches_nothing():
    turn = TokenExchange(prompt=[1, 2], answer=[3, 4], logprobs=[-0.1, -0.2], said="x")
    common = {"task": "t", "why": "", "exchanges": [turn, turn]}
    attempts = [
        RolledOutAttempt(reward=1.0, advantage=1.5, **common),
        RolledOutAttempt(reward=None, advantage=0.0, **common),
    ]
    made = Rollouts(step=0, digest="", attempts=attempts)
    rows = rows_of(made, 4, end_token=9)
    assert rows["prompt_ids"] == [[1, 2], [1, 2], [9], [9]]  # a question is no part of an answer
    assert rows["completion_ids"] == [[3, 4], [3, 4], [9], [9]]
    assert rows["env_mask"] == [[1, 1], [1, 1], [0], [0]]
    assert rows["advantage"] == [1.5, 1.5, 0.0, 0.0]
    assert rows["worth"] == [1.0, 1.0, None, None]
    assert len(rows_of(made, 1, end_token=9)["advantage"]) == 1


def test_what_a_turn_is_worth_beside_its_attempt_goes_into_its_row():
    turns = [
        TokenExchange(prompt=[1], answer=[n], logprobs=[0.0], said="", credit=credit)
        for n, credit in ((2, 0.5), (3, -1.0))
    ]
    attempt = RolledOutAttempt(task="t", reward=1.0, advantage=1.0, why="", exchanges=turns)
    rows = rows_of(Rollouts(step=0, digest="", attempts=[attempt]), 2, end_token=9)
    assert rows["completion_ids"] == [[2], [9]]  # nothing is learnt from what comes to nothing
    assert rows["advantage"] == [1.5, 0.0]


def test_a_page_is_the_same_whatever_an_attempt_calls_its_things():
    one = view(element(1, "button", "Delete docs-a1"), title="docs-a1")
    other = view(element(1, "button", "Delete docs-b2"), title="docs-b2")
    assert state_of(one, ("a1",)) == state_of(other, ("b2",))
    assert state_of(one, ()) != state_of(other, ())
    assert state_of(one, ("a1",)) != state_of(view(element(1, "button", "Delete")), ())


async def test_turns_of_a_group_are_credited_where_they_part(tmp_path):
    """Every attempt takes its one turn on the same page, so the turn is worth what became of it."""
    engine = Engine(lambda p, n: verdict(p, n % 2 == 0))
    async with maker(tmp_path, engine, step_credit=2.0, discount=1.0) as making:
        made = await making.make(ASKED)
    for one in made.attempts:
        (turn,) = one.exchanges
        assert turn.state
        assert (turn.credit > 0) == (one.reward > 0.5)
    group = [one for one in made.attempts if one.task == made.attempts[0].task]
    assert sum(one.exchanges[0].credit for one in group) == pytest.approx(0, abs=1e-3)
    async with maker(tmp_path / "off", engine) as making:
        made = await making.make(ASKED)
    assert {turn.credit for one in made.attempts for turn in one.exchanges} == {0.0}


class Server:
    """Stands for the policy server: what was pushed to it last acts."""

    def __init__(self) -> None:
        self.serves: dict[str, str] = {}

    async def load_adapter(self, name, folder) -> None:
        self.serves[name] = digest_of(folder)


async def test_every_policy_is_pushed_before_it_acts_and_a_step_is_made_once(tmp_path):
    server, acted = Server(), list[str]()
    engine = Engine(lambda p, n: verdict(p, n % 2 == 0))
    engine.before = lambda: acted.append(server.serves[NAME])

    def policy(number: int) -> str:
        folder = tmp_path / "policies" / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "adapter_model.safetensors").write_bytes(bytes([number]))
        return folder

    async with maker(tmp_path / "work", engine) as making:
        serving_it = asyncio.create_task(RolloutService(tmp_path, server, making)())
        try:
            for step in (0, 1, 1):  # the last after a crash: the same policy once more
                came = await asyncio.to_thread(
                    request_rollouts, tmp_path, step, policy(step), serving_it.done
                )
                assert came.digest == digest_of(policy(step))
            # Another policy of the same step: what the old one did is too old.
            other = policy(7)
            came = await asyncio.to_thread(request_rollouts, tmp_path, 1, other, serving_it.done)
            assert came.digest == digest_of(other)
        finally:
            serving_it.cancel()
    assert acted == [digest_of(policy(n)) for n in (0, 1, 7)]
    assert read_request(tmp_path) is None


def test_whoever_is_told_to_stop_does_not_wait(tmp_path):
    (tmp_path / "adapter_model.safetensors").write_bytes(b"x")
    assert request_rollouts(tmp_path, 0, tmp_path, lambda: True) is None
    assert read_rollouts(tmp_path, RolloutRequest(step=0, adapter="", digest="")) is None
