"""Trainings in phases as data, for programs and pages."""

from collections import Counter
from collections.abc import Sequence

from appliance.core.jsonable import Json
from appliance.training.phases.record import Estimate, MadeTask, Series


def series_facts(series: Series) -> dict[str, Json]:
    """All that is known of it."""
    phases: list[Json] = [
        phase.model_dump(mode="json")
        | {
            "stage": phase.stage.value if phase.stage else None,
            "left_out": dict(reasons(phase.made)),
            "told": {
                name: share
                for name, share in (
                    ("seeds", mean_share([*phase.estimates.values()])),
                    ("kept", mean_share([m.estimate for m in phase.made if not m.left_out])),
                )
                if share is not None
            },
        }
        for phase in series.phases()
    ]
    return {
        "id": series.file.id,
        "folder": str(series.folder),
        "asked": series.file.model_dump(mode="json"),
        "is_over": series.is_over,
        "phases": phases,
    }


def reasons(tasks_made: Sequence[MadeTask]) -> Counter[str]:
    """Why tasks were left out, how often."""
    return Counter(reason(task) for task in tasks_made if task.left_out)


def reason(task: MadeTask) -> str:
    """The reason without what names one task."""
    text = task.left_out.partition(":")[0]
    return text.partition(" as ")[0] if text.startswith("nearly") else text


def mean_share(measured: Sequence[Estimate | None]) -> float | None:
    """Of attempts that were right, over tasks; None: none was measured."""
    shares = [
        measurement.share
        for measurement in measured
        if measurement and measurement.share is not None
    ]
    return sum(shares) / len(shares) if shares else None
