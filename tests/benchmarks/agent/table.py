"""The figures as a table, and as JSON."""

from appliance.core.jsonable import Json, json_object
from tests.benchmarks.agent.measuring import OVERHEAD_MS, Found


def table(found: Found) -> str:
    """For people."""
    shared = found.together
    return "\n".join(
        [
            f"{'median ms':10}{'ours':>9}{'bare':>9}{'our CPU':>9}",
            *(f"{r.part:10}{r.ours:9.1f}{r.bare:9.1f}{r.cpu:9.1f}" for r in found.rows),
            "",
            f"a step beyond browser and model: {found.overhead_ms} ms (asked for: under"
            f" {OVERHEAD_MS}); {found.ratio} times the bare one; {found.cpu_ms} ms of CPU",
            f"first and last ten of {found.steps} steps: {found.first_ms} and {found.last_ms} ms,"
            f" CPU {found.first_cpu_ms} and {found.last_cpu_ms} ms"
            f" ({'flat' if found.is_flat else 'grows'})",
            f"{shared.attempts} attempts at a time: while one waited {shared.slow_s:.1f} s for its"
            f" answer, each of the others made at least {shared.least_meanwhile} turns and waited"
            f" {shared.median_waited_ms:.0f} ms for an answer, at most {shared.most_waited_ms:.0f}"
            f" ({'nobody is held up' if shared.is_free else 'held up'})",
            "",
            f"{'a step':22}{'calls':>7}{'words in':>10}{'out':>6}{'ms':>8}",
            *(
                f"{a.name:22}{a.calls:7.2f}{a.tokens_in:10.0f}{a.tokens_out:6.0f}{a.ms:8.1f}"
                for a in found.arrangements
            ),
            "",
            f"load when it began: {found.load} on {found.processors} processors",
        ]
    )


def document(found: Found) -> dict[str, Json]:
    """For programs."""
    return json_object(found) | {"is_flat": found.is_flat, "is_fine": found.is_fine}
