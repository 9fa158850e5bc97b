"""`scripts/bench-server`: the service on a full store, in figures."""

import json
import sys
import tempfile
from pathlib import Path

import click

from appliance.core.errors import ApplianceError
from tests.benchmarks.server.filling import Size
from tests.benchmarks.server.measuring import Amount, measure
from tests.benchmarks.server.table import document, table


@click.command()
@click.option("--procedures", type=click.IntRange(20), default=2_500, show_default=True)
@click.option("--runs", type=click.IntRange(1), default=20, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=30, help="Requests of each page.")
@click.option("--verdicts-per-s", type=float, default=5.0, help="Saved meanwhile.")
@click.option("--ingest-s", type=float, default=5.0, help="Seconds of saving only.")
@click.option("--json", "as_json", is_flag=True, help="Figures as JSON.")
def main(
    procedures: int,
    runs: int,
    rounds: int,
    verdicts_per_s: float,
    ingest_s: float,
    as_json: bool,
) -> None:
    """Print the table; end with 1 where something is slower or larger than it may be."""
    amount = Amount(
        size=Size(procedures=procedures, runs=runs),
        rounds=rounds,
        verdicts_per_s=verdicts_per_s,
        ingest_s=ingest_s,
    )
    try:
        with tempfile.TemporaryDirectory(prefix="bench-server-") as folder:
            found = measure(Path(folder), amount, lambda text: click.echo(text, err=True))
    except ApplianceError as error:
        click.echo(error, err=True)
        sys.exit(2)
    click.echo(json.dumps(document(found)) if as_json else table(found))
    sys.exit(0 if found.is_fine else 1)


if __name__ == "__main__":
    main()
