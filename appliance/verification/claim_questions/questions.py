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

_BATCH_SIZE = 8
"""Claims in one question."""
_ANSWER_TOKENS = 120
"""Of one claim: a number, a quote and a word, in Chinese too."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """Some claims and the page that they are checked against."""

    page: SeenPage
    claims: tuple[OpenClaim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimAsker:
    """Asks a model about the unchecked claims of one run."""

    client: ModelClient | None
    """The model; None: only stored answers are used."""
    settings: Settings
    store: Store

    async def ask(
        self, document: Document, claims: Sequence[Claim], attempt: JudgedAttempt
    ) -> ClaimAnswers:
        """Ask about the claims that were not checked. Never raises.

        Args:
            document: The document with the claims.
            claims: All claims of the procedure, with their status so far.
            attempt: The attempt that the verdict rests on.
        """
        tokens, trajectory = self.settings.agent.observation_tokens, attempt.trajectory
        language, typed_texts = attempt.task.procedure.language, typed(trajectory)
        pages = seen_pages(trajectory, attempt.task.unique, tokens)
        pages_by_claim = {
            open_claim: likely(open_claim, pages)
            for open_claim in _unchecked_claims(claims, document)
        }
        answers, questions_left = (
            ClaimAnswers(),
            self.settings.claims.questions if self.client is not None else 0,
        )
        for round_number in range(max(map(len, pages_by_claim.values()), default=0)):
            pending = {
                open_claim: claim_pages[round_number]
                for open_claim, claim_pages in pages_by_claim.items()
                if len(claim_pages) > round_number and open_claim.number not in answers.answers
            }
            unknown = await self._take_stored_answers(pending, answers)
            questions = list(_batches(unknown))[:questions_left]
            questions_left -= len(questions)
            await asyncio.gather(
                *(
                    self._answer(open_claim, language, typed_texts, answers)
                    for open_claim in questions
                )
            )
        return answers

    async def _take_stored_answers(
        self, pages_by_claim: dict[OpenClaim, SeenPage], answers: ClaimAnswers
    ) -> dict[OpenClaim, SeenPage]:
        """Take over stored answers; return the claims that were never asked about."""
        keys = {
            open_claim: self._key(open_claim, page) for open_claim, page in pages_by_claim.items()
        }
        try:
            stored_answers = await asyncio.to_thread(self.store.claim_answers.get, keys.values())
        except StoreError as exc:
            _log.warning("answers_not_read", reason=str(exc))
            return {}
        for open_claim, page in pages_by_claim.items():
            if (stored := stored_answers.get(keys[open_claim])) is not None:
                answer = ClaimAnswer(
                    said=AnswerWord(stored.said), quote=stored.quote, turn=page.turn
                )
                answers.add(open_claim.number, answer)
        return {
            open_claim: page
            for open_claim, page in pages_by_claim.items()
            if keys[open_claim] not in stored_answers
        }

    async def _answer(
        self, question: _Question, language: str, typed: frozenset[str], done: ClaimAnswers
    ) -> None:
        """Ask one question, check its answers and store them; a failure leaves its claims open."""
        try:
            reply = await self._ask_model(question, language)
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
        for open_claim, answer in zip(question.claims, answers, strict=True):
            done.add(open_claim.number, answer)
        rows = {
            self._key(open_claim, question.page): KeptAnswer(answer.said.value, answer.quote)
            for open_claim, answer in zip(question.claims, answers, strict=True)
        }
        try:
            await asyncio.to_thread(self.store.claim_answers.put, rows)
        except StoreError as exc:
            _log.warning("answers_not_kept", reason=str(exc))

    async def _ask_model(self, question: _Question, language: str) -> ModelReply:
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

    def _key(self, open_claim: OpenClaim, page: SeenPage) -> str:
        """A hash that is equal for the same claim, page, model and prompt version."""
        model = self.settings.model
        model_name = model.name or str(model.weights or model.endpoint)
        key_parts = (
            VERSION,
            model_name,
            open_claim.claim.kind,
            open_claim.claim.text,
            open_claim.sentence,
            page.text,
        )
        return hashlib.sha256("\x1f".join(key_parts).encode("utf-8", "replace")).hexdigest()


def messages(
    page: SeenPage, claims: Sequence[OpenClaim], language: str, picture: bytes | None = None
) -> tuple[Message, ...]:
    """The messages that ask a model about some claims and one page."""
    language = language_of(language)
    lines = [
        f'{number}. [{c.claim.kind.value}] "{c.claim.text}" in: {c.sentence}'
        for number, c in enumerate(claims, 1)
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


def _unchecked_claims(claims: Sequence[Claim], document: Document) -> Iterator[OpenClaim]:
    """Claims that could not be checked, without those whose reason is another measurement."""
    for number, claim in enumerate(claims):
        sentence = sentence_of(claim, document.lines)
        is_open = claim.status is ClaimStatus.NOT_CHECKED and claim.reason != ONCE
        only_leads = claim.text.rstrip().endswith((":", "："))  # "To import a dataset:"
        if is_open and not only_leads and not commanded(sentence):
            yield OpenClaim(number=number, claim=claim, sentence=sentence)


def _batches(pages_by_claim: dict[OpenClaim, SeenPage]) -> Iterator[_Question]:
    """Questions by page, the page with the most claims first."""
    by_page: dict[SeenPage, list[OpenClaim]] = {}
    for open_claim, page in pages_by_claim.items():
        by_page.setdefault(page, []).append(open_claim)
    for page, claims in sorted(by_page.items(), key=lambda item: -len(item[1])):
        for start in range(0, len(claims), _BATCH_SIZE):
            yield _Question(page=page, claims=tuple(claims[start : start + _BATCH_SIZE]))
