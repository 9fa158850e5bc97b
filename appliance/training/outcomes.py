"""The outcome model: judges whether an attempt reached its goal, trained on audit-log verdicts.

WebRL's outcome reward model (Qi et al. 2024, arXiv 2411.02337, section 2.2): the task, what was
done, and the last page go in; the probabilities of "yes" and "no" are held against each other.
"""

import json
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from appliance.core.actions import Action
from appliance.core.errors import SetupError, StoreError
from appliance.core.page import Observation
from appliance.core.procedure import Procedure
from appliance.core.result import ArtifactRef
from appliance.inference.client import ModelClient
from appliance.inference.messages import Message
from appliance.policy.model import ShortForm, short_page
from appliance.store.demonstrations import JudgedDemonstration
from appliance.training.calibration import calibrated
from appliance.training.kinds import PromptForm
from appliance.training.personal import Masking
from appliance.training.samples import LabelledQuestion, Sample, sample_of
from appliance.training.scoring import NO, YES
from appliance.verification import Demonstration

ROLE = "judge"
VERSION = "outcome-1"
JUDGE, DECISION = "judge.json", "decision.json"
_MAX_ACTIONS = 16
"""Most actions that a question lists, the last ones."""
_MAX_STEP_CHARS = 300
"""Most characters of a step that a question quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeTurn:
    """One turn of an attempt: the page, the action and the step it served."""

    view: Observation
    action: Action
    step: str


def question(procedure: Procedure, unique: str, turns: Sequence[OutcomeTurn]) -> str:
    """Build the question about an attempt; the policy's own thoughts and claims are left out.

    Args:
        procedure: What was to be done.
        unique: What the attempt put behind the names that it made up.
        turns: All of it; the last page is that of the last turn.
    """
    form = ShortForm(procedure, {}, unique)
    action_lines = [
        form.answer(turn.view, turn.action, turn.step, ()) or f"{turn.step} {turn.action.kind}"
        for turn in turns
        if not turn.action.is_final
    ]
    lines = [
        f"Task: {procedure.title}",
        *(f"{step.index}. {step.text[:_MAX_STEP_CHARS]}" for step in procedure.walk()),
        f"Done: {'; '.join(action_lines[-_MAX_ACTIONS:]) or 'nothing'}",
        short_page(turns[-1].view),
        f"Was all of it done, so that the task is carried out? {YES} or {NO}:",
    ]
    return "\n".join(lines)


def outcome_samples(
    judged: Collection[JudgedDemonstration], artifact: Callable[[ArtifactRef], bytes]
) -> list[Sample]:
    """Return one sample for every attempt whose outcome an audit log decided."""
    return list(_outcome_samples(judged, artifact))


def _outcome_samples(
    judged: Collection[JudgedDemonstration], artifact: Callable[[ArtifactRef], bytes]
) -> Iterator[Sample]:
    for attempt in judged:
        row = attempt.row
        if row.audited is None:
            continue
        try:
            demonstration = Demonstration.from_json(artifact(row.artifact))
        except StoreError:
            continue
        turns = [
            OutcomeTurn(view=moment.view, action=moment.action.action(), step=moment.step)
            for moment in demonstration.moments
        ]
        if not turns:
            continue
        text, answer = (
            question(demonstration.procedure, demonstration.unique, turns),
            _answer_word(row.audited),
        )
        labelled_question = LabelledQuestion(
            ROLE, VERSION, ({"role": "user", "content": text},), answer
        )
        sample = sample_of(
            row, demonstration, PromptForm.SHORT, len(turns) - 1, labelled_question, Masking()
        )
        yield replace(sample, kind=answer, is_untrue=False)


def _answer_word(reached: bool) -> str:
    return YES if reached else NO


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeModel:
    """A trained outcome model that proved better than the judges."""

    adapter: Path
    scale: float
    shift: float
    """Of the calibration: odds are multiplied and shifted by these, as logarithms."""

    @classmethod
    def of(cls, run: Path) -> "OutcomeModel":
        """That of a training.

        Raises:
            SetupError: It is none, or nothing recorded says that it is better than the judges.
        """
        try:
            calibration = json.loads((run / JUDGE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise SetupError(f"{run} is no finished training of kind judge") from None
        try:
            is_better = json.loads((run / DECISION).read_text(encoding="utf-8"))["is_better"]
        except (OSError, ValueError, KeyError):
            is_better = False
        if is_better is not True:
            raise SetupError(
                f"{run}: nothing says that it is right more often than the judges, so that it"
                " rewards nobody. `appliance train compare-judges` holds it against them."
            )
        return cls(adapter=run / "adapter", scale=calibration["scale"], shift=calibration["shift"])

    async def reached(self, client: ModelClient, name: str, text: str) -> bool | None:
        """What it says of an attempt; None: neither yes nor no.

        Args:
            client: Of the server, which gives tokens with their probabilities.
            name: Under which it serves the adapter.
            text: The question.
        """
        messages: tuple[Message, ...] = ({"role": "user", "content": text},)
        reply = await client.ask(messages, max_tokens=4, model=name)
        word, trace = reply.text.strip(), reply.trace
        if word not in (YES, NO) or trace is None:
            return None
        return self.probability(word == YES, math.exp(trace.logprobs[0])) > 0.5

    def probability(self, says_yes: bool, confidence: float) -> float:
        """That it got there, calibrated.

        Args:
            says_yes: What it says.
            confidence: How likely that was; the rest is taken for the other word.
        """
        yes_probability = min(max(confidence if says_yes else 1 - confidence, 1e-6), 1 - 1e-6)
        odds = math.log(yes_probability / (1 - yes_probability))
        return calibrated(odds, self.scale, self.shift)
