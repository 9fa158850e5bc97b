"""The measurement counts rightly; what is found in real guides is not for a test to say."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.finding_score import Figures, score
from tests.benchmarks.finding_truth import labelled_sets, labels_in

GUIDE = """# Volumes

## Create a volume

1. Click **Volumes**.
2. Enter `data` in **Name** and click **Create**.
3. Click **Close**.
4. Click **Back**.

## Sizes

Sizes are in GiB.

## Restart a server elsewhere

1. Click **Servers**.
2. Click **Restart**.
"""

CREATE = {
    "title": "Create a volume",
    "line": 5,
    "end_line": 8,
    "is_procedure": True,
    "steps": [
        {"line": 5, "actions": [["click", "Volumes"]]},
        {"line": 6, "actions": [["fill", "Name", "data"], ["click", "Start"]]},
        {"line": 7, "actions": [["check", "Agree"]]},
        {"line": 8, "actions": []},
    ],
}
SIZES = {"title": "Sizes", "line": 12, "end_line": 12, "is_procedure": True, "steps": []}
RESTART = {"title": "Restart", "line": 16, "end_line": 17, "is_procedure": False, "why": "cli"}


def test_each_outcome_is_counted_once(tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text(GUIDE)
    told = [label | {"document": "guide.md"} for label in (CREATE, SIZES, RESTART)]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, told)))
    scored = score(tmp_path, labels_in(tmp_path / "labels.jsonl"))
    assert scored.figures == Figures(
        documents=1,
        labels=3,
        true=2,
        found=1,
        missed=1,
        false=1,
        steps=3,
        steps_whole=1,
        steps_partly=1,
        steps_not=1,
        actions=4,
        actions_read=2,
        actions_not=2,
        actions_wrong=3,  # Create, Close, Back
    )
    assert [(failure.kind, failure.line) for failure in scored.failures] == [
        ("false", 16),
        ("step: partly", 6),
        ("step: not read", 7),
        ("step: more than asked", 8),
        ("missed", 12),
    ]


@pytest.mark.parametrize(
    ("action", "counted"),
    [
        (["choose", "Name", "data"], "actions_read"),
        (["fill", "Name", ""], "actions_read"),
        (["fill", "Name", "other"], "actions_half"),
        (["check", "Name"], "actions_half"),
        (["fill", "Size", "data"], "actions_not"),
        (["other", "give it a name"], "actions_read"),
    ],
)
def test_an_action_is_read_half_read_or_not(
    tmp_path: Path, action: list[str], counted: str
) -> None:
    (tmp_path / "guide.md").write_text("# Create a volume\n\n1. Enter `data` in **Name**.\n")
    label = {"document": "guide.md", "title": "", "line": 3, "end_line": 3, "is_procedure": True}
    label["steps"] = [{"line": 3, "actions": [action]}]
    (tmp_path / "labels.jsonl").write_text(json.dumps(label))
    figures = score(tmp_path, labels_in(tmp_path / "labels.jsonl")).figures
    kinds = ("actions_read", "actions_half", "actions_not")
    assert {name: getattr(figures, name) for name in kinds} == {
        name: int(name == counted) for name in kinds
    }


def test_a_procedure_may_be_split_or_merged(tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text(GUIDE)
    both = CREATE | {"end_line": 17, "steps": []}
    halves = [CREATE | {"line": a, "end_line": b, "steps": []} for a, b in ((5, 6), (7, 8))]
    told = [label | {"document": "guide.md"} for label in (both, *halves)]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, told)))
    figures = score(tmp_path, labels_in(tmp_path / "labels.jsonl")).figures
    assert (figures.found, figures.split, figures.merged) == (3, 1, 1)


def test_what_lies_within_a_label_splits_it_even_if_one_covers_most(tmp_path: Path) -> None:
    clicks = "".join(f"{n}. Click **Part {n}**.\n" for n in range(1, 7))
    (tmp_path / "guide.md").write_text(
        f"# Parts\n\n## Add\n\n{clicks}\n## Remove\n\n{clicks[:42]}\n"
    )
    label = CREATE | {"document": "guide.md", "end_line": 15, "steps": []}
    (tmp_path / "labels.jsonl").write_text(json.dumps(label))
    figures = score(tmp_path, labels_in(tmp_path / "labels.jsonl")).figures
    assert (figures.found, figures.split) == (1, 1)


def test_the_labels_can_be_read() -> None:
    sets = list(labelled_sets())
    assert sum(len(one.labels) for one in sets) == 332
    assert {one.part for one in sets} == {"train", "later"}
    labels = [label for one in sets for label in one.labels]
    assert all(label.lines.first <= label.lines.last for label in labels)
    assert all(label.steps for label in labels if label.is_procedure)
