"""One run against another: what broke, what was mended, what is new."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from litestar import get
from litestar.response import Template

from appliance.engine.problems import UnknownRun
from appliance.server.dashboard.frame import PageRequest, page
from appliance.server.parts import Service, TheService
from appliance.store.comparing import Change, ComparedFinding, ComparedProcedure
from appliance.store.paging import Paging
from appliance.store.queries import RunRow

_CHOICE = Paging(0, 100)
"""Runs to choose from."""
_MAX_PROCEDURES = 200
"""Procedures of each kind of change; of more, only how many they are is said."""
_FINDINGS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedProcedures:
    """The procedures with which the same happened."""

    change: Change
    procedures: Sequence[ComparedProcedure]
    """The first of them."""
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two runs held against each other."""

    first: RunRow
    second: RunRow
    groups: tuple[ChangedProcedures, ...]
    appeared: Mapping[str, Sequence[ComparedFinding]]
    """By procedure."""
    gone: Mapping[str, Sequence[ComparedFinding]]


@get("/runs/compare")
async def compare(request: PageRequest, service: TheService) -> Template:
    """`?first=` and `?second=`; without the first, the one of its kind before the second."""
    run_ids = {name: request.query_params.get(name, "") for name in ("first", "second")}
    runs, compared = await asyncio.to_thread(_compare, service, **run_ids)
    return page(request, service, "runs_compare", at="runs", runs=runs, compared=compared)


def _compare(service: Service, first: str, second: str) -> tuple[Sequence[RunRow], Compared | None]:
    listings, comparison = service.store.listings, service.store.comparison
    runs = [run for run in listings.runs(_CHOICE).items if run.summary.procedures]
    after = _run(service, second) if second else next(iter(runs), None)
    before = _run(service, first) if first else _one_before(after, runs)
    if after is None or before is None:
        return runs, None
    by_change: dict[Change, list[ComparedProcedure]] = {change: [] for change in Change}
    for procedure in comparison.procedures(before.id, after.id):
        by_change[procedure.change].append(procedure)
    groups = tuple(
        ChangedProcedures(
            change=change, procedures=procedures[:_MAX_PROCEDURES], total=len(procedures)
        )
        for change, procedures in by_change.items()
        if procedures
    )
    shown = [procedure.id for group in groups for procedure in group.procedures]
    compared = Compared(
        first=before,
        second=after,
        groups=groups,
        appeared=_by_procedure(comparison.only_in(after.id, before.id, shown, _FINDINGS)),
        gone=_by_procedure(comparison.only_in(before.id, after.id, shown, _FINDINGS)),
    )
    return runs, compared


def _run(service: Service, run_id: str) -> RunRow:
    run = service.store.listings.run(run_id)
    if run is None:
        raise UnknownRun(run_id)
    return run


def _one_before(run: RunRow | None, runs: Iterable[RunRow]) -> RunRow | None:
    """The newest of the same kind on the same console that began before it."""
    if run is None:
        return None
    like = (
        candidate
        for candidate in runs
        if (candidate.console, candidate.kind) == (run.console, run.kind)
    )
    return next((one for one in like if one.started_at < run.started_at), None)


def _by_procedure(
    findings: Iterable[ComparedFinding],
) -> Mapping[str, Sequence[ComparedFinding]]:
    grouped: defaultdict[str, list[ComparedFinding]] = defaultdict(list)
    for finding in findings:
        grouped[finding.procedure_id].append(finding)
    return dict(grouped)


HANDLERS = (compare,)
