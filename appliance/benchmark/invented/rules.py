"""Untruths that rules write, from the product data: the same ones for the same seed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from appliance.benchmark.drift.truth import ReadProcedure
from appliance.benchmark.invented.about import false_sentences
from appliance.benchmark.invented.relabel import relabelled
from appliance.benchmark.invented.untruth import InventedUntruth
from appliance.benchmark.invented.wording import Sheet, texts_of
from appliance.core.claims import ClaimKind
from appliance.practice.releases import DOCUMENTATION, catalogue, releases

_EACH = 11
"""How many of each kind: with those by hand, more than three hundred."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    procedure: str
    rule: str
    untruth: InventedUntruth


def written_by_rule(seed: int, reads: Sequence[ReadProcedure]) -> tuple[InventedUntruth, ...]:
    """So many of every kind, spread over rules, languages and procedures."""
    random = Random(f"invented/{seed}")  # noqa: S311 - repeatable, no secret
    found = list(_candidates(reads, random))
    random.shuffle(found)
    used: Counter[str] = Counter()
    chosen = [one for kind in ClaimKind for one in _of_kind(kind, found, used)]
    return tuple(
        # numbered here, so that a name says nothing of how many were not chosen
        replace(one.untruth, id=f"rule-{number}")
        for number, one in enumerate(chosen, 1)
    )


def _candidates(reads: Sequence[ReadProcedure], random: Random) -> Iterator[_Candidate]:
    held = catalogue(releases()[0])
    said = {language: texts_of(held, language) for language in ("en", "zh")}
    texts: dict[str, str] = {}
    for read in reads:
        source = texts.setdefault(
            read.document, (DOCUMENTATION / read.document).read_text(encoding="utf-8")
        )
        sheet = Sheet(read, source)
        taken = said[sheet.language]
        for rule, one in relabelled(sheet, held, taken, random):
            yield _Candidate(read.procedure.id, rule, one)
        for rule, one in false_sentences(sheet, held, taken, random):
            yield _Candidate(read.procedure.id, rule, one)


def _of_kind(
    kind: ClaimKind, found: Sequence[_Candidate], used: Counter[str]
) -> Iterator[_Candidate]:
    """What resembles the others least, one after another."""
    left = [one for one in found if one.untruth.kind is kind]
    near: Counter[str] = Counter()
    for _ in range(min(_EACH, len(left))):
        best = min(left, key=lambda one: _familiar(one, near, used))
        left.remove(best)
        near.update(_marks(best))
        used[best.procedure] += 1
        yield best


def _familiar(one: _Candidate, near: Counter[str], used: Counter[str]) -> tuple[int, int]:
    return sum(near[mark] for mark in _marks(one)), used[one.procedure]


def _marks(one: _Candidate) -> tuple[str, ...]:
    untruth = one.untruth
    return (one.rule, untruth.language, untruth.format, untruth.document, one.procedure)
