"""Which documented sentences a change makes untrue, worked out from claims without a reader."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from appliance.benchmark.drift.claim import Claim, Facet
from appliance.benchmark.drift.claims import claims_of
from appliance.benchmark.drift.judge import PERMISSION_ROLE, ClaimCatalogue, UntrueClaim
from appliance.benchmark.drift.mark_meanings import MarkMeanings
from appliance.benchmark.drift.spots import SpotRole, Spots
from appliance.benchmark.drift.walk import ReaderPosition
from appliance.benchmark.truth import Untruth
from appliance.core.procedure import Document, Procedure
from appliance.core.verdict import DivergenceKind
from appliance.practice.catalogue import Catalogue

_ROLES = ("admin", "member", "viewer")


@dataclass(frozen=True)
class ReadProcedure:
    """A procedure with what it claims."""

    document: str
    procedure: Procedure
    walk: ReaderPosition

    @cached_property
    def claims(self) -> list[Claim]:
        """What it says of the console."""
        return claims_of(self.walk)

    @cached_property
    def paths(self) -> frozenset[str]:
        """The places of the product data that it speaks of."""
        return frozenset(claim.path for claim in self.claims)

    @property
    def role(self) -> str:
        """Role of the account that it is carried out with."""
        wanted = self.procedure.checks.account or ""
        return wanted if wanted in _ROLES else PERMISSION_ROLE


@dataclass(frozen=True, slots=True)
class _Break:
    claim: Claim
    why: UntrueClaim
    change: int


def read_all(
    documents: Sequence[Document], catalogue: Catalogue, folder: Path
) -> tuple[ReadProcedure, ...]:
    """All procedures of some documents with their claims.

    Args:
        documents: The documents, true of `catalogue`.
        catalogue: What the console offers.
        folder: Where the answers by hand are.
    """
    spots, by_hand = Spots(catalogue), MarkMeanings(folder)
    return tuple(
        ReadProcedure(
            Path(document.path).name, procedure, ReaderPosition(spots, procedure, by_hand).go()
        )
        for document in documents
        for procedure in document.procedures
    )


def untruths_of(reads: Sequence[ReadProcedure], stages: Sequence[ClaimCatalogue]) -> list[Untruth]:
    """What is untrue in the last stage.

    Args:
        reads: The procedures.
        stages: The catalogue they are true of, then after the first change, after the second, …
    """
    return [one for read in reads for one in _of_procedure(read, stages)]


def _of_procedure(read: ReadProcedure, stages: Sequence[ClaimCatalogue]) -> Iterator[Untruth]:
    breaks: list[_Break] = []
    for claim in read.claims:
        why = stages[-1].untrue(claim, read.procedure.language, read.role)
        if why is not None and stages[0].untrue(claim, read.procedure.language, read.role) is None:
            breaks.append(_Break(claim, why, _cause(read, claim, stages)))
    breaks += _not_shown(read, breaks)
    merged: dict[tuple[int, str], Untruth] = {}
    merged_by_cause: dict[str, Untruth] = {}
    for broken in sorted(breaks, key=_rank):
        one = _untruth(read, broken)
        key = (one.line, one.quote)
        first = merged_by_cause.get(_cause_key(broken))
        if key in merged:
            merged[key] = _join(merged[key], one)
        else:
            merged[key] = one.model_copy(update={"is_optional": True}) if first else one
        if first is None and not one.is_optional:
            merged_by_cause[_cause_key(broken)] = merged[key]
        elif first is not None and first.line != one.line:
            _also_at(merged, first, one.line)
    yield from sorted(merged.values(), key=lambda one: one.line)


def _rank(broken: _Break) -> tuple[bool, bool, bool]:
    """Sorts first what must be found."""
    return broken.claim.mark.is_remark, broken.claim.is_weak, broken.why.is_optional


def _cause(read: ReadProcedure, claim: Claim, stages: Sequence[ClaimCatalogue]) -> int:
    """Number of the change after which a claim is untrue."""
    language, role = read.procedure.language, read.role
    broken = (n for n, held in enumerate(stages) if held.untrue(claim, language, role))
    return next(broken)


def _not_shown(read: ReadProcedure, breaks: Sequence[_Break]) -> list[_Break]:
    """Messages and states that stay out because something may not be done."""
    further = []
    for broken in breaks:
        if broken.claim.facet is Facet.PERMITTED:
            for claim in read.claims:
                if claim.facet is Facet.LABEL and claim.role in (SpotRole.MESSAGE, SpotRole.STATE):
                    kinds = (*broken.why.kinds, DivergenceKind.WRONG_RESULT)
                    why = UntrueClaim(kinds, "It is not shown: the operation is refused.", True)
                    further.append(replace(broken, claim=claim, why=why))
    return further


def _cause_key(broken: _Break) -> str:
    """What two sentences have in common when they are untrue for one and the same reason."""
    claim = broken.claim
    match claim.facet:
        case Facet.LABEL:
            return f"label {claim.path}"
        case Facet.SHOWN | Facet.STEP:
            return f"{claim.facet} {claim.path}"
        case Facet.ORDER:
            return f"order {claim.action}"
        case Facet.OPTIONAL | Facet.COMPLETE:
            return f"complete {broken.change}"
        case Facet.OPTION | Facet.DEFAULT:
            return f"{claim.facet} {claim.path} {claim.value}"
        case _:
            return f"{claim.facet} {claim.path} {claim.place}"


def _untruth(read: ReadProcedure, broken: _Break) -> Untruth:
    claim, why = broken.claim, broken.why
    own = (claim.mark.line, *claim.mark.lines) if not claim.mark.is_field else ()
    return Untruth(
        document=read.document,
        line=claim.mark.line,
        quote=claim.quote,
        kind=why.kinds[0],
        acceptable_kinds=frozenset(why.kinds),
        is_optional=why.is_optional or claim.is_weak or claim.mark.is_remark,
        instead=_others((*own, *claim.instead), claim.mark.line),
        change=broken.change,
        procedure=read.procedure.id,
        becomes=why.becomes,
        note=why.note,
    )


def _others(lines: Sequence[int], own: int) -> tuple[int, ...]:
    return tuple(sorted({line for line in lines if line != own}))


def _join(one: Untruth, other: Untruth) -> Untruth:
    """Two reasons for the same words."""
    notes = [one.note, other.note]
    return one.model_copy(
        update={
            "acceptable_kinds": one.acceptable_kinds | other.acceptable_kinds,
            "instead": _others((*one.instead, *other.instead), one.line),
            "is_optional": one.is_optional and other.is_optional,
            "note": " ".join(dict.fromkeys(note for note in notes if note)),
        }
    )


def _also_at(merged: dict[tuple[int, str], Untruth], first: Untruth, line: int) -> None:
    """What is said at a second sentence of the same reason counts for the first."""
    key = (first.line, first.quote)
    now = merged[key]
    merged[key] = now.model_copy(update={"instead": _others((*now.instead, line), now.line)})
