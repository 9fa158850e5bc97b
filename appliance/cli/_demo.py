"""`scripts/demo`: verifies the bundled documentation, and holds what was found against the truth.

The practice cloud serves its newest release, for which the documentation was not updated. Which of
its sentences are untrue there stands in RELEASE.truth.yaml: each must be found at its line, in its
kind, and nothing else may be reported.
"""

import os
import sys
from pathlib import Path

import click

from appliance.benchmark.truth import Untruth, compare, read_truth
from appliance.cli._app import run
from appliance.cli._output import data_console, talk
from appliance.cli._progress import progress
from appliance.cli._selection import choose, read_documents
from appliance.cli._session import Request, new_run_id, verify_request
from appliance.cli._summary import counted, print_run
from appliance.config import ConsoleSettings, Settings
from appliance.core.result import RunResult
from appliance.practice import DOCUMENTATION, RELEASES, releases
from appliance.reports import write_reports
from appliance.store import ArtifactStore

OUT = Path("demo-report")
"""Where report and data go; ignored by git."""


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
    return read_truth(RELEASES / f"{release}.truth.yaml").untruths


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
