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
from appliance.training.retelling import Retold, retell
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
class Sampled:
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

    async def sample(self, row: DemonstrationRow, of: Demonstration) -> Sampled:
        """All samples of one attempt."""
        why = why_not_moments(of.moments)
        masking = Masking()
        samples, untold = list[Sample](), 0
        for form in self.forms:
            told = dict(await self._told(form, of))
            for turn in range(len(of.moments)):
                if why[turn] is not None:
                    continue
                asked = told.get(turn, ())
                untold += not asked
                samples += [sample_of(row, of, form, turn, one, masking) for one in asked]
        return Sampled(tuple(samples), tuple(w for w in why if w is not None), untold)

    async def _told(
        self, form: PromptForm, of: Demonstration
    ) -> "Sequence[tuple[int, Sequence[Asked]]]":
        match form:
            case PromptForm.FULL:
                told = await retell(of, self.agent, self.context_tokens)
                return [(one.turn, list(_asked(one))) for one in told]
            case PromptForm.SHORT:
                return list(_asked_shortly(of))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its right answer, not masked yet."""

    role: str
    version: str
    """Of the prompts."""
    messages: tuple[Message, ...]
    answer: str


def _asked(told: Retold) -> Iterator[Asked]:
    for one in told.exchanges:
        if len(one.messages) == 2:  # asked once more, it is another question
            yield Asked(one.role, one.version, one.messages, one.answer)


def _asked_shortly(of: Demonstration) -> Iterator[tuple[int, Sequence[Asked]]]:
    form = ShortForm(of.procedure, of.bindings, of.unique)
    for turn, moment in enumerate(of.moments):
        untrue = [Untrue(one.step, one.kind) for one in moment.divergences]
        answer = form.answer(moment.view, moment.action.action(), moment.step, untrue)
        if answer is not None:
            prompt = {"role": "user", "content": form.prompt(moment.view)}
            yield turn, [Asked("agent", SHORT_VERSION, (prompt,), answer)]
        form.record_turn(moment.step, answer or "")


def sample_of(
    row: DemonstrationRow,
    of: Demonstration,
    form: PromptForm,
    turn: int,
    asked: Asked,
    masking: Masking,
) -> Sample:
    """What is asked and answered at a turn of a kept attempt, with where it comes from."""
    moment = of.moments[turn]
    messages = [{**one, "content": masking(one["content"])} for one in asked.messages]
    text, answer = json.dumps(messages, ensure_ascii=False), masking(asked.answer)
    return Sample(
        id=digest_of(form, asked.role, text, answer, of.unique),
        form=form,
        role=asked.role,
        version=asked.version,
        document=row.document,
        procedure=row.procedure_id,
        release=row.release,
        language=of.procedure.language,
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
    whole = "\0".join((form, role, text, answer))
    if unique:
        whole = whole.replace(unique, SHORT_UNIQUE)
    return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:16]
