"""Plan requests as runs in the store, and read what a run is about. Everything here blocks."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from appliance.config import Settings, SweepSettings
from appliance.core.clock import Clock
from appliance.core.errors import ApplianceError, SetupError
from appliance.core.jsonable import json_object
from appliance.core.procedure import Document, Procedure
from appliance.documents import DocumentOutline, ProcedureOutline, documents_in
from appliance.engine.documentation import Documentation
from appliance.engine.night import Accounts, deadline_after, time_until
from appliance.engine.packing import NO_LIMIT
from appliance.engine.plan import Due, History, Plan, Planning, all_due, make_plan
from appliance.engine.problems import NothingToDo
from appliance.engine.queue import leave_unreached, new_run_id, unfinished
from appliance.engine.reading import checked, choose, with_candidates
from appliance.engine.request import RunKind, RunRequest, StoredRequest
from appliance.engine.shared_needs import SharedNeeds
from appliance.engine.texts import Texts
from appliance.engine.uploads import forget_uploads, keep_uploads
from appliance.store.store import Store
from appliance.store.sweeps import SweepRow, SweepState
from appliance.verification import asks_model, check_policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a request names, read."""

    settings: Settings
    """With the request's console as the default one."""
    request: StoredRequest
    documents: tuple[DocumentOutline, ...]
    procedures: tuple[ProcedureOutline, ...]
    texts: Texts
    """The same whole, one at a time."""


