"""The figures as a table, and as JSON."""

from appliance.core.jsonable import Json, json_object
from tests.benchmarks.server.measuring import P95_MS, RSS_MB, STEPS_PER_S, Found, PageRow

_WIDTH = 60
_COLUMNS = ("p50 ms", "p95 ms", "max ms", "KiB", "×query", "×empty")


def table(found: Found) -> str:
    """For people: a line a page, and the sums."""
    rates = ", ".join(f"{rate:,} by {batch}" for batch, rate in found.steps_per_s.items())
    return "\n".join(
        [
            f"{'page':{_WIDTH}}" + "".join(f"{name:>9}" for name in _COLUMNS),
            *(_line(page) for page in found.pages),
            "",
            f"in the store: {found.steps:,} step results, {found.findings:,} findings",
            f"slowest p95: {found.slowest_p95_ms} ms (asked for: under {P95_MS})",
            f"step results saved a second, by verdicts in a transaction: {rates}"
            f" (asked for: {STEPS_PER_S:,})",
            f"memory of the service: {found.rss_mb} MB (asked for: under {RSS_MB})",
            f"an empty route: {found.empty_route_p50_ms} ms",
        ]
    )


def document(found: Found) -> dict[str, Json]:
    """For programs."""
    return json_object(found) | {
        "slowest_p95_ms": found.slowest_p95_ms,
        "is_fine": found.is_fine,
    }


def _line(page: PageRow) -> str:
    query = "" if page.x_query is None else f"{page.x_query:.1f}"
    figures = (page.p50_ms, page.p95_ms, page.max_ms, page.kib)
    slow = "  slow" if page.p95_ms >= P95_MS else ""
    return (
        f"{page.path[:_WIDTH]:{_WIDTH}}"
        + "".join(f"{figure:9.1f}" for figure in figures)
        + f"{query:>9}{page.x_empty:9.1f}{slow}"
    )
