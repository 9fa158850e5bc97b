"""A store as it is after many nightly sweeps, made in seconds by the database itself."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

import duckdb

from appliance.core.errors import SetupError
from appliance.store.migrations import migrate, migrations
from appliance.store.store import FILE_NAME, Store
from tests.benchmarks.server.texts import DOCUMENT_PROCEDURES, STEPS

_MEMORY = "2GB"
"""What does not fit is sorted on the disk."""
_RESULTS_ONLY = 3
"""Migrations that make the tables of results and sweeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much there is to be in the store."""

    procedures: int = 2_500
    runs: int = 20

    @property
    def steps(self) -> int:
        """Step results."""
        return self.procedures * self.runs * STEPS

    @property
    def findings(self) -> int:
        """Every second procedure has two in every run."""
        return (self.procedures + 1) // 2 * self.runs * 2


def fill(data_dir: Path, documentation: Path, size: Size, console: str) -> None:
    """A new store with so many results; incidents follow from them as in a store of an upgrade.

    Args:
        data_dir: Where it is made.
        documentation: The folder of `texts.write_texts`.
        size: How much.
        console: What everything was held against.

    Raises:
        SetupError: when there is a store already.
    """
    file = data_dir / FILE_NAME
    if file.exists():
        raise SetupError(f"{file} exists. Name a folder without a store.")
    given = {
        "procedures": size.procedures,
        "runs": size.runs,
        "console": console,
        "folder": str(documentation),
        "steps": STEPS,
        "per_document": DOCUMENT_PROCEDURES,
        "first": datetime.now(UTC).replace(tzinfo=None) - timedelta(days=size.runs),
    }
    script = (files("tests.benchmarks.server") / "filling.sql").read_text("utf-8")
    data_dir.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(file), config={"memory_limit": _MEMORY}) as connection:
        # The schema before incidents: the migration after it makes them of these results.
        migrate(connection, file, migrations()[:_RESULTS_ONLY])
        connection.begin()
        for statement in script.split(";\n"):
            used = {name: value for name, value in given.items() if f"${name}" in statement}
            if statement.strip():
                connection.execute(statement, used)
        connection.commit()
    Store.open(data_dir).close()
