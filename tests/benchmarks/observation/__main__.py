"""Measures how we look at pages, or answers a harness; started by `scripts/bench-observation`."""

import argparse
import asyncio
import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict

from appliance.browser import BrowserPool
from appliance.config import BrowserSettings
from appliance.core.errors import SetupError
from tests.benchmarks.observation import tokens
from tests.benchmarks.observation.adapter import serve
from tests.benchmarks.observation.measure import Row, measured
from tests.benchmarks.observation.pages import samples
from tests.benchmarks.observation.told import told


async def measure(names: Sequence[str], reps: int) -> list[Row]:
    """The pages of those names, all when none is given."""
    rows = []
    async with samples() as known, BrowserPool(BrowserSettings()) as pool:
        unknown = set(names) - {sample.name for sample in known}
        if unknown:
            there = ", ".join(sample.name for sample in known)
            raise SetupError(f"there is no page {', '.join(sorted(unknown))}; there are: {there}")
        for sample in known:
            if not names or sample.name in names:
                sys.stderr.write(f"{sample.name} …\n")
                rows.append(await measured(pool, sample, reps))
    return rows


def _json(rows: Sequence[Row]) -> str:
    about = {
        "schema_version": 1,
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "tokens_by": tokens.how(),
        "pages": [asdict(row) | {"of_peer": round(row.of_peer, 3)} for row in rows],
    }
    return json.dumps(about)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and say, or serve."""
    parser = argparse.ArgumentParser(prog="bench-observation", description=__doc__)
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    parser.add_argument("--page", nargs="+", default=[], metavar="NAME", help="only these pages")
    parser.add_argument("--reps", type=int, default=20, help="looks at a page [%(default)s]")
    parser.add_argument("--adapter", action="store_true", help="answer a harness on BENCH_OUT")
    parser.add_argument("--whole", action="store_true", help="adapter: also what is out of view")
    options = parser.parse_args(arguments)
    if options.adapter:
        return serve(is_whole=options.whole)
    try:
        rows = asyncio.run(measure(options.page, max(5, options.reps)))
    except SetupError as exc:
        sys.stderr.write(f"Error: {exc}\n")
        return 2
    sys.stdout.write((_json(rows) if options.json else told(rows, tokens.how())) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
