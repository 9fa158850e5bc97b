"""What Terraform says, as types: also what no Terraform says."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.environment.terraform import Diagnostic, Progress
from appliance.environment.terraform.events import (
    read_line,
    read_plain,
    read_shown,
    read_validation,
)

HOOK = {"resource": {"addr": "module.disk_1.practice_disk.this"}, "action": "create"}


def line(type, **said):
    return json.dumps({"@level": "info", "@message": "…", "type": type, **said})


def progress(doing, took_s=0.0):
    address = "module.disk_1.practice_disk.this"
    return Progress(attempt_id="a1", address=address, doing=doing, took_s=took_s)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (line("apply_start", hook=HOOK), progress("creating")),
        (line("apply_progress", hook={**HOOK, "elapsed_seconds": 10}), progress("creating", 10.0)),
        (line("apply_complete", hook={**HOOK, "elapsed_seconds": 2}), progress("created", 2.0)),
        (line("apply_complete", hook={**HOOK, "action": "delete"}), progress("deleted")),
        (line("apply_errored", hook=HOOK), progress("failed")),
        (line("apply_start", hook={**HOOK, "action": "forget"}), progress("changing")),
        (line("version", terraform="1.11.4"), None),
        (line("apply_start", hook={"resource": "?"}), None),
        (line("apply_start"), None),
        ("Releasing state lock. This may take a few moments...", None),
    ],
)
def test_a_line_is_read(said, expected):
    assert read_line(said, "a1") == expected


def test_a_diagnostic_names_its_place():
    said = {
        "severity": "error",
        "summary": "Invalid name",
        "detail": "Too long.",
        "address": "practice_disk.d",
        "range": {"filename": "main.tf.json", "start": {"line": 7, "column": 3}},
    }
    found = read_line(line("diagnostic", diagnostic=said), "a1")
    assert str(found) == "main.tf.json:7: Invalid name (practice_disk.d): Too long."
    warning = read_line(
        line("diagnostic", diagnostic={"severity": "warning", "summary": "Old"}), ""
    )
    assert (warning.severity, str(warning)) == ("warning", "Old")


def test_a_text_for_people_has_its_errors():
    said = (
        "╷\n│ Warning: Old\n│ \n│ Soon.\n╵\n╷\n│ Error: No provider\n│ \n│ There is\n│ none.\n╵\n"
    )
    assert [str(each) for each in read_plain(said)] == ["No provider: There is none."]
    assert read_plain("panic: oh") == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["hook", "diagnostic", "resource", "addr", "action", "range", "start"])
TYPES = st.sampled_from(["diagnostic", "apply_start", "apply_complete", "apply_errored", "?"])
SAID = st.fixed_dictionaries(
    {"type": TYPES}, optional={k: JSON for k in ("hook", "diagnostic", "resource")}
) | st.dictionaries(KEYS, JSON, max_size=3)


@given(st.text() | SAID.map(json.dumps) | JSON.map(json.dumps) | st.just("[" * 100_000))
def test_garbage_is_no_error(said):
    assert isinstance(read_line(said, "a1"), Diagnostic | Progress | None)
    assert isinstance(read_validation(said), list | None)
    assert isinstance(read_shown(said), dict)
    assert all(isinstance(each, Diagnostic) for each in read_plain(said))


@given(JSON, JSON, JSON)
def test_parts_of_the_wrong_kind_are_no_error(one, other, third):
    hook = {"resource": {"addr": one}, "action": other, "elapsed_seconds": third}
    diagnostic = {"summary": "S", "detail": one, "address": other, "range": third, "severity": one}
    for said in (line("apply_start", hook=hook), line("diagnostic", diagnostic=diagnostic)):
        assert isinstance(read_line(said, "a1"), Diagnostic | Progress | None)
    assert isinstance(read_validation(json.dumps({"diagnostics": [one, diagnostic]})), list)
