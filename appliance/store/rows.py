"""Results as rows.

Rows go in as one JSON parameter a table: an order of magnitude faster than `executemany`, and
nested columns need no code of their own.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from appliance.core.jsonable import Json, json_object
from appliance.core.result import ProcedureResult, RunResult

if TYPE_CHECKING:  # of a row one can know without the database
    import duckdb

Row: TypeAlias = "Mapping[str, Json]"


class Rows:
    """Rows for several tables, written together."""

    def __init__(self, types: Mapping[str, str]) -> None:
        self._types = types
        self._by_table: dict[str, list[Row]] = {}

    def add(self, table: str, row: Row) -> None:
        """One more row."""
        self._by_table.setdefault(table, []).append(row)

    def write(self, connection: "duckdb.DuckDBPyConnection", statement: str | None = None) -> None:
        """Insert all, a statement a table; or another statement, with `{}` for a table's rows."""
        for table, rows in self._by_table.items():
            payload = json.dumps(rows, ensure_ascii=False, allow_nan=False)
            source = f"SELECT unnest(?::JSON::{self._types[table]}[], max_depth := 2)"
            sql = statement or f"INSERT INTO {table} BY NAME {{}}"
            connection.execute(sql.replace("{}", source), [clean(payload)])


def as_row(one: object) -> dict[str, Json]:
    """A dataclass with its fields as columns."""
    times = {
        field.name: utc_text(value)
        for field in fields(one)  # type: ignore[arg-type]  # a dataclass, as said
        if isinstance(value := getattr(one, field.name), datetime)
    }
    return json_object(one) | times


def clean(text: str) -> str:
    """Half a surrogate pair, which JavaScript lets through, is not text for DuckDB."""
    return text.encode("utf-8", "replace").decode()


def run_row(run: RunResult, planned: int, *, is_finished: bool) -> Row:
    """The run's own row."""
    return {
        "id": run.id,
        "schema_version": run.schema_version,
        "appliance_version": run.appliance_version,
        "build_commit": run.commit,
        "console": run.console,
        "policy": run.policy,
        "planned": planned,
        "started_at": utc_text(run.started_at),
        "ended_at": utc_text(run.ended_at) if is_finished else None,
        "config": json_object(run.config),
    }


def add_documents(rows: Rows, run: RunResult) -> None:
    """Which documents were verified, in which revision."""
    for position, (path, revision) in enumerate(run.documents.items()):
        rows.add(
            "documents",
            {"run_id": run.id, "position": position, "path": path, "revision": revision},
        )


def add_procedure(
    rows: Rows, run_id: str, position: int, result: ProcedureResult, saved_at: datetime
) -> None:
    """A procedure with its steps, findings and evidence."""
    row = as_row(result)
    if isinstance(row["cost"], dict):
        row["cost"].setdefault("resource_cost", 0.0)
    steps, findings = _objects(row.pop("steps")), _objects(row.pop("findings"))
    ours: dict[str, Json] = {"run_id": run_id, "position": position}
    rows.add("procedures", row | ours | {"saved_at": utc_text(saved_at)})
    key: dict[str, Json] = {"run_id": run_id, "procedure_id": result.id}
    for place, step in enumerate(steps):
        rows.add("steps", step | key | {"position": place})
    for place, finding in enumerate(findings):
        evidence = _objects(finding.pop("evidence"))
        rows.add("findings", finding | key | {"position": place})
        for number, piece in enumerate(evidence):
            rows.add("evidence", piece | key | {"finding": place, "position": number})


def utc_text(time: datetime) -> str:
    """UTC without a zone, as the columns have it."""
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ")


def _objects(value: Json) -> Iterable[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def row_types(connection: "duckdb.DuckDBPyConnection") -> Mapping[str, str]:
    """Every table's columns as a STRUCT type: the SQL files are the one place that names them."""
    columns: dict[str, list[str]] = {}
    for table, name, kind in connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"
        " ORDER BY table_name, column_index"
    ).fetchall():
        columns.setdefault(table, []).append(f'"{name}" {kind}')
    return {table: f"STRUCT({', '.join(parts)})" for table, parts in columns.items()}
