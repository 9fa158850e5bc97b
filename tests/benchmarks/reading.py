"""Measures the literal reader on sentences whose meaning is known, by form and language.

`python -m tests.benchmarks.reading [--json]`; everybody starts it as `scripts/reading-check`.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass

from tests.benchmarks.reading_truth import PARTS, Entry, Outcome, entries, outcome, read


@dataclass(frozen=True, slots=True)
class Score:
    """What came of some sentences."""

    sentences: int
    exact: int
    missed: int
    harmful: int

    @property
    def accuracy(self) -> float:
        """The share that is exact, in percent."""
        return 100 * self.exact / self.sentences


def score(outcomes: list[Outcome]) -> Score:
    """The outcomes, counted."""
    count = Counter(outcomes)
    return Score(len(outcomes), count[Outcome.EXACT], count[Outcome.MISSED], count[Outcome.HARMFUL])


def main() -> None:
    """Print the scores of the asked parts."""
    parser = argparse.ArgumentParser(prog="scripts/reading-check")
    parser.add_argument("--part", choices=PARTS, help="both, unless one is asked for")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--show", choices=["missed", "harmful"], help="those of the seen part")
    asked = parser.parse_args()
    if asked.show and asked.part != "seen":
        parser.error("--show needs --part seen: nobody who works on the reader sees the other half")
    figures = {}
    for part in [asked.part] if asked.part else PARTS:
        results = [(entry, outcome(entry, read(entry))) for entry in entries(part)]
        if asked.show:
            _show([entry for entry, one in results if one == asked.show], as_json=asked.json)
            return
        figures[part] = _groups(results)
    if asked.json:
        print(json.dumps(_as_json(figures), indent=2))
        return
    for part, groups in figures.items():
        print(f"{part}\n{'':30}sentences  exact  missed  harmful  accuracy")
        for name, one in groups.items():
            counts = f"{one.sentences:9}{one.exact:7}{one.missed:8}{one.harmful:9}"
            print(f"  {name:28}{counts}{one.accuracy:9.1f}%")


_BY: dict[str, Callable[[Entry], str]] = {
    "all": lambda _: "all",
    "language": lambda entry: entry.language,
    "writer": lambda entry: entry.writer,
    "form": lambda entry: f"{entry.form} ({entry.language})",
}


def _groups(results: list[tuple[Entry, Outcome]]) -> dict[str, Score]:
    groups: dict[str, list[Outcome]] = {}
    for kind, name_of in _BY.items():
        for entry, one in sorted(results, key=lambda result: name_of(result[0])):
            name = "all" if kind == "all" else f"{kind} {name_of(entry)}"
            groups.setdefault(name, []).append(one)
    return {name: score(outcomes) for name, outcomes in groups.items()}


def _as_json(figures: dict[str, dict[str, Score]]) -> dict[str, object]:
    return {
        part: {name: asdict(one) | {"accuracy": round(one.accuracy, 1)} for name, one in s.items()}
        for part, s in figures.items()
    }


def _show(shown: list[Entry], *, as_json: bool) -> None:
    """The sentences with what is meant and what was read."""
    rows = [
        {
            "id": entry.id,
            "form": entry.form,
            "sentence": entry.sentence,
            "meanings": [[_told(asdict(act)) for act in m] for m in entry.meanings],
            "read": [
                _told(
                    {
                        "kind": i.kind,
                        "label": i.label and i.label.text,
                        "thing": i.thing,
                        "field": i.place.field and i.place.field.text,
                        "value": i.value and i.value.text,
                        "conditional": i.is_conditional,
                        "optional": i.is_optional,
                    }
                )
                for i in read(entry)
            ],
        }
        for entry in shown
    ]
    if as_json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    for row in rows:
        print(f"{row['id']} [{row['form']}] {row['sentence']}")
        print(f"  meant: {json.dumps(row['meanings'], ensure_ascii=False)}")
        print(f"  read:  {json.dumps(row['read'], ensure_ascii=False)}")


def _told(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value}


if __name__ == "__main__":
    main()
