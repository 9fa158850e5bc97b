"""What somebody wants to know in the morning: read at once, from the store and the process."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from appliance.core.errors import ApplianceError
from appliance.engine.live import LiveRun
from appliance.engine.problems import NotReady
from appliance.engine.schedules.state import ScheduleState
from appliance.environment.account_rows import Standing
from appliance.server.parts import Service
from appliance.store.incident import Confirmation, Incident, IncidentFilter, IncidentState
from appliance.store.outbox import DeliveryState
from appliance.store.paging import Paging
from appliance.store.queries import RunRow
from appliance.store.schedules import ScheduleOutcome
from appliance.store.states import Coverage
from appliance.store.sweeps import SweepState

_FINDINGS = 6
"""Shown of those that wait for a person."""
_ONE = Paging(limit=1)


@dataclass(frozen=True, slots=True)
class Concern:
    """Something that a person should look at."""

    key: str
    """Of the catalogue, below `attention.`; its link is called `attention.KEY.do`."""
    tone: str
    """`bad`, `warn`, `busy` or `idle`."""
    href: str
    n: int | None = None
    name: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class DocumentationTotals:
    """What the documentation has, whether it was ever verified or not."""

    never: int = 0
    """Procedures without any verdict."""
    untestable: int = 0
    """Their checks say that they cannot be verified."""
    problem: str = ""
    """Why it cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleOverview:
    """What the overview page shows of one console."""

    coverage: Coverage
    documented: DocumentationTotals
    confirmation: Confirmation
    last: RunRow | None
    """The last sweep."""
    next_at: datetime | None
    """When the next one begins."""
    has_run: bool
    """Whether anything was ever verified, or asked for."""
    running: tuple[LiveRun, ...]
    findings: tuple[Incident, ...]
    """The first of those that are open."""
    open_findings: int
    concerns: tuple[Concern, ...]

    @property
    def procedures(self) -> int:
        """Of which everything on the page is a part: those with a verdict, and those without.

        What somebody handed in to try it counts in none of the figures: it is not the
        documentation. It stands on the page of its run.
        """
        return self.coverage.procedures + self.documented.never


def read_morning(service: Service, console: str, problems: tuple[NotReady, ...]) -> ConsoleOverview:
    """Read the overview from the store. Blocks."""
    store, now = service.store, service.engine.clock.now()
    coverage = store.listings.coverage(console, now=now, stale_after=service.stale_after)
    sweeps = store.listings.runs(_ONE, console=console, kind="sweep")
    opened = IncidentFilter(console=console, state=IncidentState.OPEN)
    waiting = store.incidents.page(Paging(limit=_FINDINGS), opened)
    confirmed = store.incidents.counts(opened).get(IncidentState.CONFIRMED, 0)
    documented = _documentation_totals(service, console)
    schedules = service.scheduler.list()
    concerns = (
        *(
            Concern(
                "not_ready", "bad", "/accounts", name=account_problem.name, why=account_problem.why
            )
            for account_problem in problems
        ),
        *_of_operation(service, console, schedules),
        *_of_documents(coverage, documented),
    )
    if confirmed:
        concerns = (
            Concern("confirmed", "bad", "/findings?state=confirmed", confirmed),
            *concerns,
        )
    return ConsoleOverview(
        coverage=coverage,
        documented=documented,
        confirmation=store.incidents.confirmation(console),
        last=sweeps.items[0] if sweeps.items else None,
        next_at=_next_sweep(service, console, schedules),
        has_run=bool(sweeps.items or store.listings.runs(_ONE, console=console).items),
        running=service.engine.live.now().runs,
        findings=waiting.items,
        open_findings=waiting.total,
        concerns=concerns,
    )


def _documentation_totals(service: Service, console: str) -> DocumentationTotals:
    try:
        documents = service.engine.documents()
    except ApplianceError as problem:
        return DocumentationTotals(problem=str(problem))
    ids = {procedure.id for document in documents for procedure in document.procedures}
    return DocumentationTotals(
        never=len(ids - service.store.listings.verified(console)),
        untestable=sum(p.is_skipped for document in documents for p in document.procedures),
    )


def _of_documents(coverage: Coverage, documented: DocumentationTotals) -> Iterator[Concern]:
    if documented.problem:
        yield Concern("unreadable", "bad", "/documents", why=documented.problem)
    for verdict, tone in (("blocked", "warn"), ("undecided", "warn")):
        if number := getattr(coverage, verdict):
            yield Concern(verdict, tone, f"/procedures?verdict={verdict}", n=number)
    if coverage.stale:
        yield Concern("stale", "idle", "/procedures?stale=1", n=coverage.stale)


def _of_operation(
    service: Service, console: str, schedules: Sequence[ScheduleState]
) -> Iterator[Concern]:
    for row in service.engine.clouds.accounts(console):
        if row.standing is Standing.QUARANTINED:
            yield Concern(
                "quarantined", "bad", "/accounts", name=row.name, why=row.quarantine_reason
            )
    for schedule in schedules:
        failed = schedule.last_outcome is ScheduleOutcome.FAILED
        if why := schedule.problem or (schedule.last_why if failed else ""):
            yield Concern("schedule", "bad", "/schedules", name=schedule.name, why=why)
    for run in service.store.sweeps.unfinished():
        if run.console == console and run.state is SweepState.PAUSED:
            key = "paused" if run.is_held else f"paused.{run.paused_for}"
            yield Concern(key, "warn", f"/runs/{run.id}", name=run.id, why=run.why)
    dead = service.webhooks.deliveries(_ONE, state=DeliveryState.DEAD)
    if dead.total:
        yield Concern("dead_letters", "warn", "/webhooks?state=dead", n=dead.total)


def _next_sweep(
    service: Service, console: str, schedules: Sequence[ScheduleState]
) -> datetime | None:
    default = service.settings.console
    due = [
        schedule.next_at
        for schedule in schedules
        if schedule.job == "sweep" and (schedule.console or default) == console and schedule.next_at
    ]
    return min(due, default=None)
