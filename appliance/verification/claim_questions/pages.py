"""The pages that an attempt saw, and which of them may tell about a claim."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from appliance.browser import describe
from appliance.core import actions
from appliance.core.claims import Claim
from appliance.core.fencing import escaped
from appliance.core.result import ArtifactRef
from appliance.language.harm_words import FILLERS_EN
from appliance.verification.trajectory import Trajectory

_PER_CLAIM = 2
"""Pages that a claim is held against, one after the other, until one of them tells."""
_WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """One page of an attempt."""

    turn: int
    """That saw it first."""
    text: str
    """As a model reads it: without secrets, and without what was made up for the attempt."""
    steps: frozenset[str]
    """The documented steps that were at work on it, or led to it."""
    picture: ArtifactRef | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaim:
    """A claim that nobody could check."""

    number: int
    """Its position among those of the procedure."""
    claim: Claim
    sentence: str
    """The lines of the source that it stands in."""


def seen_pages(trajectory: Trajectory, unique: str, tokens: int) -> tuple[SeenPage, ...]:
    """The pages of an attempt, each once.

    Args:
        trajectory: The attempt.
        unique: The suffix of names that were made up for it: of another attempt it is another.
        tokens: How long the text of one may be.
    """
    pages: dict[str, SeenPage] = {}
    step = ""
    for number, turn in enumerate(trajectory.turns):
        steps = frozenset((step, turn.decision.step))
        text = escaped(describe(turn.view, budget=tokens, whole=True))
        if unique:
            text = text.replace(unique, "…")
        before = pages.get(text)
        pages[text] = SeenPage(
            turn=before.turn if before else number,
            text=text,
            steps=steps | before.steps if before else steps,
            picture=(before.picture if before else None) or turn.before,
        )
        step = turn.decision.step
    return tuple(pages.values())


def typed(trajectory: Trajectory) -> frozenset[str]:
    """What the attempt itself wrote into the pages: it proves nothing where it is read there."""
    acts = (turn.decision.action for turn in trajectory.turns)
    return frozenset(act.text for act in acts if isinstance(act, actions.Type))


def likely(claim: OpenClaim, pages: Sequence[SeenPage]) -> tuple[SeenPage, ...]:
    """The pages that may tell about it, the likeliest first; none where there is nothing in common.

    A page of the claim's own step goes first; else it has to share words with the sentence. A word
    counts for more the fewer pages have it (inverse document frequency): a long page, such as the
    dashboard that every attempt begins on, has most words.
    """
    claim_words = words(claim.sentence) - FILLERS_EN
    shared_words = [claim_words & words(page.text) for page in pages]
    counts = Counter(word for shared in shared_words for word in shared)
    ranked = [
        (
            claim.claim.step in page.steps,
            sum(log((len(pages) + 1) / counts[word]) for word in shared),
            page,
        )
        for shared, page in zip(shared_words, pages, strict=True)
    ]
    fit = [rated for rated in ranked if rated[0] or (not claim.claim.step and rated[1] > 0)]
    return tuple(page for _, _, page in sorted(fit, key=_rank)[:_PER_CLAIM])


def _rank(rated: tuple[bool, float, SeenPage]) -> tuple[bool, float, int]:
    is_own, score, page = rated
    return not is_own, -score, -page.turn


def words(text: str) -> frozenset[str]:
    """Words and numbers of a text, ideographs one by one."""
    return frozenset(_WORD.findall(text.casefold()))


def sentence_of(claim: Claim, lines: Sequence[str]) -> str:
    """The lines of the document that a claim stands in, as one."""
    return " ".join(" ".join(_around(claim, lines)).split())


def _around(claim: Claim, lines: Sequence[str]) -> Iterable[str]:
    """With the line before and after where they belong to the same paragraph."""
    first, last = claim.line - 1, claim.end_line - 1
    if first > 0 and lines[first - 1].strip() and lines[first][:1].isspace():
        first -= 1
    return lines[first : last + 1]
