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
    return [untruth for read in reads for untruth in _procedure_untruths(read, stages)]


def _procedure_untruths(read: ReadProcedure, stages: Sequence[ClaimCatalogue]) -> Iterator[Untruth]:
    breaks: list[_Break] = []
    for claim in read.claims:
        reason = stages[-1].untrue(claim, read.procedure.language, read.role)
        if (
            reason is not None
            and stages[0].untrue(claim, read.procedure.language, read.role) is None
        ):
            breaks.append(_Break(claim, reason, _cause(read, claim, stages)))
    breaks += _hidden_consequences(read, breaks)
    merged: dict[tuple[int, str], Untruth] = {}
    merged_by_cause: dict[str, Untruth] = {}
    for broken in sorted(breaks, key=_rank):
        untruth = _untruth(read, broken)
        key = (untruth.line, untruth.quote)
        first = merged_by_cause.get(_cause_key(broken))
        if key in merged:
            merged[key] = _merge(merged[key], untruth)
        else:
            merged[key] = untruth.model_copy(update={"is_optional": True}) if first else untruth
        if first is None and not untruth.is_optional:
            merged_by_cause[_cause_key(broken)] = merged[key]
        elif first is not None and first.line != untruth.line:
            _add_line(merged, first, untruth.line)
    yield from sorted(merged.values(), key=lambda untruth_: untruth_.line)


def _rank(broken: _Break) -> tuple[bool, bool, bool]:
    """Sorts first what must be found."""
    return broken.claim.mark.is_remark, broken.claim.is_weak, broken.why.is_optional


def _cause(read: ReadProcedure, claim: Claim, stages: Sequence[ClaimCatalogue]) -> int:
    """Number of the change after which a claim is untrue."""
    language, role = read.procedure.language, read.role
    broken = (n for n, stage in enumerate(stages) if stage.untrue(claim, language, role))
    return next(broken)


def _hidden_consequences(read: ReadProcedure, breaks: Sequence[_Break]) -> list[_Break]:
    """Messages and states that stay out because something may not be done."""
    consequences = []
    for broken in breaks:
        if broken.claim.facet is Facet.PERMITTED:
            for claim in read.claims:
                if claim.facet is Facet.LABEL and claim.role in (SpotRole.MESSAGE, SpotRole.STATE):
                    kinds = (*broken.why.kinds, DivergenceKind.WRONG_RESULT)
                    reason = UntrueClaim(kinds, "It is not shown: the operation is refused.", True)
                    consequences.append(replace(broken, claim=claim, why=reason))
    return consequences


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
    claim, reason = broken.claim, broken.why
    own_lines = (claim.mark.line, *claim.mark.lines) if not claim.mark.is_field else ()
    return Untruth(
        document=read.document,
        line=claim.mark.line,
        quote=claim.quote,
        kind=reason.kinds[0],
        acceptable_kinds=frozenset(reason.kinds),
        is_optional=reason.is_optional or claim.is_weak or claim.mark.is_remark,
        instead=_other_lines((*own_lines, *claim.instead), claim.mark.line),
        change=broken.change,
        procedure=read.procedure.id,
        becomes=reason.becomes,
        note=reason.note,
    )


def _other_lines(lines: Sequence[int], own: int) -> tuple[int, ...]:
    return tuple(sorted({line for line in lines if line != own}))


def _merge(first: Untruth, other: Untruth) -> Untruth:
    """Two reasons for the same words."""
    notes = [first.note, other.note]
    return first.model_copy(
        update={
            "acceptable_kinds": first.acceptable_kinds | other.acceptable_kinds,
            "instead": _other_lines((*first.instead, *other.instead), first.line),
            "is_optional": first.is_optional and other.is_optional,
            "note": " ".join(dict.fromkeys(note for note in notes if note)),
        }
    )


def _add_line(merged: dict[tuple[int, str], Untruth], first: Untruth, line: int) -> None:
    """What is said at a second sentence of the same reason counts for the first."""
    key = (first.line, first.quote)
    current = merged[key]
    merged[key] = current.model_copy(
        update={"instead": _other_lines((*current.instead, line), current.line)}
    )
