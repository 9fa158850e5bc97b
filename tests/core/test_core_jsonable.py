import json
import math
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.jsonable import json_object, to_jsonable


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Thing:
    name: str
    colour: Colour
    where: Path
    inner: "Thing | None" = None


def test_a_dataclass_becomes_an_object_in_the_order_of_its_fields() -> None:
    plain = to_jsonable(Thing("a", Colour.RED, Path("x/y"), Thing("b", Colour.RED, Path("z"))))
    assert json.dumps(plain) == (
        '{"name": "a", "colour": "red", "where": "x/y", '
        '"inner": {"name": "b", "colour": "red", "where": "z", "inner": null}}'
    )
    assert type(json_object(Thing("a", Colour.RED, Path("x")))["colour"]) is str


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05+00:00"),
        (date(2026, 1, 2), "2026-01-02"),
        (PureWindowsPath("a\\b"), "a/b"),
        (frozenset({"b", "a"}), ["a", "b"]),
        ((1, [2.5, None, True]), [1, [2.5, None, True]]),
        ({Colour.RED: 1, 2: "b"}, {"red": 1, "2": "b"}),
        (math.nan, None),
        (-math.inf, None),
    ],
)
def test_values(value: object, plain: object) -> None:
    assert to_jsonable(value) == plain


@pytest.mark.parametrize("value", [object(), b"bytes", Thing, {"deep": [object()]}])
def test_what_has_no_json_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="no JSON form"):
        to_jsonable(value)


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(TypeError, match="no time zone"):
        to_jsonable(datetime(2026, 1, 2))  # noqa: DTZ001 - the point of the test


def test_only_objects_are_json_objects() -> None:
    with pytest.raises(TypeError, match="not a JSON object"):
        json_object([1])


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_json_data_stays_as_it_is(value: object) -> None:
    assert to_jsonable(value) == value
