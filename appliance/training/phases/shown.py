"""Trainings in phases as data, for programs and pages."""

from collections import Counter
from collections.abc import Sequence

from appliance.core.jsonable import Json
from appliance.training.phases.record import Estimate, MadeTask, Series


def series_facts(series: Series) -> dict[str, Json]:
    """All that is known of it."""
    phases: list[Json] = [
        one.model_dump(mode="json")
        | {
            "stage": one.stage.value if one.stage else None,
            "left_out": dict(reasons(one.made)),
            "told": {
                name: share
                for name, share in (
                    ("seeds", mean_share([*one.estimates.values()])),
                    ("kept", mean_share([m.estimate for m in one.made if not m.left_out])),
                )
                if share is not None
            },
        }
        for one in series.phases()
    ]
    return {
        "id": series.file.id,
        "folder": str(series.folder),
        "asked": series.file.model_dump(mode="json"),
        "is_over": series.is_over,
        "phases": phases,
    }


def reasons(made: Sequence[MadeTask]) -> Counter[str]:
    """Why tasks were left out, how often."""
    return Counter(reason(one) for one in made if one.left_out)


def reason(made: MadeTask) -> str:
    """The reason without what names one task."""
    text = made.left_out.partition(":")[0]
    return text.partition(" as ")[0] if text.startswith("nearly") else text


def mean_share(measured: Sequence[Estimate | None]) -> float | None:
    """Of attempts that were right, over tasks; None: none was measured."""
    shares = [one.share for one in measured if one and one.share is not None]
    return sum(shares) / len(shares) if shares else None
