"""Which bound value an unmarked word of the text means."""

import re

import pytest

from appliance.core.page import Bounds, Box, Element
from appliance.documents import parse_document
from appliance.policy.base import Task
from appliance.policy.literal.act.values import Values

(PROCEDURE,) = parse_document("# T\n\n1. Click **A**.\n", "t.md", "markdown").procedures


@pytest.mark.parametrize(
    ("thing", "bindings", "value"),
    [
        ("users", {"class": "Biology 8", "coach": "Emil"}, "Emil"),  # a coach is one
        ("users", {"learner": "Ben", "coach": "Emil"}, None),  # which of them?
        ("users", {"class": "Biology 8"}, None),
        ("user", {"user": "Mina", "coach": "Emil"}, "Mina"),
        ("item", {"volume": "web-1"}, "web-1"),
        ("items", {"volume": "web-1", "instance": "web-2"}, None),
        ("volume", {"instance": "web-2"}, None),
        ("用户", {"成员": "小明"}, "小明"),
    ],
)
def test_one_thing_has_several_words(thing: str, bindings: dict[str, str], value: str | None):
    assert Values(Task(procedure=PROCEDURE, bindings=bindings)).row_key(thing) == value


@pytest.mark.parametrize("name", ["Project name", "Project identifier", "ID", "项目标识"])
def test_what_names_a_thing_gets_a_name_that_most_consoles_take(name: str):
    element = Element(id=1, role="textbox", name=name, box=Box(0, 0, 1, 1))
    assert Values(Task(procedure=PROCEDURE, unique="u1")).make_up(element) == "docs-check-u1"


@pytest.mark.parametrize(
    ("name", "kind", "bounds", "pattern"),
    [
        ("Year", "number", Bounds(least=1500, most=2090), r"20\d\d"),
        ("Copies", "number", Bounds(least=3), "3"),
        ("Copies", "number", Bounds(most=5), "1"),
        ("Share", "number", Bounds(most=0.5), r"0\.5"),
        ("Start", "date", None, r"20\d\d-\d\d-\d\d"),
        ("Start date", "text", None, r"20\d\d-\d\d-\d\d"),
        ("Last update", "text", None, "docs check u1"),
        ("Name", "text", Bounds(max_length=7), "heck-u1"),
    ],
)
def test_what_is_made_up_is_what_the_field_says_it_takes(
    name: str, kind: str, bounds: Bounds | None, pattern: str
):
    role = "spinbutton" if kind == "number" else "textbox"
    element = Element(id=1, role=role, name=name, type=kind, bounds=bounds, box=Box(0, 0, 1, 1))
    made = Values(Task(procedure=PROCEDURE, unique="u1")).make_up(element)
    assert re.fullmatch(pattern, made)
