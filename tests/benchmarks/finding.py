"""Measures how procedures in other vendors' guides are found, and how much of them is read.

`python -m tests.benchmarks.finding [--json]`; everybody starts it as `scripts/finding-check`.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.finding_score import Failure, Figures, Score, score
from tests.benchmarks.finding_truth import PARTS, LabelledSet, labelled_sets
from tests.zoo.installing import fetch, guide_folder


def main() -> None:
    """Print the figures of the asked sets."""
    parser = argparse.ArgumentParser(prog="scripts/finding-check")
    parser.add_argument("--part", choices=PARTS, help="both, unless one is asked for")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--show", action="store_true", help="every failure too")
    asked = parser.parse_args()
    sets = [one for one in labelled_sets() if asked.part in (None, one.part)]
    scores = {one.name: score(fetch(one.guide), one.labels) for one in sets}
    figures = {name: one.figures for name, one in _rows(sets, scores)}
    failures = [_told(one, each) for one in sets for each in scores[one.name].failures]
    if asked.json:
        shown = {"failures": failures} if asked.show else {}
        told = {name: asdict(one) for name, one in figures.items()}
        print(json.dumps({"figures": told, **shown}, indent=2, ensure_ascii=False))
        return
    _print_table(figures)
    for failure in failures if asked.show else ():
        _print(failure)


def _rows(sets: list[LabelledSet], scores: dict[str, Score]) -> Iterator[tuple[str, Score]]:
    """Each set, then its part; all of them where there are both parts."""
    parts = [part for part in PARTS if any(one.part == part for one in sets)]
    for part in parts:
        names = [one.name for one in sets if one.part == part]
        yield from ((name, scores[name]) for name in names)
        yield part, sum((scores[name] for name in names), Score())
    if len(parts) > 1:
        yield "all", sum(scores.values(), Score())


_COLUMNS = {
    "procedures": {
        "true": "true",
        "found": "found",
        "missed": "missed",
        "false": "false",
        "split": "split",
        "merged": "merged",
        "read_whole": "whole",
    },
    "steps": {"steps": "all", "steps_whole": "whole", "steps_partly": "partly", "steps_not": "not"},
    "actions": {
        "actions": "all",
        "actions_read": "read",
        "actions_half": "half",
        "actions_not": "not",
        "actions_wrong": "wrong",
        "not_understood": "unclear",
    },
}
_WIDTH = 11


def _print_table(figures: dict[str, Figures]) -> None:
    """One row for each; what is read wrongly or not understood stands beside all actions."""
    columns = [
        [(name, max(len(title), 3) + 1, title) for name, title in group.items()]
        for group in _COLUMNS.values()
    ]
    widths = [sum(width for _, width, _ in group) for group in columns]
    above = (f"{name:<{width}}" for name, width in zip(_COLUMNS, widths, strict=True))
    print(" " * _WIDTH, *above, sep="   ")
    titles = ("".join(f"{title:>{width}}" for _, width, title in group) for group in columns)
    print(" " * _WIDTH, *titles, sep="   ")
    for row, one in figures.items():
        cells = (
            "".join(f"{getattr(one, name):>{width}}" for name, width, _ in group)
            for group in columns
        )
        print(f"{row:<{_WIDTH}}", *cells, sep="   ")


def _told(one: LabelledSet, failure: Failure) -> dict[str, object]:
    """A failure with the line of the guide."""
    return {
        "kind": failure.kind,
        "set": one.name,
        "document": failure.document,
        "line": failure.line,
        "title": failure.title,
        "text": _line(guide_folder(one.guide) / failure.document, failure.line),
        "details": {name: list(said) for name, said in failure.details.items() if said},
    }


def _line(path: Path, line: int) -> str:
    lines = path.read_text("utf-8", errors="replace").split("\n")
    return lines[line - 1].strip()[:400]


def _print(told: dict[str, object]) -> None:
    print(f"\n{told['kind']} {told['set']}: {told['document']}:{told['line']} ({told['title']})")
    print(f"   {told['text']}")
    details = told["details"]
    assert isinstance(details, dict)
    for name, said in details.items():
        print(f"   {name}: {' ; '.join(said)}")


if __name__ == "__main__":
    main()
