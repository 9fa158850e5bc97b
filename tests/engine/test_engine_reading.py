"""Which procedures a run is about."""

import pytest

from appliance.core.errors import SetupError
from appliance.documents import outline_of, parse_document
from appliance.engine.reading import choose, read_documents, with_candidates

PAGE = """# Buckets

## What a bucket is

It is a container.

## Make a bucket

It comes into being by the button.
"""
STEPS = "\n## Delete a bucket\n\n1. Click **Delete**.\n"


def titles(text: str, *patterns: str) -> list[str]:
    document = outline_of(parse_document(text, "guide/page", "markdown"))
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


def test_the_same_problem_of_many_documents_is_told_once(tmp_path):
    for name in ("a", "b", "c"):
        text = "= T\n\n== Save\n\n. Click *Save*.\n. Click {gone}.\n"
        (tmp_path / f"{name}.adoc").write_text(text)
    told: list[str] = []
    assert len(read_documents([tmp_path], (), told.append)) == 3
    (one,) = told
    assert one.startswith(f"{tmp_path}/a.adoc:6: takes text from elsewhere")
    assert one.endswith("(2 more such places)")
