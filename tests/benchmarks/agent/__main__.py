"""`scripts/bench-agent`: the agent's own time in every step, in figures."""

import asyncio
import json
import sys

import click

from appliance.core.errors import ApplianceError
from tests.benchmarks.agent.measuring import measure
from tests.benchmarks.agent.table import document, table


@click.command()
@click.option("--steps", type=click.IntRange(20), default=60, show_default=True)
@click.option("--attempts", type=click.IntRange(2, 32), default=16, show_default=True)
@click.option("--slow-s", type=float, default=15.0, show_default=True, help="Of the slow answer.")
@click.option("--json", "as_json", is_flag=True, help="Figures as JSON.")
def main(steps: int, attempts: int, slow_s: float, as_json: bool) -> None:
    """Print the table; end with 1 where something is slower than it may be."""
    try:
        found = asyncio.run(
            measure(steps, attempts, slow_s, lambda text: click.echo(text, err=True))
        )
    except ApplianceError as error:
        click.echo(error, err=True)
        sys.exit(2)
    click.echo(json.dumps(document(found)) if as_json else table(found))
    sys.exit(0 if found.is_fine else 1)


if __name__ == "__main__":
    main()
