"""The results store: DuckDB for what is asked, a content-addressed folder for what is looked at."""

from appliance.store._queries import RunRow, StoredFinding
from appliance.store.artifacts import ArtifactStore
from appliance.store.incident import (
    Confirmation,
    Incident,
    IncidentChanges,
    IncidentFilter,
    IncidentState,
    Place,
    TriageAction,
    TriageDecision,
    TriageEntry,
    incident_id,
)
from appliance.store.incidents import IncidentTables
from appliance.store.listings import Listings
from appliance.store.paging import Paged, Paging
from appliance.store.states import (
    Coverage,
    DocumentState,
    PastVerdict,
    ProcedureFilter,
    ProcedureState,
    Progress,
    TrendDay,
)
from appliance.store.store import Store
from appliance.store.writer import StoreWriter

__all__ = [
    "ArtifactStore",
    "Confirmation",
    "Coverage",
    "DocumentState",
    "Incident",
    "IncidentChanges",
    "IncidentFilter",
    "IncidentState",
    "IncidentTables",
    "Listings",
    "Paged",
    "Paging",
    "PastVerdict",
    "Place",
    "ProcedureFilter",
    "ProcedureState",
    "Progress",
    "RunRow",
    "Store",
    "StoreWriter",
    "StoredFinding",
    "TrendDay",
    "TriageAction",
    "TriageDecision",
    "TriageEntry",
    "incident_id",
]
