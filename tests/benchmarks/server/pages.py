"""What is asked for: every page of the dashboard and every list of REST, on a full store."""

from dataclasses import dataclass
from urllib.parse import quote

from appliance.store.incident import IncidentFilter, IncidentState
from appliance.store.paging import Paging
from appliance.store.store import Store


@dataclass(frozen=True, slots=True)
class Page:
    """An address, and the bare query behind it."""

    path: str
    sql: str = ""
    """What the database alone has to do for it at least; empty: there is no such query."""
    values: tuple[str, ...] = ()


def pages(store: Store, console: str) -> tuple[Page, ...]:
    """With ids that the store has."""
    run = next(r for r in store.listings.runs(Paging(), kind="sweep").items if r.summary.procedures)
    wanted = IncidentFilter(console=console, state=IncidentState.OPEN)
    incident = store.incidents.page(Paging(), wanted).items[0]
    result = store.listings.verdicts(run.id, Paging(0, 1)).items[0]
    at = f"{quote(result.id)}"
    document = quote(result.document, safe="")
    states = "SELECT * FROM procedure_states WHERE console = ? ORDER BY document, line LIMIT 50"
    incidents = (
        "SELECT * FROM incidents WHERE state = 'open' ORDER BY severity, last_seen_at DESC LIMIT 50"
    )
    runs = "SELECT * FROM runs ORDER BY started_at DESC LIMIT 50"
    steps = "SELECT * FROM steps WHERE run_id = ? AND procedure_id = ?"
    verdicts = "SELECT * FROM procedures WHERE run_id = ? ORDER BY position LIMIT 50"
    items = "SELECT * FROM sweep_items WHERE sweep_id = ? ORDER BY position LIMIT 50"
    coverage = "SELECT verdict, count(*) FROM procedure_states WHERE console = ? GROUP BY verdict"
    one = (result.run_id, result.id)
    return (
        Page("/", coverage, (console,)),
        Page("/runs", runs),
        Page(f"/runs/{run.id}", items, (run.id,)),
        Page(f"/runs/{run.id}/results", verdicts, (run.id,)),
        Page("/findings", incidents),
        Page("/findings?state=open&severity=breaks&query=button", incidents),
        Page(f"/findings/{incident.id}", "SELECT * FROM incidents WHERE id = ?", (incident.id,)),
        Page("/documents", states, (console,)),
        Page(f"/documents/view?path={document}", steps, one),
        Page("/procedures", states, (console,)),
        Page("/procedures?query=sort&page=20", states, (console,)),
        Page(f"/procedures/{console}/{at}", steps, one),
        Page("/search?query=create%20button"),
        Page("/search?query=no-such-word"),
        Page(f"/runs/compare?second={run.id}"),
        Page("/verify"),
        Page("/accounts"),
        Page("/resources"),
        Page("/schedules"),
        Page("/webhooks"),
        Page("/models"),
        Page("/training"),
        Page("/benchmarks"),
        Page("/keys"),
        Page("/api/v1/overview", coverage, (console,)),
        Page("/api/v1/runs", runs),
        Page("/api/v1/verifications", runs),
        Page("/api/v1/sweeps", runs),
        Page(f"/api/v1/sweeps/{run.id}", items, (run.id,)),
        Page(f"/api/v1/sweeps/{run.id}/items", items, (run.id,)),
        Page("/api/v1/findings", incidents),
        Page("/api/v1/findings?page=40&page_size=200", incidents),
        Page(f"/api/v1/findings/{incident.id}"),
        Page("/api/v1/findings/confirmation"),
        Page("/api/v1/procedures", states, (console,)),
        Page(f"/api/v1/procedures/{at}", steps, one),
        Page("/api/v1/documents", states, (console,)),
        Page("/api/v1/accounts"),
        Page("/api/v1/resources"),
        Page("/api/v1/schedules"),
        Page("/api/v1/webhooks"),
        Page("/api/v1/webhooks/deliveries"),
        Page("/api/v1/models"),
        Page("/api/v1/training-runs"),
        Page("/api/v1/benchmarks"),
        Page("/api/v1/keys"),
        Page("/healthz"),
        Page("/readyz"),
        Page("/metrics"),
    )
