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
    unmatched = list(truth)
    matches = []
    for finding in sorted(
        findings, key=lambda finding_: (finding_.document, finding_.line, finding_.column)
    ):
        at_line = [
            untruth for untruth in truth if untruth.fits(Path(finding.document).name, finding.line)
        ]
        right_kind = [untruth for untruth in at_line if finding.kind in untruth.acceptable_kinds]
        candidates = sorted(
            (untruth for untruth in right_kind if untruth in unmatched),
            key=lambda untruth: _distance(finding, untruth),
        )
        if candidates:
            unmatched.remove(candidates[0])
            matches.append(Match(Assessment.FOUND, finding, candidates[0]))
        elif right_kind:
            matches.append(Match(Assessment.TWICE, finding, right_kind[0]))
        elif at_line:
            closest = min(at_line, key=lambda untruth: _distance(finding, untruth))
            matches.append(Match(Assessment.WRONG_KIND, finding, closest))
        else:
            matches.append(Match(Assessment.FALSE_ALARM, finding))
    return matches + [
        Match(Assessment.MISSED, None, untruth) for untruth in unmatched if not untruth.is_optional
    ]


def _distance(finding: Finding, untruth: Untruth) -> tuple[bool, bool, bool]:
    """Sorts what a finding is about first: same words, same line, and what must be found."""
    has_words = untruth.quote in finding.quote or finding.quote in untruth.quote
    return not has_words, untruth.line != finding.line, untruth.is_optional


def compare(run: RunResult, truth: Sequence[Untruth]) -> Iterator[Difference]:
    """Every way in which they differ: missed, wrongly reported, and left without a verdict."""
    for match_ in match([f for result in run.procedures for f in result.findings], truth):
        if match_.assessment is not Assessment.FOUND:
            yield _difference(match_)
    yield from without_verdict(run)


def _difference(match_: Match) -> Difference:
    finding, untruth = match_.finding, match_.untruth
    if finding is None:
        assert untruth is not None  # noqa: S101 - for the type checker: a match has one of the two
        return Difference(match_.assessment, untruth.place, f"{untruth.kind} “{untruth.quote}”")
    about = f"{finding.kind} “{finding.quote}”"
    if match_.assessment is Assessment.WRONG_KIND and untruth is not None:
        about += f", which is {untruth.kind}"
    return Difference(match_.assessment, f"{Path(finding.document).name}:{finding.line}", about)


def without_verdict(run: RunResult) -> Iterator[Difference]:
    """Procedures in which nothing was found, and that were not verified either."""
    for result in run.procedures:
        if not result.findings and result.verdict is not Verdict.VERIFIED:
            place = f"{Path(result.document).name}:{result.line}"
            reason = result.blocked_by or "no reason given"
            yield Difference(f"{result.verdict}, not verified", place, f"{result.title}: {reason}")
