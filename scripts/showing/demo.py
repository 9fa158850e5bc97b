"""`scripts/demo`: verifies the bundled documentation, and holds what was found against the truth.

The practice cloud serves its newest release, for which the documentation was not updated. Which of
its sentences are untrue there stands in RELEASE.truth.yaml: each must be found at its line, in its
kind, and nothing else may be reported. Without `--all`, only the documents that have untrue
sentences are verified.
"""

import os
import sys
from pathlib import Path

import click

from appliance.benchmark.truth import compare, truth_of
from appliance.cli._app import run
from appliance.cli._local import verification_of, verify_here
from appliance.cli._options import read_documents
from appliance.cli._output import data_console, talk
from appliance.cli._progress import progress
from appliance.cli._summary import counted, print_run
from appliance.config import (
    BrowserSettings,
    ConsoleSettings,
    Settings,
    VerificationSettings,
)
from appliance.core.result import RunResult
from appliance.engine.reading import choose
from appliance.practice.releases import DOCUMENTATION, releases
from appliance.reports import write_reports
from appliance.store.artifacts import ArtifactStore

OUT = Path("demo-report")
"""Where report and data go; ignored by git."""
_AT_ONCE = 4
"""Procedures under way at the same time, one for each account; they mostly wait for the cloud."""


@click.command("demo")
@click.option("--all", "is_all", is_flag=True, help="Verify every document, also those still true.")
def demo(is_all: bool) -> int:
    """Verify the bundled documentation; 0 when exactly the known untruths are found, 1 when not."""
    release = releases()[-1]
    truth = truth_of(release)
    result = _verify(release, None if is_all else {untruth.document for untruth in truth})
    artifacts = ArtifactStore(OUT / "data" / "artifacts")
    written = write_reports(result, ("html", "json"), OUT, artifacts.get)
    print_run(result, data_console())
    talk(f"\nReport: {written[0].absolute()}")
    differences = list(compare(result, truth))
    if differences:
        talk(f"\n{counted(len(differences), 'difference')} from the known truth of {release}:")
        for difference in differences:
            talk(f"  {difference}")
        return 1
    untrue = counted(sum(not untruth.is_optional for untruth in truth), "sentence")
    talk(f"Release {release} makes {untrue} untrue: each was found at its line, and nothing else.")
    return 0


def _verify(release: str, names: set[str] | None) -> RunResult:
    """Verify the documents of these file names; None: all."""
    settings = Settings(
        data_dir=OUT / "data",
        consoles={"practice": ConsoleSettings(kind="practice", release=release)},
        verification=VerificationSettings(parallel=_AT_ONCE),
        browser=BrowserSettings(pool_size=_AT_ONCE),
    )
    folder = Path(os.path.relpath(DOCUMENTATION))
    paths = [folder] if names is None else [folder / name for name in sorted(names)]
    documents = read_documents(paths, ())
    procedures = choose(documents, ())
    count = counted(len(procedures), "procedure")
    talk(f"The practice cloud at release {release}, {count} of its documentation, no model.")
    with progress(len(procedures)) as subscriber:
        return verify_here(settings, verification_of(settings, documents, procedures), subscriber)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], demo))
