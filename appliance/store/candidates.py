"""Modules that the resource coder wrote, until a person accepts or rejects them."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from appliance.core.errors import StoreError
from appliance.core.jsonable import Json
from appliance.store.mapping import RowMap
from appliance.store.tables import Tables
from appliance.store.times import as_stored

_ID_BYTES = 4


class CandidateState(StrEnum):
    """What has become of one."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A configuration that worked once."""

    id: str
    console: str
    """The kind of console that it is for."""
    request: str
    """What was asked for, in words."""
    hcl: str
    """In Terraform's JSON syntax; those of earlier versions in HCL's own."""
    report: Mapping[str, Json]
    """As `environment.coder.CoderReport.as_json` has it."""
    state: CandidateState
    made_at: datetime
    decided_at: datetime | None = None
    decided_by: str = ""
    note: str = ""


_CANDIDATES = RowMap(Candidate, "candidate_modules", json={"report": dict})


class CandidateTable(Tables):
    """The table `candidate_modules`."""

    about = "proposed modules"

    def propose(
        self,
        *,
        console: str,
        request: str,
        hcl: str,
        report: Mapping[str, Json],
        at: datetime | None = None,
    ) -> Candidate:
        """Keep what worked. The same text again is the candidate that is there already."""
        with self._session.transaction("proposing a module") as connection:
            known = _CANDIDATES.select(connection, "WHERE console = ? AND hcl = ?", [console, hcl])
            if known:
                return known[0]
            fresh = Candidate(
                id=secrets.token_hex(_ID_BYTES),
                console=console,
                request=request,
                hcl=hcl,
                report=report,
                state=CandidateState.PROPOSED,
                made_at=at or datetime.now(UTC),
            )
            _CANDIDATES.insert(connection, fresh)
        return fresh

    def decide(
        self, id: str, state: CandidateState, *, by: str, note: str = "", at: datetime | None = None
    ) -> Candidate:
        """Accept or reject one.

        Raises:
            StoreError: There is none of that id, or it was decided before.
        """
        when = as_stored(at or datetime.now(UTC))
        with self._session.transaction("deciding on a module") as connection:
            candidate = self.get(id)
            if candidate is None:
                raise StoreError(f"there is no proposed module {id}")
            if candidate.state is not CandidateState.PROPOSED:
                raise StoreError(
                    f"the module {id} was {candidate.state} by {candidate.decided_by} before"
                )
            connection.execute(
                "UPDATE candidate_modules SET state = ?, decided_at = ?, decided_by = ?, note = ?"
                " WHERE id = ?",
                [state.value, when, by, note, id],
            )
            return _CANDIDATES.select(connection, "WHERE id = ?", [id])[0]

    def get(self, id: str) -> Candidate | None:
        """The one of that id."""
        return self._find(_CANDIDATES, "WHERE id = ?", [id])

    def all(self, state: CandidateState | None = None) -> tuple[Candidate, ...]:
        """All of a state, or all there are; oldest first."""
        if state is None:
            return self._select(_CANDIDATES, "ORDER BY made_at")
        return self._select(_CANDIDATES, "WHERE state = ? ORDER BY made_at", [state])
