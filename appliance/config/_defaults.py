"""Defaults that people refine name by name, where others are replaced whole."""

from collections.abc import Mapping
from typing import Any

from appliance.config.service_settings import default_schedules

_TIMES = ("cron", "every_minutes")


def with_default_schedules(tree: Mapping[str, Any]) -> dict[str, Any]:  # Any: unvalidated settings
    """The tree, with our schedules under what stands there of the same names."""
    given = tree.get("schedules", {})
    if not isinstance(given, Mapping):
        return dict(tree)
    schedules = dict(given)
    for name, schedule in default_schedules().items():
        ours, theirs = schedule.model_dump(exclude_unset=True), given.get(name, {})
        schedules[name] = _laid_over(ours, theirs) if isinstance(theirs, Mapping) else theirs
    return {**tree, "schedules": schedules}


def _laid_over(
    ours: Mapping[str, Any],  # Any: as above
    theirs: Mapping[str, Any],  # Any: as above
) -> dict[str, Any]:  # Any: as above
    """Another way to say when takes the place of ours."""
    says_when = any(key in theirs for key in _TIMES)
    kept = {key: value for key, value in ours.items() if not (says_when and key in _TIMES)}
    return kept | dict(theirs)
