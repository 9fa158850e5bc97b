"""Which procedures a run is about."""

import pytest

from appliance.core.errors import SetupError
from appliance.documents import parse_document
from appliance.engine.reading import choose, with_candidates

PAGE = """# Buckets

## What a bucket is

It is a container.

## Make a bucket

It comes into being by the button.
"""
STEPS = "\n## Delete a bucket\n\n1. Click **Delete**.\n"


def titles(text: str, *patterns: str) -> list[str]:
    document = parse_document(text, "guide/page", "markdown")
    return [p.title for p in choose(with_candidates((document,), patterns), patterns)]


def test_what_names_a_task_is_one_to_a_model_in_the_order_of_the_text():
    assert titles(PAGE + STEPS) == ["Make a bucket", "Delete a bucket"]


def test_what_is_asked_for_by_name_is_one():
    assert titles(PAGE + STEPS, "*what a bucket is*") == ["What a bucket is"]


def test_where_there_is_nothing_else_all_are():
    assert titles(PAGE) == ["What a bucket is", "Make a bucket"]


def test_without_a_model_none_is():
    document = parse_document(PAGE + STEPS, "guide/page", "markdown")
    assert [p.title for p in choose((document,), ())] == ["Delete a bucket"]
    with pytest.raises(SetupError, match="none of the 1 procedures"):
        choose((document,), ["make-a-bucket"])
