"""Draws the suite `judge`: which tasks of `practice` are carried out in which way.

    python -m tests.benchmarks.judging [FILE]

Attempts are labelled by what they do, so nobody has to look at them. Tasks of the release that the
documentation is true of take part; a way that a task cannot go (no name to get wrong, nothing that
must not be deleted) is not drawn for it.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import yaml

from appliance.benchmark.finding import SUITES
from appliance.benchmark.judging import Behaviour
from appliance.benchmark.suite import Task, read_suite
from appliance.core.checks import Checks
from appliance.outcome.bindings import bind_checks, expand
from appliance.practice.releases import releases

FILE = Path("appliance/benchmark/suites/judge.yaml")
SEED = 20
DRAWN = {
    Behaviour.AS_WRITTEN: 90, Behaviour.BY_OTHER_MEANS: 50, Behaviour.STOPS_SHORT: 60,
    Behaviour.WRONG_NAME: 60, Behaviour.ONE_STEP_MORE: 50, Behaviour.ONLY_CLAIMS: 40,
}  # fmt: skip
HEAD = f"""\
# Attempts of which it is known whether they reached the goal: tasks of `practice`, by the way in
# which they are carried out. `as written` and `by other means` (the API does it) reach it; `stops
# short` and `wrong name` miss it nearly; `one step more` (something is deleted, too) and `only
# claims` are what a policy would learn that is paid for saying that it is done. Drawn with seed
# {SEED} by tests/benchmarks/judging.py.
"""


def main() -> None:
    """Write the file."""
    Path(sys.argv[1] if sys.argv[1:] else FILE).write_text(drawn(), encoding="utf-8")


def drawn() -> str:
    """The file; the same every time."""
    tasks = [t for t in read_suite(SUITES / "practice.yaml").tasks if t.release == releases()[0]]
    cases = {way.value: sorted(_draw(way, count, tasks)) for way, count in DRAWN.items()}
    data = {
        "schema_version": 1,
        "kind": "judge",
        "title": "Attempts that did, nearly did or only claim to have reached the goal",
        "cases": cases,
    }
    return HEAD + yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=1000)


def _draw(way: Behaviour, count: int, tasks: Sequence[Task]) -> list[str]:
    possible = [task.id for task in tasks if _is_possible(way, task.draft.procedure.checks)]
    return Random(f"judge/{SEED}/{way.value}").sample(possible, count)


def _is_possible(way: Behaviour, checks: Checks) -> bool:
    known = bind_checks(checks, {"unique": "${unique}"}, strict=False)
    targets = {
        expand(c.expected[0], known)
        for rule in checks.expected()
        for c in rule.where
        if c.path == "target_name"
    }
    match way:
        case Behaviour.WRONG_NAME:
            return bool(targets - {expand(n.values.get("name", ""), known) for n in checks.needs})
        case Behaviour.ONE_STEP_MORE:
            return bool(targets) and any(not rule.where for rule in checks.forbid)
        case _:
            return True


if __name__ == "__main__":
    main()
