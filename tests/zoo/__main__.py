"""The zoo's program: started by scripts/zoo."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import yaml

from appliance import __version__
from tests.zoo.checking import ONE_S, Checked, Way, check
from tests.zoo.console import FOLDERS, HERE, Console, ZooError, console_called, consoles
from tests.zoo.keeping import down, running, up
from tests.zoo.labels import Measured, labels_of
from tests.zoo.scoring import sum_of
from tests.zoo.table import table

RUNS = HERE / FOLDERS["held-out"] / "runs.yaml"
COULD_NOT_RUN = 2


def main(arguments: Sequence[str]) -> int:
    """The program; 0 whatever the guides are worth, 2 when nothing could be run."""
    given = _parser().parse_args(arguments)
    try:
        return int(given.do(given))
    except ZooError as exc:
        print(f"zoo: {exc}", file=sys.stderr)
        return COULD_NOT_RUN


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/zoo", description="Real consoles to be measured on."
    )
    commands = parser.add_subparsers(required=True, metavar="up|down|list|check")
    command = commands.add_parser(
        "up", help="install, fill and start one; prints address and log-in"
    )
    command.add_argument("name")
    command.set_defaults(do=_up)
    command = commands.add_parser("down", help="end it, and remove what it wrote")
    command.add_argument("name")
    command.add_argument("--purge", action="store_true", help="also what was installed")
    command.set_defaults(do=_down)
    command = commands.add_parser("list", help="the consoles, and how many procedures are labelled")
    command.set_defaults(do=_list)
    command = commands.add_parser("check", help="verify the vendors' guides, and score the result")
    command.add_argument("names", nargs="*", metavar="NAME", help="[all of the half]")
    command.add_argument(
        "--held-out", action="store_true", help="the other half; each run is counted"
    )
    command.add_argument("--only", default="", metavar="WORDS", help="titles with these words")
    command.add_argument(
        "--settings", type=Path, metavar="FILE", help="further settings (YAML), such as `model:`"
    )
    command.add_argument("--keep", type=Path, metavar="DIR", help="reports and results stay there")
    command.add_argument(
        "--longest", type=int, default=ONE_S, metavar="SECONDS", help="for one procedure [600]"
    )
    command.set_defaults(do=_check)
    for each in commands.choices.values():
        each.add_argument("--json", action="store_true")
    return parser


def _up(given: argparse.Namespace) -> int:
    console = console_called(given.name)
    place = up(console)
    log_in = {"url": place.url, "username": console.username, "password": console.password}
    print(json.dumps(log_in) if given.json else "\n".join(f"{k}: {v}" for k, v in log_in.items()))
    return 0


def _down(given: argparse.Namespace) -> int:
    was_up = down(console_called(given.name), purge=given.purge)
    print(json.dumps({"was_up": was_up}) if given.json else "ended" if was_up else "it was not up")
    return 0


def _list(given: argparse.Namespace) -> int:
    rows = [_listed(console) for console in consoles()]
    if given.json:
        print(json.dumps({"schema_version": 1, "consoles": rows}, indent=1))
        return 0
    for row in rows:
        print(
            f"{row['name']:<14}{row['half']:<10}{row['title']:<20}{row['procedures']:>4} labelled,"
            f" {row['cannot']} of them can't be done here  {row['url']}"
        )
    return 0


def _listed(console: Console) -> dict[str, str | int]:
    labels, place = labels_of(console), running(console)
    return {
        "name": console.name,
        "title": console.title,
        "half": console.half,
        "guide": f"{console.guide.repository} {console.guide.commit}",
        "procedures": len(labels),
        "cannot": sum(bool(label.cannot) for label in labels),
        "url": place.url if place else "",
    }


def _check(given: argparse.Namespace) -> int:
    half = "held-out" if given.held_out else "train"
    chosen = [console_called(n) for n in given.names] or [c for c in consoles() if c.half == half]
    strangers = [console.name for console in chosen if console.half != half]
    if strangers:
        raise ZooError(f"{', '.join(strangers)}: not of the half {half}; see --held-out.")
    if not chosen:
        raise ZooError(f"no console is of the half {half} now; see tests/zoo/README.md.")
    if given.held_out:
        _count(chosen)
    way = Way(only=given.only, settings=given.settings, keep=given.keep, longest_s=given.longest)
    checked = [check(console, way) for console in chosen]
    print(json.dumps(_as_json(checked), indent=1) if given.json else table(checked))
    return 0


def _count(chosen: Sequence[Console]) -> None:
    """A half that is measured too often is held out no longer."""
    measured = Measured.model_validate(yaml.safe_load(RUNS.read_text(encoding="utf-8")))
    for console in chosen:
        number = 1 + sum(console.name in run["consoles"].split() for run in measured.runs)
        print(f"zoo: measure held-out at most twice; {console.name}: run {number}", file=sys.stderr)
    run = {
        "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ"),
        "version": __version__,
        "consoles": " ".join(console.name for console in chosen),
    }
    runs = [*(dict(each) for each in measured.runs), run]
    RUNS.write_text(yaml.safe_dump({"schema_version": 1, "runs": runs}, sort_keys=False))


def _as_json(checked: Sequence[Checked]) -> dict[str, object]:
    halves = sorted({each.half for each in checked})
    return {
        "schema_version": 1,
        "appliance": __version__,
        "consoles": [asdict(replace(each, labels=[])) for each in checked],
        "totals": {
            half: asdict(sum_of(each.totals for each in checked if each.half == half))
            for half in halves
        },
        "labels": [label.model_dump(mode="json") for each in checked for label in each.labels],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
