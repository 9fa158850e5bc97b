"""Lists for pages and REST: a page of each, quick while a sweep writes."""

from datetime import datetime, timedelta

from appliance.core.result import ProcedureResult
from appliance.core.verdict import Verdict
from appliance.store._queries import RunRow
from appliance.store._session import Session
from appliance.store.paging import Paged, Paging
from appliance.store.states import (
    Coverage,
    DocumentState,
    PastVerdict,
    ProcedureState,
    TrendDay,
)
from appliance.store.sweeps import ItemRow, ItemState


class Listings:
    """What is read from the store for a screen. Nothing here writes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def runs(
        self,
        paging: Paging,
        *,
        console: str | None = None,
        kind: str | None = None,
        state: str | None = None,
    ) -> Paged[RunRow]:
        """Runs and what waits to become one, newest first."""
        raise NotImplementedError

    def procedures(
        self,
        paging: Paging,
        *,
        console: str,
        verdict: Verdict | None = None,
        document: str | None = None,
        query: str | None = None,
        is_stale: bool | None = None,
        now: datetime,
        stale_after: timedelta,
    ) -> Paged[ProcedureState]:
        """Procedures with a verdict, in the order of the documentation."""
        raise NotImplementedError

    def procedure(
        self,
        console: str,
        procedure_id: str,
        *,
        now: datetime | None = None,
        stale_after: timedelta | None = None,
    ) -> ProcedureState | None:
        """One procedure's last verdict; never stale where it is not said when that begins."""
        raise NotImplementedError

    def history(self, console: str, procedure_id: str, limit: int = 50) -> tuple[PastVerdict, ...]:
        """Its verdicts, newest first."""
        raise NotImplementedError

    def result(self, run_id: str, procedure_id: str) -> ProcedureResult | None:
        """One verdict with its steps, findings and evidence."""
        raise NotImplementedError

    def documents(self, paging: Paging, *, console: str) -> Paged[DocumentState]:
        """Documents whose procedures have verdicts, by path."""
        raise NotImplementedError

    def coverage(self, console: str, *, now: datetime, stale_after: timedelta) -> Coverage:
        """Counts over the last verdicts."""
        raise NotImplementedError

    def trend(self, console: str, *, days: int, now: datetime) -> tuple[TrendDay, ...]:
        """The last days, oldest first, today included; a day without verdicts is there too."""
        raise NotImplementedError

    def items(
        self, sweep_id: str, paging: Paging, *, state: ItemState | None = None
    ) -> Paged[ItemRow]:
        """A sweep's procedures, in the order in which they are begun."""
        raise NotImplementedError
