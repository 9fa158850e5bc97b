"""Numbers of the engine that are looked up whenever somebody asks for the metrics."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from appliance.core.causes import CauseKind
from appliance.core.errors import ApplianceError
from appliance.engine.engine import Engine
from appliance.environment.account_rows import Standing
from appliance.store.info import queue_lengths
from appliance.store.sweeps import SweepState
from appliance.telemetry.metrics import Measurement, Metrics


def watch_engine(metrics: Metrics, engine: Engine) -> None:
    """Tell of accounts, of what waits, and of what does not work."""
    metrics.watch(lambda: _accounts(engine))
    metrics.watch(lambda: _queues(engine))
    metrics.watch(lambda: _readiness(engine))
    metrics.watch(lambda: _disk(engine))
    metrics.watch(lambda: _keys(engine))


def _accounts(engine: Engine) -> Iterator[Measurement]:
    for console in engine.settings.consoles:
        with suppress(ApplianceError):  # it is not open yet
            counts = Counter(row.standing for row in engine.clouds.accounts(console))
            for standing in Standing:
                labels = (("console", console), ("standing", standing.value))
                yield Measurement("accounts", "Accounts by standing.", counts[standing], labels)


def _queues(engine: Engine) -> Iterator[Measurement]:
    names = {
        "runs": ("runs_unfinished", "Runs that are not over."),
        "findings": ("findings", "Findings by state, one for each root cause."),
        "webhooks": ("webhooks_pending", "Messages that are not delivered."),
    }
    for (what, state), count in queue_lengths(engine.store.session).items():
        yield Measurement(*names[what], count, (("state", state),))
    rows = [row for row in engine.store.sweeps.unfinished() if row.state is SweepState.PAUSED]
    paused = Counter(row.paused_for or CauseKind.BY_HAND for row in rows)
    for cause in CauseKind:
        labels = (("cause", cause.value),)
        yield Measurement("runs_paused", "Runs that are paused, by why.", paused[cause], labels)


def _keys(engine: Engine) -> Iterator[Measurement]:
    now = engine.clock.now()
    rows = [row for row in engine.store.keys.all() if row.revoked_at is None]
    counts = Counter(
        "expired" if row.has_expired(now) else "expiring" if row.ends_soon(now) else "good"
        for row in rows
        if not (row.replaced_by and row.has_expired(now))
    )
    for state in ("good", "expiring", "expired"):
        labels = (("state", state),)
        yield Measurement("keys", "Keys that are not revoked.", counts[state], labels)


def _disk(engine: Engine) -> Iterator[Measurement]:
    for place in engine.space.places():
        labels = (("place", place.name),)
        yield Measurement("disk_free_bytes", "Free where things are written.", place.free, labels)


def _readiness(engine: Engine) -> Iterator[Measurement]:
    yield Measurement("questions_open", "People are waited for.", len(engine.people.waiting()))
    yield Measurement("not_ready", "What does not work now.", len(engine.problems()))
    size = engine.settings.browser.pool_size
    yield Measurement("browser_pages", "Pages that may be open at a time.", size)
