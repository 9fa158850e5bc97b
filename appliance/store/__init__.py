"""The results store: DuckDB for what is asked, a content-addressed folder for what is looked at."""

from appliance.store._queries import RunRow, StoredFinding
from appliance.store.artifacts import ArtifactStore
from appliance.store.store import Store
from appliance.store.subscriber import StoreSubscriber

__all__ = ["ArtifactStore", "RunRow", "Store", "StoreSubscriber", "StoredFinding"]
