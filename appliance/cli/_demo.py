"""`scripts/demo`: verifies the bundled documentation, and holds what was found against the truth.

The practice cloud serves its newest release, for which the documentation was not updated. Which of
its sentences are untrue there stands in RELEASE.truth.yaml: each must be found at its line, in its
kind, and nothing else may be reported.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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


class Untrue(BaseModel):
    """One sentence of the bundled documentation that a release made untrue."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    document: str
    """File name in the documentation folder."""
    line: int
    kind: DivergenceKind


class Truth(BaseModel):
    """What is known of a release."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    findings: tuple[Untrue, ...]


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
    untrue = counted(len(truth), "untrue sentence")
    talk(f"Release {release} is known to make {untrue}: each was found at its line, nothing else.")
    return 0


def known_truth(release: str) -> tuple[Untrue, ...]:
    """What a release makes untrue."""
    source = read_source(RELEASES / f"{release}.truth.yaml")
    return Truth.model_validate(source.data).findings


def compare(run: RunResult, truth: tuple[Untrue, ...]) -> Iterator[Difference]:
    """Every way in which they differ: missed, wrongly reported, and left without a verdict."""
    found = Counter(
        Untrue(document=Path(f.document).name, line=f.line, kind=f.kind)
        for result in run.procedures
        for f in result.findings
    )
    known = Counter(truth)
    for one in (known - found).elements():
        yield Difference("missed", f"{one.document}:{one.line}", one.kind)
    for one in (found - known).elements():
        yield Difference("not known to be untrue", f"{one.document}:{one.line}", one.kind)
    for result in run.procedures:
        is_expected = Verdict.VERIFIED if not result.findings else result.verdict
        if result.verdict is not is_expected:
            place = f"{Path(result.document).name}:{result.line}"
            yield Difference(f"{result.verdict} without a finding", place, result.title)


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
