"""`python -m tests.benchmarks.scale`; everybody starts it as `scripts/bench-scale`."""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.scale.night import lines as night_lines
from tests.benchmarks.scale.night import measure_forecast, measure_packing, packing_lines
from tests.benchmarks.scale.queries import lines, measure_store
from tests.benchmarks.scale.reading import ReadingFigures, measure_reading
from tests.benchmarks.scale.unchanged import lines as unchanged_lines
from tests.benchmarks.scale.unchanged import measure_unchanged

_PROCEDURES_IN_A_DOCUMENT = 4.75
"""Of those that are generated, as of the bundled ones that they are made of."""


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(prog="scripts/bench-scale", description=__doc__)
    parser.add_argument("--procedures", type=int, default=54_000)
    parser.add_argument("--nights", type=int, default=12, help="Of sweeps in the store.")
    parser.add_argument("--rounds", type=int, default=20, help="Of each question to the store.")
    parser.add_argument("--nodes", action="store_true", help="Only what more nodes are worth.")
    parser.add_argument(
        "--forecast", action="store_true", help="Only how near a night's forecast comes to it."
    )
    parser.add_argument(
        "--unchanged",
        action="store_true",
        help="Only what a second night takes in which nothing has changed.",
    )
    parser.add_argument("--config", type=Path, help="--unchanged: settings with a console.")
    parser.add_argument("--documents", type=Path, nargs="*", default=(), help="--unchanged: which.")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.forecast:
        _forecast(is_json=options.json)
        return
    if options.unchanged:
        _unchanged(options.config, options.documents, is_json=options.json)
        return
    if options.nodes:
        _nodes(is_json=options.json)
        return
    documents = max(1, round(options.procedures / _PROCEDURES_IN_A_DOCUMENT))
    with tempfile.TemporaryDirectory(prefix="bench-scale-") as made:
        folder = Path(made)
        print(f"Writes and plans {documents:,} documents, twice.", file=sys.stderr)
        reading = measure_reading(folder / "reading", documents)
        print(f"Fills a store with {options.nights} nights, and asks it.", file=sys.stderr)
        store = measure_store(folder / "store", options.procedures, options.nights, options.rounds)
    packing = tuple(measure_packing((1_000, 10_000, options.procedures)))
    if options.json:
        figures = {"reading": asdict(reading), "store": asdict(store)}
        print(json.dumps(figures | {"packing": [asdict(row) for row in packing]}, indent=2))
        return
    print(_table(reading))
    print("\n".join(packing_lines(packing)))
    print("\n".join(lines(store)))


def _nodes(*, is_json: bool) -> None:
    from tests.benchmarks.scale.nodes import lines, measure_nodes  # it needs Ray

    with tempfile.TemporaryDirectory(prefix="bench-nodes-") as made:
        figures = measure_nodes(Path(made), (1, 2, 4), procedures=4, delay_s=2.0, rounds=5)
    print(json.dumps(asdict(figures), indent=2) if is_json else "\n".join(lines(figures)))


def _unchanged(config: Path | None, documents: Sequence[Path], *, is_json: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="bench-unchanged-") as made:
        figures = measure_unchanged(Path(made), config, documents)
    print(json.dumps(asdict(figures), indent=2) if is_json else "\n".join(unchanged_lines(figures)))


def _forecast(*, is_json: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="bench-forecast-") as made:
        figures = measure_forecast(Path(made), nights=3)
    print(json.dumps(asdict(figures), indent=2) if is_json else "\n".join(night_lines(figures)))


def _table(figures: ReadingFigures) -> str:
    rows = [
        f"Documents: {figures.mebibytes} MiB, of which {figures.kept_mib} MiB are kept;"
        f" load of the machine before: {figures.load}"
    ]
    rows += [
        f"  plan, {one.name:10} {one.procedures:7,.0f} procedures  {one.wall_s:7} s"
        f"  CPU {one.cpu_s:7} s  {one.peak_mib:6} MiB, a reader {one.reader_mib:6} MiB"
        for one in figures.rows
    ]
    return "\n".join(rows)


if __name__ == "__main__":
    main()
