"""Which untruths are verified: a part of them, or a sample spread over the kinds of claim."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.benchmark.drift.truth import ReadProcedure
from appliance.benchmark.invented.about import false_sentences
from appliance.benchmark.invented.relabel import relabelled
from appliance.benchmark.invented.untruth import InventedUntruth, Part, place_of
from appliance.benchmark.invented.wording import Sheet, texts_of
from appliance.core.claims import ClaimKind
from appliance.core.errors import SetupError
from appliance.practice.loading import read_source
from appliance.practice.releases import DOCUMENTATION, catalogue, releases

_HERE = Path(__file__).resolve().parent
FILES: dict[Part, Path] = {"seen": _HERE / "seen.yaml", "held-out": _HERE / "held-out.yaml"}


class Entry(BaseModel):
    """One untruth, as it was written down."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    document: str
    kind: ClaimKind
    section: str = ""
    """The anchor is the first one behind these words."""
    change: str = ""
    to: str = ""
    after: str = ""
    below: str = ""
    add: str = ""
    untrue: str = ""
    """The words that are untrue; empty: all that is new."""
    why: str


class EntryFile(BaseModel):
    """A file of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    untruths: tuple[Entry, ...]


def written_by_hand(part: Part) -> tuple[InventedUntruth, ...]:
    """All of one part; `SetupError` where an anchor is not in its document."""
    file = FILES[part]
    try:
        entries = EntryFile.model_validate(read_source(file, is_ours=True).data).untruths
    except ValidationError as exc:
        raise SetupError(f"{file} is no file of untruths: {exc.errors()[0]}") from exc
    texts = {
        name: (DOCUMENTATION / name).read_text(encoding="utf-8")
        for name in {entry.document for entry in entries}
    }
    return tuple(
        _place_entry(f"{part}-{number}", entry, texts[entry.document], part)
        for number, entry in enumerate(entries, 1)
    )


def _place_entry(name: str, entry: Entry, source: str, part: Part) -> InventedUntruth:
    anchors = [anchor for anchor in (entry.change, entry.after, entry.below) if anchor]
    if (
        len(anchors) != 1
        or bool(entry.change) != bool(entry.to)
        or bool(entry.add) == bool(entry.to)
    ):
        raise SetupError(f"{name}: change and to, or add with after or below")
    try:
        start, end = place_of(source, anchors[0], entry.section)
    except SetupError as exc:
        raise SetupError(f"{name}, {entry.document}: {exc}") from None
    text = entry.to
    if entry.after:
        start = end
        text = entry.add
        if ".zh." not in entry.document and not text[0].isspace():
            text = f" {text}"
    elif entry.below:
        start = end = _line_end(source, end)
        text = "\n" + entry.add.rstrip("\n")
    return InventedUntruth(
        id=name,
        document=entry.document,
        kind=entry.kind,
        part=part,
        origin="hand",
        start=start,
        end=end,
        text=text,
        words=entry.untrue or text.strip(),
        why=entry.why,
    )


def _line_end(source: str, offset: int) -> int:
    end = source.find("\n", offset)
    return len(source) if end < 0 else end


_PER_KIND = 11
"""How many of each kind: with those by hand, more than three hundred."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    procedure: str
    rule: str
    untruth: InventedUntruth


def written_by_rule(seed: int, reads: Sequence[ReadProcedure]) -> tuple[InventedUntruth, ...]:
    """So many of every kind, spread over rules, languages and procedures."""
    random = Random(f"invented/{seed}")  # noqa: S311 - repeatable, no secret
    offered = list(_candidates(reads, random))
    random.shuffle(offered)
    used: Counter[str] = Counter()
    chosen = [candidate for kind in ClaimKind for candidate in _least_similar(kind, offered, used)]
    return tuple(
        # numbered here, so that a name says nothing of how many were not chosen
        replace(candidate.untruth, id=f"rule-{number}")
        for number, candidate in enumerate(chosen, 1)
    )


def _candidates(reads: Sequence[ReadProcedure], random: Random) -> Iterator[_Candidate]:
    base_catalogue = catalogue(releases()[0])
    texts_by_language = {language: texts_of(base_catalogue, language) for language in ("en", "zh")}
    texts: dict[str, str] = {}
    for read in reads:
        source = texts.setdefault(
            read.document, (DOCUMENTATION / read.document).read_text(encoding="utf-8")
        )
        sheet = Sheet(read, source)
        taken = texts_by_language[sheet.language]
        for rule, untruth in relabelled(sheet, base_catalogue, taken, random):
            yield _Candidate(read.procedure.id, rule, untruth)
        for rule, untruth in false_sentences(sheet, base_catalogue, taken, random):
            yield _Candidate(read.procedure.id, rule, untruth)


def _least_similar(
    kind: ClaimKind, offered: Sequence[_Candidate], used: Counter[str]
) -> Iterator[_Candidate]:
    """What resembles the others least, one after another."""
    remaining = [candidate for candidate in offered if candidate.untruth.kind is kind]
    features_seen: Counter[str] = Counter()
    for _ in range(min(_PER_KIND, len(remaining))):
        best = min(remaining, key=lambda candidate: _similarity(candidate, features_seen, used))
        remaining.remove(best)
        features_seen.update(_marks(best))
        used[best.procedure] += 1
        yield best


def _similarity(
    candidate: _Candidate, features_seen: Counter[str], used: Counter[str]
) -> tuple[int, int]:
    return sum(features_seen[mark] for mark in _marks(candidate)), used[candidate.procedure]


def _marks(candidate: _Candidate) -> tuple[str, ...]:
    untruth = candidate.untruth
    return (candidate.rule, untruth.language, untruth.format, untruth.document, candidate.procedure)


def chosen_untruths(
    part: Literal["seen", "held-out", "all"],
    size: int | None,
    seed: int,
    reads: Sequence[ReadProcedure],
) -> tuple[InventedUntruth, ...]:
    """The same ones for the same words.

    Args:
        part: Which of them. What rules write is not held out: another seed writes others.
        size: So many, spread over the kinds; None: all.
        seed: Of what rules write.
        reads: The bundled procedures, true of the first release.
    """
    untruths: list[InventedUntruth] = []
    if part != "held-out":
        untruths += (*written_by_hand("seen"), *written_by_rule(seed, reads))
    if part != "seen":
        untruths += written_by_hand("held-out")
    return tuple(untruths) if size is None else _spread(untruths, size)


def _spread(untruths: Sequence[InventedUntruth], size: int) -> tuple[InventedUntruth, ...]:
    by_kind: dict[ClaimKind, list[InventedUntruth]] = defaultdict(list)
    for untruth in Random(size).sample(untruths, len(untruths)):  # noqa: S311 - repeatable, no secret
        by_kind[untruth.kind].append(untruth)
    mixed = chain.from_iterable(zip_longest(*(by_kind[kind] for kind in ClaimKind)))
    return tuple([untruth for untruth in mixed if untruth is not None][:size])
