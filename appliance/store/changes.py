"""What has changed since a moment: what broke, what was mended, and how much was looked at."""

from collections.abc import Mapping
from datetime import datetime

from appliance.core.result import Finding
from appliance.core.verdict import Verdict
from appliance.store import incident_rows as rows
from appliance.store.incident import Incident, IncidentChanges, IncidentState
from appliance.store.queries import procedures
from appliance.store.tables import Tables

_NEEDS_SOMEBODY = (IncidentState.OPEN, IncidentState.CONFIRMED)


class Changes(Tables):
    """Questions over several tables, which it only reads."""

    about = "what has changed"

    def incidents(self, since: datetime) -> IncidentChanges:
        """Those that the appliance opened or closed since then: its last word on each counts.

        What people rejected or accepted meanwhile is left out.
        """
        last_words = self._read(
            'SELECT incident_id, last(action ORDER BY "at", rowid) FROM incident_log'
            " WHERE \"at\" > ? AND \"by\" = '' AND action IN ('opened', 'reopened', 'closed')"
            " GROUP BY incident_id",
            [since],
        )
        words = {id: word for id, word in last_words}
        with self._session.reading("reading incidents") as connection:
            incidents = sorted(rows.load(connection, words).values(), key=_worst_first)
        return IncidentChanges(
            opened=tuple(incident for incident in incidents if incident.state in _NEEDS_SOMEBODY),
            closed=tuple(
                incident for incident in incidents if incident.state is IncidentState.CLOSED
            ),
        )

    def finding(self, incident: Incident) -> Finding:
        """The one that was seen last; what the incident says itself, where it is not kept."""
        with self._session.reading("reading a result") as connection:
            results = procedures(connection, incident.run_id, incident.procedure_id)
        findings = (finding for result in results for finding in result.findings)
        return next((f for f in findings if f.id == incident.finding_id), incident.as_finding())

    def verdicts(self, since: datetime) -> Mapping[Verdict, int]:
        """How many were given since then, by kind; none is left out."""
        counted = self._read(
            "SELECT verdict, count(*) FROM procedures WHERE saved_at > ? GROUP BY verdict", [since]
        )
        return dict.fromkeys(Verdict, 0) | {Verdict(verdict): n for verdict, n in counted}


def _worst_first(incident: Incident) -> tuple[int, float, str]:
    return list(type(incident.severity)).index(incident.severity), -incident.confidence, incident.id
