"""Tasks in which the right answer is to report: later releases, and drift that is drawn."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from appliance.benchmark.drafts import as_written
from appliance.benchmark.drift.draw import Drawer, write_drawn
from appliance.benchmark.suite import Task
from appliance.benchmark.truth import Untruth, truth_of
from appliance.core.procedure import Document, Procedure
from appliance.practice.releases import releases
from appliance.training.phases.candidates import Candidate
from appliance.training.phases.from_documents import Library

_CHANGES = 6
"""Of a drift file."""


def from_releases(task: Task, library: Library) -> Iterator[Candidate]:
    """The same text on later releases: what became untrue there is to be reported, nothing else."""
    known_releases = releases()
    base = task.release.partition("+")[0]
    for ref in library.of(task):
        document, procedure = library.read[ref]
        for release in known_releases[known_releases.index(base) + 1 :]:
            yield Candidate(
                how="release",
                made_from=(task.id,),
                release=release,
                product=task.product,
                draft=as_written(document, procedure),
                is_untrue=bool(_untruths_in(truth_of(release), document, procedure)),
            )


def from_drift(
    tasks: Sequence[Task], library: Library, folder: Path, seeds: Sequence[int]
) -> Iterator[Candidate]:
    """The texts of tasks on practice clouds that have drifted otherwise each time.

    Args:
        tasks: Only what drift makes untrue in these becomes a task.
        library: What drift is drawn for: never what is held out.
        folder: Where drift files and what they make untrue are written.
        seeds: A drift file for each.
    """
    release = releases()[0]
    drawer = Drawer(library.documents, release)
    for seed in seeds:
        drift = drawer.draw(seed, _CHANGES)
        files = write_drawn(drift, folder)
        for task in tasks:
            for ref in library.of(task):
                document, procedure = library.read[ref]
                untrue = _untruths_in(drift.untruths, document, procedure)
                if untrue:
                    yield Candidate(
                        how="drift",
                        made_from=(task.id,),
                        release=f"{release}+{files.drift.stem}",
                        product=task.product,
                        draft=as_written(document, procedure),
                        is_untrue=True,
                        drift=files.drift,
                        note="; ".join(one.note for one in untrue),
                    )


def _untruths_in(
    truth: Sequence[Untruth], document: Document, procedure: Procedure
) -> list[Untruth]:
    """What must be found in a procedure."""
    name, span = Path(document.path).name, procedure.span
    return [
        untruth
        for untruth in truth
        if untruth.document == name
        and span.line <= untruth.line <= span.end_line
        and not untruth.is_optional
    ]
