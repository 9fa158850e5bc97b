"""The results store: DuckDB for what is asked, a content-addressed folder for what is looked at."""

from appliance.store._queries import RunRow, StoredFinding
from appliance.store.artifacts import ArtifactStore
from appliance.store.incident import (
    Confirmation,
    Incident,
    IncidentChanges,
    IncidentState,
    Place,
    TriageAction,
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
    "IncidentState",
    "IncidentTables",
    "Listings",
    "Paged",
    "Paging",
    "PastVerdict",
    "Place",
    "ProcedureState",
    "Progress",
    "RunRow",
    "Store",
    "StoreWriter",
    "StoredFinding",
    "TrendDay",
    "TriageAction",
    "TriageEntry",
    "incident_id",
]
