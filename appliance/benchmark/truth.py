"""What is known to be untrue in a documentation, and how a run is held against it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.core.errors import SetupError
from appliance.core.result import Finding, RunResult
from appliance.core.verdict import DivergenceKind, Verdict
from appliance.practice.loading import read_source
from appliance.practice.releases import RELEASES


class Untruth(BaseModel):
    """One sentence of a documentation that a release or drift file made untrue."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    document: str
    """File name in the documentation folder."""
    line: int
    quote: str
    kind: DivergenceKind
    """What a careful reader would call it."""
    acceptable_kinds: frozenset[DivergenceKind]
    """What is right as well."""
    is_optional: bool = False
    """Whether it may be left out: the same change, seen from a second sentence."""
    instead: tuple[int, ...] = ()
    """Other lines at which the same may be said: the sentence goes over several, or two sentences
    are untrue only together."""
    change: int = 0
    """Number of the change that caused it, from 1; 0 where nobody wrote it down."""
    procedure: str = ""
    """Id of the procedure it belongs to; empty where nobody wrote it down."""
    becomes: str = ""
    """What the console calls it now, where it has only got another name."""
    note: str = ""

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"{self.document}:{self.line}"

    def fits(self, document: str, line: int) -> bool:
        """Whether something said at a line may be about it."""
        return self.document == document and line in (self.line, *self.instead)


class Truth(BaseModel):
    """What is known of a release or drift file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1]
    release: str
    seed: int | None = None
    untruths: tuple[Untruth, ...] = Field(default_factory=tuple)


class Assessment(StrEnum):
    """What became of a finding or an untruth."""

    FOUND = "found"
    MISSED = "missed"
    WRONG_KIND = "wrong kind"
    TWICE = "reported once more"
    FALSE_ALARM = "false alarm"


@dataclass(frozen=True, slots=True)
class Match:
    """A finding with the untruth it is about, or one of them alone."""

    assessment: Assessment
    finding: Finding | None = None
    untruth: Untruth | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which a run and the truth differ."""

    what: str
    place: str
    about: str

    def __str__(self) -> str:
        return f"{self.what}: {self.place} {self.about}"


def read_truth(file: Path) -> Truth:
    """A truth file; `SetupError` where it is none."""
    try:
        return Truth.model_validate(read_source(file).data)
    except ValidationError as exc:
        raise SetupError(f"{file} is no truth file: {exc.errors()[0]['msg']}") from exc


def truth_of(release: str, drift: Path | None = None) -> tuple[Untruth, ...]:
    """What is untrue of the bundled documentation in a release, or with a drift file over it."""
    file = (drift or RELEASES / release).with_name(f"{drift.stem if drift else release}.truth.yaml")
    return read_truth(file).untruths if file.exists() else ()


def match(findings: Sequence[Finding], truth: Sequence[Untruth]) -> list[Match]:
    """Which finding is about which untruth; each untruth is used once.

    An optional untruth that nobody reported is left out: that is right as well.
    """
    open_ones = list(truth)
    matches = []
    for finding in sorted(findings, key=lambda f: (f.document, f.line, f.column)):
        near = [one for one in truth if one.fits(Path(finding.document).name, finding.line)]
        right = [one for one in near if finding.kind in one.acceptable_kinds]
        best = sorted((one for one in right if one in open_ones), key=lambda o: _far(finding, o))
        if best:
            open_ones.remove(best[0])
            matches.append(Match(Assessment.FOUND, finding, best[0]))
        elif right:
            matches.append(Match(Assessment.TWICE, finding, right[0]))
        elif near:
            closest = min(near, key=lambda one: _far(finding, one))
            matches.append(Match(Assessment.WRONG_KIND, finding, closest))
        else:
            matches.append(Match(Assessment.FALSE_ALARM, finding))
    return matches + [
        Match(Assessment.MISSED, None, one) for one in open_ones if not one.is_optional
    ]


def _far(finding: Finding, one: Untruth) -> tuple[bool, bool, bool]:
    """Sorts what a finding is about first: same words, same line, and what must be found."""
    has_words = one.quote in finding.quote or finding.quote in one.quote
    return not has_words, one.line != finding.line, one.is_optional


def compare(run: RunResult, truth: Sequence[Untruth]) -> Iterator[Difference]:
    """Every way in which they differ: missed, wrongly reported, and left without a verdict."""
    for made in match([f for result in run.procedures for f in result.findings], truth):
        if made.assessment is not Assessment.FOUND:
            yield _difference(made)
    yield from without_verdict(run)


def _difference(made: Match) -> Difference:
    finding, one = made.finding, made.untruth
    if finding is None:
        assert one is not None  # noqa: S101 - for the type checker: a match has one of the two
        return Difference(made.assessment, one.place, f"{one.kind} “{one.quote}”")
    about = f"{finding.kind} “{finding.quote}”"
    if made.assessment is Assessment.WRONG_KIND and one is not None:
        about += f", which is {one.kind}"
    return Difference(made.assessment, f"{Path(finding.document).name}:{finding.line}", about)


def without_verdict(run: RunResult) -> Iterator[Difference]:
    """Procedures in which nothing was found, and that were not verified either."""
    for result in run.procedures:
        if not result.findings and result.verdict is not Verdict.VERIFIED:
            place = f"{Path(result.document).name}:{result.line}"
            reason = result.blocked_by or "no reason given"
            yield Difference(f"{result.verdict}, not verified", place, f"{result.title}: {reason}")
