"""Single steps to learn from: a question as it is asked, and the answer as it should be."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from appliance.config import AgentSettings
from appliance.core.tokens import estimate_tokens
from appliance.inference.messages import Message, text_of
from appliance.policy.model import SHORT_UNIQUE, SHORT_VERSION, ShortForm, Untrue
from appliance.store.demonstrations import DemonstrationRow
from appliance.training.kinds import PromptForm, Stage
from appliance.training.personal import Masking
from appliance.training.retelling import RetoldTurn, retell
from appliance.training.selection import Dropped, why_not_moments
from appliance.verification import Demonstration


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One row of a dataset."""

    id: str
    """Digest of question and answer without what is made up anew for every attempt."""
    form: PromptForm
    role: str
    """Who is asked: `agent`, `planner` or `grounder`."""
    version: str
    """Of the prompts."""
    document: str
    procedure: str
    release: str
    language: str
    policy: str
    """Whose attempt it is of."""
    run_id: str
    attempt: int
    turn: int
    kind: str
    """Of the action."""
    is_untrue: bool
    """Whether something is noted of the text that is not true."""
    messages: str
    """The question, as JSON of what goes to an endpoint."""
    answer: str
    tokens_in: int
    """About how many."""
    tokens_out: int
    stage: Stage = Stage.TASK


@dataclass(frozen=True, slots=True)
class SampledAttempt:
    """What became of one attempt."""

    samples: tuple[Sample, ...]
    dropped: tuple[Dropped, ...]
    untold: int
    """Turns that cannot be told in a form that was wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampler:
    """Makes samples of attempts."""

    forms: tuple[PromptForm, ...]
    agent: AgentSettings
    context_tokens: int

    async def sample(self, row: DemonstrationRow, demonstration: Demonstration) -> SampledAttempt:
        """All samples of one attempt."""
        reasons = why_not_moments(demonstration.moments)
        masking = Masking()
        samples, untold = list[Sample](), 0
        for form in self.forms:
            questions = dict(await self._questions_by_turn(form, demonstration))
            for turn in range(len(demonstration.moments)):
                if reasons[turn] is not None:
                    continue
                turn_questions = questions.get(turn, ())
                untold += not turn_questions
                samples += [
                    sample_of(row, demonstration, form, turn, question, masking)
                    for question in turn_questions
                ]
        return SampledAttempt(
            tuple(samples), tuple(reason for reason in reasons if reason is not None), untold
        )

    async def _questions_by_turn(
        self, form: PromptForm, demonstration: Demonstration
    ) -> "Sequence[tuple[int, Sequence[LabelledQuestion]]]":
        match form:
            case PromptForm.FULL:
                retold = await retell(demonstration, self.agent, self.context_tokens)
                return [(turn.turn, list(_questions_of(turn))) for turn in retold]
            case PromptForm.SHORT:
                return list(_short_questions(demonstration))


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and its right answer, not masked yet."""

    role: str
    version: str
    """Of the prompts."""
    messages: tuple[Message, ...]
    answer: str


def _questions_of(turn: RetoldTurn) -> Iterator[LabelledQuestion]:
    for exchange in turn.exchanges:
        if len(exchange.messages) == 2:  # asked once more, it is another question
            yield LabelledQuestion(
                exchange.role, exchange.version, exchange.messages, exchange.answer
            )


def _short_questions(
    demonstration: Demonstration,
) -> Iterator[tuple[int, Sequence[LabelledQuestion]]]:
    form = ShortForm(demonstration.procedure, demonstration.bindings, demonstration.unique)
    for turn, moment in enumerate(demonstration.moments):
        untrue = [Untrue(divergence.step, divergence.kind) for divergence in moment.divergences]
        answer = form.answer(moment.view, moment.action.action(), moment.step, untrue)
        if answer is not None:
            prompt = {"role": "user", "content": form.prompt(moment.view)}
            yield turn, [LabelledQuestion("agent", SHORT_VERSION, (prompt,), answer)]
        form.record_turn(moment.step, answer or "")


def sample_of(
    row: DemonstrationRow,
    demonstration: Demonstration,
    form: PromptForm,
    turn: int,
    question: LabelledQuestion,
    masking: Masking,
) -> Sample:
    """What is asked and answered at a turn of a kept attempt, with where it comes from."""
    moment = demonstration.moments[turn]
    messages = [
        {**message, "content": masking(message["content"])} for message in question.messages
    ]
    text, answer = json.dumps(messages, ensure_ascii=False), masking(question.answer)
    return Sample(
        id=digest_of(form, question.role, text, answer, demonstration.unique),
        form=form,
        role=question.role,
        version=question.version,
        document=row.document,
        procedure=row.procedure_id,
        release=row.release,
        language=demonstration.procedure.language,
        policy=row.policy,
        run_id=row.run_id,
        attempt=row.attempt,
        turn=turn,
        kind=moment.action.kind,
        is_untrue=bool(moment.divergences),
        messages=text,
        answer=answer,
        tokens_in=estimate_tokens(text_of(messages)),
        tokens_out=estimate_tokens(answer),
    )


def digest_of(form: str, role: str, text: str, answer: str, unique: str) -> str:
    """Of question and answer, without what is made up anew for every attempt."""
    content = "\0".join((form, role, text, answer))
    if unique:
        content = content.replace(unique, SHORT_UNIQUE)
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:16]
