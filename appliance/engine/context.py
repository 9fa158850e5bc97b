"""What the parts of an engine have in common, and the context that a run gets from it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from appliance.browser import BrowserPool
from appliance.config import ConsoleSettings, Settings
from appliance.consoles import Console
from appliance.core.clock import Clock
from appliance.core.events import Events
from appliance.core.people import People
from appliance.engine.planner import Planner, Selection
from appliance.environment.janitor import Reaped
from appliance.environment.lifecycle import OpenConsole
from appliance.environment.obstacles import Space
from appliance.inference.client import ModelClient
from appliance.policy.base import Policy, Task
from appliance.store.store import Store
from appliance.store.sweeps import SweepRow
from appliance.verification import BrowserSeat, Confidence, LocalSeats, RunContext, Seats


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineContext:
    """One process that verifies."""

    settings: Settings
    """With the endpoint of a policy server that was started for it."""
    store: Store
    events: Events
    clock: Clock
    pool: BrowserPool
    elsewhere: Seats | None
    """Browsers on other machines; None: this one's are used."""
    people: People
    planner: Planner
    space: Space
    model: ModelClient | None
    wait_for_model: Callable[[], Awaitable[str]]
    serve_promoted: Callable[[Settings], Awaitable[Settings]]
    """The settings of a run, with the adapter that was promoted last."""
    on_reaped: Callable[[Reaped], None]
    """Told what the janitor did in a console that was opened."""
    started: frozenset[str]
    """Consoles that were started for this process: nothing of them stays."""
    baseline: Callable[[Task, ConsoleSettings], Policy] | None = None
    """See `RunContext`."""

    def _seats(self, console: Console) -> Seats:
        """A policy of a benchmark's own cannot be sent anywhere: it stays here."""
        if self.elsewhere is not None and self.baseline is None:
            return self.elsewhere
        seat = BrowserSeat(
            console=console,
            pool=self.pool,
            clock=self.clock,
            model=self.model,
            baseline=self.baseline,
        )
        return LocalSeats(seat)

    def for_run(self, selection: Selection, row: SweepRow, opened: OpenConsole) -> RunContext:
        """The context of a run in an open console."""
        is_urgent, is_benchmark = row.kind == "verification", row.kind == "benchmark"
        wish = selection.request.tries_patches
        when = selection.settings.verification.try_patches
        is_usual = when == "always" or (when == "sweeps" and not is_urgent)
        return RunContext(
            run_id=row.id,
            policy=selection.request.policy,
            values=selection.request.values,
            settings=selection.settings,
            console=opened.console,
            environment=opened.environment_of(row.id, is_urgent=is_urgent),
            seats=self._seats(opened.console),
            store=self.store,
            events=self.events,
            clock=self.clock,
            model=self.model,
            wait_for_model=self.wait_for_model,
            people=self.people,
            documents=selection.documents,
            procedure=selection.texts.procedure,
            tries_patches=is_usual if wish is None else wish,
            most_attempts=1 if is_benchmark and not selection.request.confirms else 2,
            baseline=self.baseline,
            confidence=Confidence.of(
                selection.settings.findings.precision,
                selection.settings.data_dir,
                self.store.incidents.opinions(opened.console.name),
            ),
        )