class Kept(NamedTuple):
    """A run that is in the store."""

    row: SweepRow
    plan: Plan | None = None
    """None: it was there before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans runs and keeps them in the store."""

    settings: Settings
    store: Store | None
    """None: there are no earlier results, and nothing can be kept."""
    documentation: Documentation
    clock: Clock

    def plan(self, request: RunRequest) -> Plan:
        """Plan a sweep without storing it.

        Raises:
            SetupError: The request is wrong: no such console, document or procedure.
        """
        return self._plan(request, self.select(request))

    def select(self, request: RunRequest) -> Selection:
        """Read the documents and procedures of a request, due or not.

        Raises:
            SetupError: The request is wrong.
        """
        return self._select(request, self._documents(request))

    def everything(self, request: RunRequest, accounts: Accounts) -> tuple[Due, ...]:
        """All that a sweep could ever have to verify in one night, due or not.

        Args:
            request: Of a sweep.
            accounts: Those that there would be.

        Raises:
            SetupError: The request is wrong.
        """
        selection = self.select(request)
        by = self._planning(request, selection)
        by = replace(by, accounts=accounts, is_asked=True)
        due, _, _ = all_due(selection.documents, selection.procedures, by)
        return tuple(due)

    def history(self, console: str) -> History:
        """Results and costs of earlier runs on a console."""
        return History.read(self.store.sweeps, console) if self.store else History()

    def due(self, request: RunRequest) -> tuple[Procedure, ...]:
        """The procedures that a sweep would verify, read in full; see `plan`."""
        selection = self.select(request)
        due = {item.procedure_id for item in self._plan(request, selection).items}
        due_ids = (p.id for p in selection.procedures if p.id in due)
        return tuple(filter(None, map(selection.texts.procedure, due_ids)))

    def keep(
        self, request: RunRequest, is_under_way: Callable[[str], bool] = lambda run_id: False
    ) -> Kept:
        """A new run in the store; for a sweep, the equal one that is not over where there is one.

        Args:
            request: What is wanted.
            is_under_way: Whether the run of that id is being carried out. The store does not know:
                what a process was at when it died is `running` or `paused` there still.

        Raises:
            NothingToDo: Nothing is due.
            SetupError: The request is wrong.
        """
        if request.kind is RunKind.SWEEP:
            return self._keep_sweep(request, is_under_way)
        _on(self.settings, request.console)
        if bool(request.documents) == bool(request.inline):
            raise SetupError("name documents of the documentation, or give some: one of the two")
        run_id = new_run_id(self.clock.now())
        try:
            paths = self._documents(request)
            if request.inline:
                paths = tuple(keep_uploads(self.settings.data_dir, run_id, request.inline))
            selection = self._select(request, paths)
            return self._keep(run_id, request, selection, self._plan(request, selection))
        except ApplianceError:
            forget_uploads(self.settings.data_dir, run_id)
            raise

    def is_late(self, row: SweepRow) -> bool:
        """Whether it is a sweep whose deadline has passed."""
        deadline = deadline_after(self.settings, row.planned_at)
        return row.kind == RunKind.SWEEP and deadline is not None and self.clock.now() >= deadline

    def end_late(self, row: SweepRow) -> bool:
        """End a sweep that nobody carries out, where its deadline is over; whether it is.

        The next one plans anew what was left, so that what is due first comes first again.
        """
        if not self.is_late(row):
            return False
        tables, now = self._kept.sweeps, self.clock.now()
        tables.settle(row.id, now)
        tables.enter(row.id, SweepState.DONE, leave_unreached(tables, row.id, now), now)
        if self._kept.began(row.id):
            self._kept.end_run(row.id)
        return True

    def selection_of(self, row: SweepRow) -> Selection:
        """Read the documents and procedures of a stored run in their present state.

        Raises:
            SetupError: Its documents or its console are not there any more.
        """
        request = StoredRequest.of(row)
        named = (*request.documents, *request.checks)
        is_relative = not all(Path(path).is_absolute() for path in named)
        if is_relative and Path(request.folder) != Path.cwd():
            raise SetupError(
                f"sweep {row.id} was planned in {request.folder}, where its documents are:"
                " go there."
            )
        if request.console not in self.settings.consoles:
            raise SetupError(
                f"sweep {row.id} is about console {request.console}, which is no more."
            )
        settings = _on(self.settings, request.console)
        documents = self._read(request, asks_model(request.policy, settings.model))
        return Selection(
            settings=settings,
            request=request,
            documents=documents,
            procedures=tuple(p for d in documents for p in d.procedures),
            texts=self._texts(request, documents),
        )

    def _keep_sweep(self, request: RunRequest, is_under_way: Callable[[str], bool]) -> Kept:
        selection = self.select(request)
        unfinished_sweep = unfinished(self._kept.sweeps, selection.request)
        if unfinished_sweep is not None:
            is_taken = unfinished_sweep.is_held or is_under_way(unfinished_sweep.id)
            if is_taken or not self.end_late(unfinished_sweep):
                return Kept(unfinished_sweep)
        plan = self._plan(request, selection)
        if not plan.items:
            raise NothingToDo.due(plan)
        return self._keep(new_run_id(self.clock.now()), request, selection, plan)

    def _documents(self, request: RunRequest) -> tuple[Path, ...]:
        """Where they are.

        Raises:
            SetupError: One may not be asked for, or there is no documentation at all.
        """
        if request.inline:
            return ()
        named = self.documentation.choose_paths(request.documents)
        if not named and request.kind is RunKind.SWEEP:
            named = self.documentation.paths
        if not named:
            raise SetupError("there is no documentation: name it in documentation.paths")
        return named

    def _select(self, request: RunRequest, paths: Sequence[Path]) -> Selection:
        settings = _on(self.settings, request.console)
        check_policy(request.policy, settings.model)
        checks = () if request.inline else request.checks or self.documentation.checks
        stored = StoredRequest(
            folder=str(Path.cwd()),
            documents=tuple(map(str, paths)),
            checks=tuple(map(str, checks)),
            patterns=tuple(request.patterns),
            values=dict(request.values),
            policy=request.policy,
            tries_patches=request.tries_patches,
            confirms=request.confirms,
            console=settings.console,
        )
        documents = self._read(stored, asks_model(request.policy, settings.model))
        return Selection(
            settings=settings,
            request=stored,
            documents=documents,
            procedures=choose(documents, request.patterns),
            texts=self._texts(stored, documents),
        )

    def _read(self, request: StoredRequest, has_model: bool) -> tuple[DocumentOutline, ...]:
        documents = checked(
            self.documentation.outlines(*_places(request)),
            self.documentation.warn,
            may_be_empty=has_model,
        )
        return with_candidates(documents, request.patterns) if has_model else documents

    def _texts(self, request: StoredRequest, documents: Sequence[DocumentOutline]) -> Texts:
        paths, checks = _places(request)

        @cache
        def roots() -> Mapping[Path, Path]:
            return documents_in(paths, checks)

        def read(path: str) -> Document:
            return self.documentation.whole(Path(path), checks, roots().get(Path(path)))

        return Texts(documents, read)

    def _plan(self, request: RunRequest, selection: Selection) -> Plan:
        by = self._planning(request, selection)
        return make_plan(selection.documents, selection.procedures, by)

    def _planning(self, request: RunRequest, selection: Selection) -> Planning:
        settings, now = selection.settings, self.clock.now()
        is_sweep = request.kind is RunKind.SWEEP
        deadline = deadline_after(settings, now) if is_sweep else None
        return Planning(
            history=self.history(settings.console),
            settings=settings.sweep if is_sweep else SweepSettings(),  # no matrix, no budget
            lanes=lanes(settings),
            now=now,
            accounts=Accounts(settings.console, settings.consoles[settings.console]),
            model=settings.model.server.max_parallel if settings.model.is_configured else NO_LIMIT,
            shares=SharedNeeds(settings).of,
            deadline=deadline,
            deadline_s=time_until(deadline, settings, now) if deadline else math.inf,
            is_asked=bool(request.patterns) or not is_sweep,
            by_urgency=is_sweep,
        )

    def _keep(self, run_id: str, request: RunRequest, selection: Selection, plan: Plan) -> Kept:
        row = SweepRow(
            id=run_id,
            console=selection.settings.console,
            state=SweepState.WAITING,
            why="not begun",
            request=json_object(selection.request),
            planned_at=self.clock.now(),
            kind=request.kind.value,
            requested_by=request.requested_by,
        )
        self._kept.sweeps.add(row, plan.items)
        return Kept(row, plan)

    @property
    def _kept(self) -> Store:
        assert self.store is not None  # noqa: S101 - whoever keeps runs has a store
        return self.store


def _places(request: StoredRequest) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Its documents, and folders of checks."""
    return tuple(map(Path, request.documents)), tuple(map(Path, request.checks))


def lanes(settings: Settings) -> int:
    """Number of procedures under way at the same time."""
    return settings.verification.parallel


def _on(settings: Settings, console: str) -> Settings:
    """The settings with that console as the default one; empty: the default one."""
    return settings.model_copy(update={"console": settings.console_name(console)})
