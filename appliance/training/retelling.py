"""Replays an attempt through the agent, to get the prompts it would have seen and its answers.

The agent itself is run on what was seen, by a client that gives the answers: so the prompt of a
sample is the prompt that is sent, the answers are held to what the agent holds them to, and nobody
writes a prompt twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from appliance.config import AgentSettings
from appliance.core.errors import AnswerError, AttemptError
from appliance.inference.messages import Message, Schema
from appliance.policy.base import Exchange
from appliance.policy.model import ModelPolicy
from appliance.training.answers import answer_of, notes_of
from appliance.training.offline import OfflineClient
from appliance.verification import Demonstration, KeptAction, Moment

_UNLIMITED_TOKENS = 1_000_000_000


class RecitingClient(OfflineClient):
    """Answers with text set beforehand."""

    answer = ""
    """The answer for the agent or planner."""
    element: int | None = None
    """The element that the grounder is to answer with."""

    async def answer_to(self, messages: Sequence[Message], schema: Schema | None) -> str:
        """The answer that was set."""
        asks_grounder = schema is not None and "found" in str(schema.get("properties"))
        return self._grounder_answer() if asks_grounder else self.answer

    def _grounder_answer(self) -> str:
        number = self.element
        found = "none" if number is None else "element"
        return f'{{"why": "", "found": "{found}", "element": {number or 0}, "x": 0, "y": 0}}'


@dataclass(frozen=True, slots=True, kw_only=True)
class RetoldTurn:
    """One replayed turn."""

    turn: int
    """Its number in the attempt, from 0."""
    exchanges: tuple[Exchange, ...]
    """What was asked, and the answers that can be used."""


async def retell(
    demonstration: Demonstration, settings: AgentSettings, context_tokens: int
) -> list[RetoldTurn]:
    """Replay the turns, up to the first that the agent could not have produced.

    Args:
        demonstration: The attempt.
        settings: How the agent is asked; with `planner_grounder` two roles are.
        context_tokens: Longest prompt and answer of the model.
    """
    worded = settings.planner_grounder
    overrides = {"screenshots": False, "budget_tokens": _UNLIMITED_TOKENS, "temperature": 0.0}
    client = RecitingClient(context_tokens)
    policy = ModelPolicy(demonstration.task(), client, settings.model_copy(update=overrides))
    noted_steps: dict[str, str] = {}
    retold_turns, last = list[RetoldTurn](), None
    for number, moment in enumerate(demonstration.moments):
        client.answer = answer_of(moment, noted_steps, worded=worded)
        client.element = moment.action.element
        try:
            decision = await policy.choose(moment.view, last)
        except (AnswerError, AttemptError, ValueError):
            break
        if not _is_same_action(KeptAction.of(decision.action), moment):
            break
        exchanges = tuple(exchange for exchange in decision.exchanges if not exchange.problem)
        retold_turns.append(RetoldTurn(turn=number, exchanges=exchanges))
        noted_steps |= {str(note["step"]): str(note["matched"]) for note in notes_of(moment)}
        last = moment.performed
    return retold_turns


def _is_same_action(action: KeptAction, moment: Moment) -> bool:
    """Whether the agent would have done what was done; a file is the one at hand."""
    original = moment.action
    return (action.kind, action.element, action.to) == (
        original.kind,
        original.element,
        original.to,
    )
