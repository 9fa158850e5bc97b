"""How often the same task goes the same way: trajectories and verdicts of many repeats."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from appliance.core.actions import ActionKind
from appliance.core.resources import MARKER
from appliance.core.result import ArtifactRef, ProcedureResult

_COMPARED_KEYS = ("step", "action", "on", "text", "ok", "error", "reports", "divergences")
"""What makes two turns the same; pictures, addresses and notices hold times and ids."""
_RESOURCE_ID = re.compile(r"\b[a-z]{1,5}-[0-9a-f]{8,}\b")
"""An id of the practice cloud."""
_UPLOAD_FOLDER = re.compile(r'/[^"\s]*/appliance-[^/"\s]+/')
"""The folder of a run's own files to upload."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """One task, many times."""

    procedure: str
    times: int
    same_way: int
    """How many went the most frequent way, turn by turn."""
    same_way_but_waits: int
    """The same where turns that only wait do not count: they depend on the machine's load."""
    same_verdict: int
    verdicts: tuple[tuple[str, int], ...]


def repeats(
    results: Iterable[ProcedureResult], read: Callable[[ArtifactRef], bytes]
) -> tuple[Repeats, ...]:
    """Group results by procedure and count those that are alike.

    Args:
        results: Of all repeats.
        read: Gives the bytes of a trajectory.
    """
    by_id: dict[str, list[ProcedureResult]] = {}
    for result in results:
        by_id.setdefault(result.id, []).append(result)
    return tuple(_count_repeats(name, group, read) for name, group in by_id.items())


def _count_repeats(
    name: str, group: Sequence[ProcedureResult], read: Callable[[ArtifactRef], bytes]
) -> Repeats:
    texts = [read(result.trajectory).decode() if result.trajectory else "" for result in group]
    verdicts = Counter(result.verdict.value for result in group)
    return Repeats(
        procedure=name,
        times=len(group),
        same_way=_size_of_largest_class(fingerprint(text) for text in texts),
        same_way_but_waits=_size_of_largest_class(
            fingerprint(text, with_waits=False) for text in texts
        ),
        same_verdict=max(verdicts.values()),
        verdicts=tuple(sorted(verdicts.items())),
    )


def fingerprint(lines: str, *, with_waits: bool = True) -> str:
    """Equal for trajectories that differ in nothing but markers, ids and times.

    Args:
        lines: A trajectory as `Trajectory.as_json_lines` writes it.
        with_waits: Whether turns that only wait count.
    """
    turns = [json.loads(line) for line in lines.splitlines()]
    kept = [t for t in turns if with_waits or t["action"] != ActionKind.WAIT.value]
    canonical = json.dumps(
        [[turn[key] for key in _COMPARED_KEYS] for turn in kept], ensure_ascii=False
    )
    normalised = _UPLOAD_FOLDER.sub(
        "FOLDER/", _RESOURCE_ID.sub("ID", MARKER.sub("MARKER", canonical))
    )
    return hashlib.sha256(normalised.encode()).hexdigest()


def _size_of_largest_class(values: Iterable[str]) -> int:
    return Counter(values).most_common(1)[0][1]
