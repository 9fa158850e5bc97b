"""An unchanged night: the same documents in the same console twice, the second time by replay."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.cli._local import verification_of, verify_here
from appliance.cli._options import read_documents
from appliance.config import ConsoleSettings, Settings, load_settings
from appliance.core.result import RunResult
from appliance.core.verdict import PolicyChoice, PolicyName, Verdict
from appliance.engine.reading import choose
from appliance.practice.releases import DOCUMENTATION, releases

_DOCUMENTS = ("buckets", "databases", "dns", "keys-and-images", "lifecycle", "networks")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnchangedNight:
    """One of the two."""

    wall_s: float
    """From its beginning to its last verdict."""
    attempts_s: float
    """All procedures, one after the other."""
    browser_s: float
    """Of that, between the first and the last decision of attempts."""
    replayed: int
    verified: int
    model_calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnchangedFigures:
    """Both, and what the machine was like."""

    procedures: int
    at_a_time: int
    load: float
    """Of the machine in the minute before."""
    nights: tuple[UnchangedNight, UnchangedNight]
    lost: tuple[str, ...]
    """Procedures that were verified in the first night and are not in the second: there is to be
    none."""


def measure_unchanged(
    folder: Path, config: Path | None = None, documents: Sequence[Path] = ()
) -> UnchangedFigures:
    """Carry the documents out twice, with a store of their own.

    Args:
        folder: For the store, empty.
        config: Settings with a console; None: a practice cloud of the release that the bundled
            documentation was written for.
        documents: What to verify; empty: some of the bundled ones.
    """
    data = folder / "data"
    if config is None:
        practice = ConsoleSettings(kind="practice", release=releases()[0])
        settings = Settings(data_dir=data, consoles={"practice": practice})
    else:
        settings = load_settings(config, os.environ, {"data_dir": data})
    load, read = os.getloadavg()[0], read_documents(list(documents or _bundled()), ())
    request = verification_of(settings, read, choose(read, ()), PolicyChoice.AUTO)
    first, second = verify_here(settings, request), verify_here(settings, request)
    return UnchangedFigures(
        procedures=len(first.procedures),
        at_a_time=settings.verification.parallel,
        load=round(load, 1),
        nights=(_night(first), _night(second)),
        lost=tuple(sorted(_verified(first) - _verified(second))),
    )


def _bundled() -> Iterator[Path]:
    for file in sorted(DOCUMENTATION.iterdir()):
        if file.name.split(".")[0] in _DOCUMENTS and file.suffix in (".md", ".rst", ".html"):
            yield file


def _verified(run: RunResult) -> set[str]:
    return {p.id for p in run.procedures if p.verdict is Verdict.VERIFIED}


def _night(run: RunResult) -> UnchangedNight:
    return UnchangedNight(
        wall_s=round((run.ended_at - run.started_at).total_seconds(), 1),
        attempts_s=round(sum(p.cost.wall_s for p in run.procedures), 1),
        browser_s=round(sum(p.cost.browser_s for p in run.procedures), 1),
        replayed=sum(p.decided_by == PolicyName.REPLAY for p in run.procedures),
        verified=len(_verified(run)),
        model_calls=sum(p.cost.model_calls for p in run.procedures),
    )


def lines(figures: UnchangedFigures) -> Iterator[str]:
    """The figures for people."""
    first, second = figures.nights
    yield (
        f"{figures.procedures} procedures twice, {figures.at_a_time} at a time; load of the"
        f" machine before: {figures.load}"
    )
    for name, night in (("first", first), ("second", second)):
        yield (
            f"  {name:6} night {night.wall_s:7} s, procedures {night.attempts_s:7} s, of which"
            f" acting {night.browser_s:7} s; {night.verified} verified, {night.replayed} replayed,"
            f" {night.model_calls} questions to models"
        )
    yield (
        f"  the second is {first.wall_s / second.wall_s:.2f} times as fast,"
        f" acting {first.browser_s / second.browser_s:.2f} times"
    )
    yield from (f"  no longer verified: {procedure}" for procedure in figures.lost)
