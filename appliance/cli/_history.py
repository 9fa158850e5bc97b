"""Earlier runs: opens the store for the commands that only look."""

from collections.abc import Iterator
from contextlib import contextmanager

from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.store import Store, StoredFinding

_ALL = 1_000_000
"""More findings than any store has."""


@contextmanager
def history(settings: Settings) -> Iterator[Store]:
    """The store, where there is one already: looking makes no files."""
    if not (settings.data_dir / "store.duckdb").exists():
        raise SetupError(
            f"there are no runs in {settings.data_dir} yet: `appliance verify DOC` makes one;"
            " data_dir names another data folder."
        )
    with Store.open(settings.data_dir) as store:
        yield store


def run_id_of(store: Store, wanted: str | None) -> str:
    """The run's full id from its beginning; the latest without one."""
    ids = [row.id for row in store.runs(_ALL)]
    matching = [run_id for run_id in ids if run_id.startswith(wanted or "")]
    if not matching:
        raise SetupError(f"there is no run {wanted or ''}: `appliance run list` shows which are.")
    if wanted and len(matching) > 1 and wanted not in matching:
        raise SetupError(f"{wanted} begins {len(matching)} run ids: {', '.join(matching[:5])}.")
    return wanted if wanted in matching else matching[0]


def finding_of(store: Store, wanted: str) -> StoredFinding:
    """The latest finding whose id begins so."""
    findings = store.findings(limit=_ALL)
    matching = [found for found in findings if found.finding.id.startswith(wanted)]
    ids = list(dict.fromkeys(found.finding.id for found in matching))
    if not matching:
        raise SetupError(f"there is no finding {wanted}: `appliance finding list` shows which are.")
    if len(ids) > 1 and wanted not in ids:
        raise SetupError(f"{wanted} begins {len(ids)} finding ids: {', '.join(ids[:5])}.")
    return next(
        found for found in matching if found.finding.id == (wanted if wanted in ids else ids[0])
    )
