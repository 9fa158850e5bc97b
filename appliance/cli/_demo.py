"""`scripts/demo`: verifies the bundled documentation, and holds what was found against the truth.

The practice cloud serves its newest release, for which the documentation was not updated. Which of
its sentences are untrue there stands in RELEASE.truth.yaml: each must be found at its line, in its
kind, and nothing else may be reported.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click
from pydantic import BaseModel, ConfigDict

from appliance.cli._app import run
from appliance.cli._output import data_console, talk
from appliance.cli._progress import progress
from appliance.cli._selection import choose, read_documents
from appliance.cli._session import Request, new_run_id, verify_request
from appliance.cli._summary import counted, print_run
from appliance.config import ConsoleSettings, Settings
from appliance.core.result import RunResult
from appliance.core.verdict import DivergenceKind, Verdict
from appliance.practice import DOCUMENTATION, RELEASES, releases
from appliance.practice.loading import read_source
from appliance.reports import write_reports
from appliance.store import ArtifactStore

OUT = Path("demo-report")
"""Where report and data go; ignored by git."""


class Untruth(BaseModel):
    """One sentence of the bundled documentation that a release made untrue."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    note: str = ""

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"{self.document}:{self.line}"


class Truth(BaseModel):
    """What is known of a release."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1]
    release: str
    untruths: tuple[Untruth, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which the run and the truth differ."""

    what: str
    place: str
    about: str

    def __str__(self) -> str:
        return f"{self.what}: {self.place} {self.about}"


@click.command("demo")
def demo() -> int:
    """Verify the bundled documentation; 0 when exactly the known untruths are found, 1 when not."""
    release = releases()[-1]
    result = _verify(release)
    artifacts = ArtifactStore(OUT / "data" / "artifacts")
    written = write_reports(result, ("html", "json"), OUT, artifacts.get)
    print_run(result, data_console())
    talk(f"\nReport: {written[0].absolute()}")
    truth = known_truth(release)
    differences = list(compare(result, truth))
    if differences:
        talk(f"\n{counted(len(differences), 'difference')} from the known truth of {release}:")
        for difference in differences:
            talk(f"  {difference}")
        return 1
    untrue = counted(sum(not one.is_optional for one in truth), "sentence")
    talk(f"Release {release} makes {untrue} untrue: each was found at its line, and nothing else.")
    return 0


def known_truth(release: str) -> tuple[Untruth, ...]:
    """What a release makes untrue."""
    source = read_source(RELEASES / f"{release}.truth.yaml")
    return Truth.model_validate(source.data).untruths


def compare(run: RunResult, truth: Sequence[Untruth]) -> Iterator[Difference]:
    """Every way in which they differ: missed, wrongly reported, and left without a verdict."""
    open_ones = list(truth)
    for finding in (f for result in run.procedures for f in result.findings):
        place = f"{Path(finding.document).name}:{finding.line}"
        about = f"{finding.kind} “{finding.quote}”"
        known = [one for one in truth if one.place == place]
        right = [one for one in known if finding.kind in one.acceptable_kinds]
        found = next((one for one in right if one in open_ones), None)
        if found:
            open_ones.remove(found)
        elif right:
            yield Difference("reported once more", place, about)
        elif known:
            yield Difference("wrong kind", place, f"{about}, which is {known[0].kind}")
        else:
            yield Difference("false alarm", place, about)
    for one in open_ones:
        if not one.is_optional:
            yield Difference("missed", one.place, f"{one.kind} “{one.quote}”")
    yield from _without_verdict(run)


def _without_verdict(run: RunResult) -> Iterator[Difference]:
    """Procedures in which nothing was found, and that were not verified either."""
    for result in run.procedures:
        if not result.findings and result.verdict is not Verdict.VERIFIED:
            place = f"{Path(result.document).name}:{result.line}"
            reason = result.blocked_by or "no reason given"
            yield Difference(f"{result.verdict}, not verified", place, f"{result.title}: {reason}")


def _verify(release: str) -> RunResult:
    settings = Settings(
        data_dir=OUT / "data",
        consoles={"practice": ConsoleSettings(kind="practice", release=release)},
    )
    documents = read_documents([Path(os.path.relpath(DOCUMENTATION))], ())
    request = Request(
        documents=documents,
        procedures=choose(documents, ()),
        settings=settings,
        console="practice",
        policy="literal",
        values={},
        run_id=new_run_id(),
    )
    count = counted(len(request.procedures), "procedure")
    talk(f"The practice cloud at release {release}, {count} of its documentation, no model.")
    with progress(request.procedures) as subscriber:
        return verify_request(request, subscriber)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], demo))
