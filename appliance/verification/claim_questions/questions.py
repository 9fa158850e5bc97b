"""Asks about the claims of one procedure: in batches by page, within a bound, never twice."""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import structlog

from appliance.browser import LEGEND
from appliance.config import Settings
from appliance.core.claims import Claim, ClaimStatus
from appliance.core.errors import ModelError, StoreError
from appliance.core.fencing import command_quotes, commanded, fence
from appliance.core.procedure import Document
from appliance.inference.client import ModelClient
from appliance.inference.messages import Message, ModelReply, image_part
from appliance.inference.prompts import language_of
from appliance.policy.base import Spent
from appliance.store.claim_answers import KeptAnswer
from appliance.store.store import Store
from appliance.verification.case import JudgedAttempt
from appliance.verification.claim_questions.answers import (
    SCHEMA,
    AnswerWord,
    ClaimAnswer,
    ClaimAnswers,
    parse_answers,
)
from appliance.verification.claim_questions.pages import (
    OpenClaim,
    SeenPage,
    likely,
    seen_pages,
    sentence_of,
    typed,
)
from appliance.verification.claim_questions.prompts import VERSION, render
from appliance.verification.claims import ONCE

_BATCH = 8
"""Claims in one question."""
_ANSWER_TOKENS = 120
"""Of one claim: a number, a quote and a word, in Chinese too."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """Some claims, and the page that they are held against."""

    page: SeenPage
    claims: tuple[OpenClaim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimAsker:
    """Of one run."""

    client: ModelClient | None
    """None: nobody is asked, and what was answered before counts."""
    settings: Settings
    store: Store

    async def ask(
        self, document: Document, claims: Sequence[Claim], attempt: JudgedAttempt
    ) -> ClaimAnswers:
        """What a model can tell of the claims that were not checked. It never raises.

        Args:
            document: Where they stand.
            claims: All that the procedure says, with what was measured of it.
            attempt: The one that the verdict rests on.
        """
        tokens, trajectory = self.settings.agent.observation_tokens, attempt.trajectory
        language, wrote = attempt.task.procedure.language, typed(trajectory)
        pages = seen_pages(trajectory, attempt.task.unique, tokens)
        wanted = {one: likely(one, pages) for one in _open(claims, document)}
        done, left = (
            ClaimAnswers(),
            self.settings.claims.questions if self.client is not None else 0,
        )
        for turn in range(max(map(len, wanted.values()), default=0)):
            still = {
                one: held[turn]
                for one, held in wanted.items()
                if len(held) > turn and one.number not in done.answers
            }
            unknown = await self._remembered(still, done)
            questions = list(_batches(unknown))[:left]
            left -= len(questions)
            await asyncio.gather(*(self._answer(one, language, wrote, done) for one in questions))
        return done

    async def _remembered(
        self, wanted: dict[OpenClaim, SeenPage], done: ClaimAnswers
    ) -> dict[OpenClaim, SeenPage]:
        """Those that were never asked about; what was answered of the others is taken over."""
        keys = {one: self._key(one, page) for one, page in wanted.items()}
        try:
            known = await asyncio.to_thread(self.store.claim_answers.get, keys.values())
        except StoreError as exc:
            _log.warning("answers_not_read", reason=str(exc))
            return {}
        for one, page in wanted.items():
            if (kept := known.get(keys[one])) is not None:
                answer = ClaimAnswer(said=AnswerWord(kept.said), quote=kept.quote, turn=page.turn)
                done.add(one.number, answer)
        return {one: page for one, page in wanted.items() if keys[one] not in known}

    async def _answer(
        self, question: _Question, language: str, typed: frozenset[str], done: ClaimAnswers
    ) -> None:
        """Ask, hold, keep. What does not answer leaves its claims as they are."""
        try:
            reply = await self._asked(question, language)
        except ModelError as exc:
            _log.warning("claims_not_asked", reason=str(exc))
            return
        answers = parse_answers(reply, question.claims, question.page, typed)
        done.spent += Spent(
            model_s=reply.took_s,
            calls=1,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            unusable=1 if answers is None else 0,
        )
        if answers is None:
            return
        for one, answer in zip(question.claims, answers, strict=True):
            done.add(one.number, answer)
        rows = {
            self._key(one, question.page): KeptAnswer(answer.said.value, answer.quote)
            for one, answer in zip(question.claims, answers, strict=True)
        }
        try:
            await asyncio.to_thread(self.store.claim_answers.put, rows)
        except StoreError as exc:
            _log.warning("answers_not_kept", reason=str(exc))

    async def _asked(self, question: _Question, language: str) -> ModelReply:
        assert self.client is not None  # noqa: S101 - else there are no questions
        served = await self.client.served()
        has_picture = served.takes_images and self.settings.agent.screenshots
        picture = await asyncio.to_thread(self._picture, question.page) if has_picture else None
        return await self.client.ask(
            messages(question.page, question.claims, language, picture),
            schema=SCHEMA,
            max_tokens=_ANSWER_TOKENS * len(question.claims) + _ANSWER_TOKENS,
        )

    def _picture(self, page: SeenPage) -> bytes | None:
        try:
            return self.store.artifacts.get(page.picture) if page.picture else None
        except StoreError:
            return None

    def _key(self, one: OpenClaim, page: SeenPage) -> str:
        """The same for the same claim, page, model and way of asking."""
        model = self.settings.model
        whom = model.name or str(model.weights or model.endpoint)
        said = (VERSION, whom, one.claim.kind, one.claim.text, one.sentence, page.text)
        return hashlib.sha256("\x1f".join(said).encode("utf-8", "replace")).hexdigest()


def messages(
    page: SeenPage, claims: Sequence[OpenClaim], language: str, picture: bytes | None = None
) -> tuple[Message, ...]:
    """What a model is asked about some claims and one page."""
    language = language_of(language)
    lines = [
        f'{n}. [{one.claim.kind.value}] "{one.claim.text}" in: {one.sentence}'
        for n, one in enumerate(claims, 1)
    ]
    text = render(
        language,
        "question",
        claims=fence("\n".join(lines), "document"),
        page=fence(page.text, "page"),
        suspicious=command_quotes(page.text),
        has_picture=picture is not None,
    )
    content: object = text
    if picture is not None:
        content = [{"type": "text", "text": text}, image_part(picture)]
    system = render(language, "system", legend=LEGEND[language])
    return ({"role": "system", "content": system}, {"role": "user", "content": content})


def _open(claims: Sequence[Claim], document: Document) -> Iterator[OpenClaim]:
    """Those that nobody could check; not those of which something else was measured."""
    for number, claim in enumerate(claims):
        sentence = sentence_of(claim, document.lines)
        is_open = claim.status is ClaimStatus.NOT_CHECKED and claim.reason != ONCE
        only_leads = claim.text.rstrip().endswith((":", "："))  # "To import a dataset:"
        if is_open and not only_leads and not commanded(sentence):
            yield OpenClaim(number=number, claim=claim, sentence=sentence)


def _batches(wanted: dict[OpenClaim, SeenPage]) -> Iterator[_Question]:
    """Those of one page together, the page with the most claims first."""
    by_page: dict[SeenPage, list[OpenClaim]] = {}
    for one, page in wanted.items():
        by_page.setdefault(page, []).append(one)
    for page, claims in sorted(by_page.items(), key=lambda item: -len(item[1])):
        for at in range(0, len(claims), _BATCH):
            yield _Question(page=page, claims=tuple(claims[at : at + _BATCH]))
