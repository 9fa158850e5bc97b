"""The figures, for people."""

from collections.abc import Sequence

from tests.benchmarks.observation.measure import Row

HEAD = (
    "page", "nodes", "ms", "p95", "cpu", "bare ms", "peer ms", "of it", "peer cpu", "tokens",
    "peer tok", "listed", "offered", "true", "recall", "noise", "dup",
)  # fmt: skip


def told(rows: Sequence[Row], counted_by: str) -> str:
    """A table, and what was missed."""
    cells = [HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(HEAD))]
    lines = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in cells
    ]
    missed = [f"missed on {row.page}: {text}" for row in rows for text in row.found.missed]
    legend = (
        "ms: one look and its view form; cpu: ms of the browser and ours;\n"
        "bare: an empty round trip; peer: Playwright's snapshot for models;\n"
        f"tokens by {counted_by}; recall, noise and dup: of what is in view."
    )
    return "\n".join([*lines, "", *missed, legend])


def _cells(row: Row) -> tuple[str, ...]:
    found = row.found
    return (
        row.page, str(row.nodes), f"{row.look.ms:.1f}", f"{row.look.ms_p95:.1f}",
        f"{row.look.cpu_ms:.1f}", f"{row.bare.ms:.2f}", f"{row.peer.ms:.1f}",
        f"{row.of_peer:.0%}", f"{row.peer.cpu_ms:.1f}", str(row.tokens), str(row.peer_tokens),
        str(found.listed), str(found.offered), str(found.true), f"{found.recall:.3f}",
        str(found.noise), str(found.duplicates),
    )  # fmt: skip
