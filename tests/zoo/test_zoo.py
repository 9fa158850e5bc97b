"""The zoo's own files; nothing is installed or started here."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from tests.zoo.console import Console, consoles, pins_path
from tests.zoo.labels import Label, Labels, Must, labels_of
from tests.zoo.scoring import row_of, seen_in

ROOT = Path(__file__).parents[2]
LABEL = Label.model_validate(
    yaml.safe_load(
        """
        {document: guide/users.md, line: 3, title: Delete a user, verdicts: [drifted], steps: 2,
         set: {user: ben}, must: [{gone: user, name: ben}],
         untrue: [{line: 5, quote: "Click **Remove**", kinds: [renamed_label], shown: Delete,
                   severity: misleads}]}
        """
    )
)
BEFORE = {"user": {"ben": "active", "eva": "active"}}
FOUND = {"line": 5, "kind": "renamed_label", "quote": "Remove", "shown": "Delete"}


def result(verdict: str, *findings: dict[str, object]) -> dict[str, object]:
    step = {"index": "1", "status": "as_written", "note": ""}
    return {"verdict": verdict, "findings": findings, "steps": [step], "blocked_by": None}


@pytest.mark.parametrize("console", consoles(), ids=lambda console: console.name)
def test_labels_are_well_formed(console: Console) -> None:
    labels = labels_of(console)
    assert len({(label.document, label.line) for label in labels}) == len(labels)
    for label in labels:
        parts = [part.rstrip("/") for part in console.guide.documents]
        assert any(label.document == p or label.document.startswith(p + "/") for p in parts)


@pytest.mark.parametrize("console", consoles(), ids=lambda console: console.name)
def test_what_is_installed_is_pinned(console: Console) -> None:
    lines = pins_path(console).read_text().split()
    assert lines
    assert all("==" in line for line in lines)
    assert len(console.guide.commit) == 40
    assert console.guide.repository.startswith("https://github.com/")


def test_the_list_names_every_console(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "tests.zoo", "list", "--json"],
        cwd=ROOT,
        env={**os.environ, "ZOO_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = json.loads(told.stdout)["consoles"]
    assert {row["name"]: row["half"] for row in rows} == {c.name: c.half for c in consoles()}
    assert all(row["procedures"] > row["cannot"] and not row["url"] for row in rows)
    assert not list(tmp_path.iterdir()), "looking leaves nothing"


def test_a_label_cannot_be_verified_and_mislead() -> None:
    wrong = {**LABEL.model_dump(), "verdicts": ["verified"]}
    with pytest.raises(ValidationError, match="misleading sentence"):
        Label.model_validate(wrong)
    with pytest.raises(ValidationError, match="why it can't"):
        Labels.model_validate(
            {"schema_version": 1, "procedures": [{"document": "a", "line": 1, "title": "b"}]}
        )
    with pytest.raises(ValidationError, match="one of made"):
        Must.model_validate({"made": "user", "gone": "user"})


def test_right_is_the_right_verdict_for_the_right_reason() -> None:
    gone = seen_in([BEFORE, {"user": {"eva": "active"}}])
    assert row_of(LABEL, result("drifted", FOUND), gone).is_right
    assert not row_of(LABEL, result("broken", FOUND), gone).is_right
    assert not row_of(LABEL, result("drifted"), gone).is_right, "by luck"
    assert row_of(LABEL, result("drifted"), gone).missed == ("5 Click **Remove**",)
    nothing = seen_in([BEFORE, BEFORE])
    assert not row_of(LABEL, result("drifted", FOUND), nothing).is_right, "it never happened"
    assert not row_of(LABEL, None, nothing).is_right


def test_a_finding_where_nothing_is_untrue_is_false() -> None:
    gone = seen_in([BEFORE, {"user": {"eva": "active"}}])
    elsewhere = {**FOUND, "line": 4}
    row = row_of(LABEL, result("drifted", FOUND, elsewhere), gone)
    assert row.false == ("4 renamed_label: Remove -> Delete",)
    assert not row.is_right


def test_what_was_made_and_put_back_was_seen() -> None:
    made = {"user": {**BEFORE["user"], "new": "active"}}
    seen = seen_in([BEFORE, made, BEFORE])
    assert seen.made == {("user", "new")}
    assert not seen.left


@pytest.mark.parametrize(("name", "is_seen"), [("realm1-c7", True), ("realm12", False)])
def test_what_was_made_may_have_the_suffix_of_its_attempt(name: str, is_seen: bool) -> None:
    label = LABEL.model_copy(update={"must": (Must(made="realm", name="realm1"),)})
    seen = seen_in([BEFORE, {**BEFORE, "realm": {name: ""}}, BEFORE])
    assert row_of(label, result("drifted", FOUND), seen).witness is is_seen


def test_the_wrong_object_is_told() -> None:
    both = seen_in([BEFORE, {"user": {}}])
    row = row_of(LABEL, result("drifted", FOUND), both)
    assert row.wrongly_touched == ("user eva",)
    assert not row.is_right
