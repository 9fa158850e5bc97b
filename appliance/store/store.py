"""The results store: one DuckDB file, one writing process, every verdict kept at once."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import duckdb

from appliance.core.errors import StoreError
from appliance.core.result import ProcedureResult, RunResult
from appliance.store import queries
from appliance.store.accounts import AccountTables
from appliance.store.activity import ActivityTable
from appliance.store.artifacts import ArtifactStore
from appliance.store.attempts import AttemptTables, HarmfulActionTable
from appliance.store.audit_events import AuditEventTable
from appliance.store.candidates import CandidateTable
from appliance.store.changes import Changes
from appliance.store.claim_answers import ClaimAnswerTable
from appliance.store.comparing import RunComparison
from appliance.store.connection import explain_folder_errors
from appliance.store.demonstrations import DemonstrationTable
from appliance.store.idempotency import AnswerTable
from appliance.store.incident import IncidentChanges
from appliance.store.incidents import IncidentTables
from appliance.store.keys import KeyTable, LoginTable
from appliance.store.labels import LabelTable
from appliance.store.listings import Listings
from appliance.store.outbox import Outbox
from appliance.store.paging import Where
from appliance.store.pending import PendingTable
from appliance.store.privacy import keep_private
from appliance.store.queries import StoredFinding
from appliance.store.questions import QuestionTable
from appliance.store.recipes import RecipeTable
from appliance.store.rows import Rows, add_documents, add_procedure, clean, row_types, run_row
from appliance.store.schedules import ScheduleTables
from appliance.store.session import Session
from appliance.store.settings_seen import SettingsSeenTable
from appliance.store.shared import SharedTable
from appliance.store.sweeps import SweepTables
from appliance.store.times import as_stored
from appliance.store.upkeep import SavedVerdict, Upkeep

FILE_NAME = "store.duckdb"


class Store:
    """Runs, verdicts, findings. Calls block: an asyncio program makes them `to_thread`."""

    def __init__(self, session: Session) -> None:
        self.path = session.path
        self.session = session
        self.artifacts = ArtifactStore(session.path.parent / "artifacts")
        self.accounts = AccountTables(session)
        self.activity = ActivityTable(session)
        self.answers = AnswerTable(session)
        self.attempts = AttemptTables(session)
        self.audit_events = AuditEventTable(session)
        self.candidates = CandidateTable(session)
        self.claim_answers = ClaimAnswerTable(session)
        self.comparison = RunComparison(session)
        self.demonstrations = DemonstrationTable(session)
        self.harmful_actions = HarmfulActionTable(session)
        self.changes = Changes(session)
        self.incidents = IncidentTables(session)
        self.keys = KeyTable(session)
        self.labels = LabelTable(session)
        self.listings = Listings(session)
        self.logins = LoginTable(session)
        self.outbox = Outbox(session)
        self.questions = QuestionTable(session)
        self.pending = PendingTable(session)
        self.recipes = RecipeTable(session)
        self.schedules = ScheduleTables(session)
        self.settings_seen = SettingsSeenTable(session)
        self.shared = SharedTable(session)
        self.sweeps = SweepTables(session)
        self._noted: dict[str, dict[str, int]] = {}
        # Of each run under way: hashes of the verdicts that were kept, to tell the same one again.
        with session.reading("reading its tables") as connection:
            self._row_types = row_types(connection)

    @classmethod
    def open(cls, data_dir: Path) -> Self:
        """The store of that data folder, made or brought up to date; `StoreError` says why not."""
        with explain_folder_errors(data_dir / FILE_NAME):
            keep_private(data_dir)
        return cls(Session.open(data_dir / FILE_NAME))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is buffered and release the file."""
        self.session.close()

    def start_run(self, run: RunResult, planned: int) -> None:
        """Keep what is known of a run at its start: it counts as unfinished until `save_run`."""
        with self.session.transaction("starting a run") as connection:
            queries.forget_run(connection, run.id)
            queries.forget_procedures(connection, run.id, queries.kept(connection, run.id))
            self._write_header(connection, run, planned, is_finished=False)
        self.listings.counted.forget(run.id)

    def save_procedure(self, run_id: str, result: ProcedureResult) -> IncidentChanges:
        """Keep one verdict, in place of an earlier one on the same procedure in the same run.

        What it opens and closes is kept with it: both or neither.
        """
        return self.save_procedures(run_id, [result])

    def save_procedures(self, run_id: str, results: Sequence[ProcedureResult]) -> IncidentChanges:
        """Keep several verdicts at once, a procedure's last one each: all or none."""
        last = {clean(result.id): result for result in results}
        now = datetime.now(UTC)
        with self.session.transaction("saving a procedure") as connection:
            kept_rows = queries.kept(connection, run_id, last)
            queries.forget_procedures(connection, run_id, kept_rows)
            free = queries.free_position(connection, run_id)
            rows = Rows(self._row_types)
            for id, result in last.items():
                if id in kept_rows:
                    add_procedure(rows, run_id, kept_rows[id].position, result, now)
                else:
                    add_procedure(rows, run_id, free, result, now)
                    free += 1
            rows.write(connection)
            changes = self._take_in(
                connection, run_id, [SavedVerdict(verdict, now) for verdict in last.values()]
            )
        self.listings.counted.forget(run_id)
        self._note(run_id, last)
        return changes

    def end_run(self, run_id: str, at: datetime | None = None) -> None:
        """A run has all its verdicts. They stand in the order in which they were planned.

        Args:
            run_id: The run.
            at: When it ended; None: with its last verdict.
        """
        with self.session.transaction("ending a run") as connection:
            queries.end_run(connection, run_id, as_stored(at) if at else None)
        self.listings.counted.forget(run_id)
        self._noted.pop(run_id, None)

    def save_run(self, run: RunResult) -> IncidentChanges:
        """Keep a finished run, in the order of its report, in place of what was kept under way.

        Verdicts that are kept as they are stay where they are: the end of a long sweep is short.
        """
        noted = self._noted.get(run.id, {})
        with self.session.transaction("saving a run") as connection:
            planned = queries.planned(connection, run.id)
            kept_rows = queries.kept(connection, run.id)
            queries.forget_run(connection, run.id)
            self._write_header(connection, run, max(planned, len(run.procedures)), is_finished=True)
            same, rows, new = {}, Rows(self._row_types), []
            for position, result in enumerate(run.procedures):
                id = clean(result.id)
                if id in kept_rows and noted.get(id) == hash(result):
                    same[id] = position
                    continue
                at = kept_rows[id].saved_at if id in kept_rows else run.ended_at
                add_procedure(rows, run.id, position, result, at)
                new.append(SavedVerdict(result, at))
            queries.forget_procedures(connection, run.id, kept_rows.keys() - same.keys())
            queries.place(connection, run.id, same)
            rows.write(connection)
            changes = self._take_in(connection, run.id, new)
        self.listings.counted.forget(run.id)
        self._noted.pop(run.id, None)
        return changes

    def load_run(self, run_id: str) -> RunResult:
        """A run with all that is kept of it; an unfinished one ends with its last verdict."""
        with self.session.reading("reading a run") as connection:
            run = queries.load_run(connection, run_id)
        if run is None:
            raise StoreError(f"The store {self.path} has no run {run_id!r}.")
        return run

    def began(self, run_id: str) -> datetime | None:
        """When that run began; None where the store has no such run."""
        with self.session.reading("looking for a run") as connection:
            return queries.began(connection, run_id)

    def findings(
        self,
        *,
        run_id: str | None = None,
        document: str | None = None,
        fingerprint: str | None = None,
        limit: int = 1000,
    ) -> tuple[StoredFinding, ...]:
        """Findings, newest run first, then in the order of the documentation."""
        where = Where().equal(run_id=run_id, document=document, fingerprint=fingerprint)
        with self.session.reading("listing findings") as connection:
            return queries.findings(connection, where, limit)

    def known_fingerprints(self, console: str, *, besides: str | None = None) -> frozenset[str]:
        """Fingerprints of all findings on a console, those of the run `besides` left out."""
        with self.session.reading("reading fingerprints") as connection:
            return queries.known_fingerprints(connection, console, besides)

    def _take_in(
        self, connection: duckdb.DuckDBPyConnection, run_id: str, saved: Sequence[SavedVerdict]
    ) -> IncidentChanges:
        console = queries.console(connection, run_id)
        if console is None or not saved:
            return IncidentChanges()
        return Upkeep(connection, self._row_types, console, run_id).apply(saved)

    def _note(self, run_id: str, results: Mapping[str, ProcedureResult]) -> None:
        noted = self._noted.setdefault(run_id, {})
        noted |= {id: hash(result) for id, result in results.items()}

    def _write_header(
        self,
        connection: duckdb.DuckDBPyConnection,
        run: RunResult,
        planned: int,
        *,
        is_finished: bool,
    ) -> None:
        rows = Rows(self._row_types)
        rows.add("runs", run_row(run, planned, is_finished=is_finished))
        add_documents(rows, run)
        rows.write(connection)
