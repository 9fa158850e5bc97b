"""Keeps what the engine tells, as it tells it."""

from collections.abc import Callable
from datetime import UTC, datetime

from appliance import __version__
from appliance.core.events import Event, ProcedureFinished, RunFinished, RunStarted
from appliance.core.result import RunResult
from appliance.store.store import Store


class StoreSubscriber:
    """A subscriber of `core.events`: after a kill, every verdict that was known is in the store."""

    def __init__(self, store: Store, tell: Callable[[Event], None] | None = None) -> None:
        """`tell` is given `FindingOpened` and `FindingClosed` as verdicts bring them about."""
        self._store = store
        self._tell = tell

    def __call__(self, event: Event) -> None:
        """Keep what belongs in the store; the rest is not for it."""
        match event:
            case RunStarted(goes_on=True):
                pass  # what it has is there
            case RunStarted():
                self._store.start_run(event.run or _unknown(event.run_id), event.procedures)
            case ProcedureFinished():
                self._store.save_procedure(event.run_id, event.result)
            case RunFinished():
                self._store.save_run(event.result)


def _unknown(run_id: str) -> RunResult:
    now = datetime.now(UTC)
    return RunResult(
        id=run_id,
        appliance_version=__version__,
        commit="",
        console="",
        policy="",
        started_at=now,
        ended_at=now,
        procedures=(),
    )
