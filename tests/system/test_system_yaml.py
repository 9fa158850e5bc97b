"""YAML from anybody: what it may be, and that the limits hold before anything is built."""

import time

import pytest

from appliance.system.yaml import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_VALUES,
    YamlError,
    load,
    read_located,
)


def _bomb(levels: int) -> str:
    lines = [f"a0: &a0 [{', '.join(['x'] * 9)}]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


_TAGS = "".join(f"%TAG !a{n}! b\n" for n in range(30_000))
"""Each is compared with all before it."""


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        (_TAGS, 1, 1, "`%TAG` is a directive, and directives are not read"),
        ("a: b\n...\n" + _TAGS, 3, 1, "`%TAG` is a directive"),
        (_bomb(9), 1, 5, "`&a0` is an anchor, and anchors are not read: write the value out"),
        ("a: x\nevent: *Bucket\n", 2, 8, "`*Bucket` is an alias"),
        ("a:\n  <<: {b: c}\n", 2, 3, "`<<` is a merge key"),
        ("a: 1\nb: {c: 1, c: 2}\n", 2, 11, "the key 'c' stands here twice"),
        (
            "a:\n  " + "[" * 60,
            2,
            2 + MAX_DEPTH,
            f"nested too deeply: at most {MAX_DEPTH} levels",
        ),
        ("a: " + "{b: " * 5000, 1, 3 + 1, "nested too deeply"),
        ("- x\n" * (MAX_VALUES + 5), MAX_VALUES, 3, "more than 200,000 values: divide the file"),
        ("#" * (MAX_CHARACTERS + 1), 1, 1, "1,048,577 characters of YAML: at most 1,048,576 are"),
        ("a: b\nc: \x07", 2, 4, "not valid YAML: the character U+0007"),
        ("a: b\nc: \ud800", 2, 4, "not valid YAML: the character U+D800"),
        ("a: b\nc: d: e\n", 2, 5, "not valid YAML: mapping values are not allowed"),
        ("a: !!python/object:os.x {}", 1, 4, "not valid YAML: could not determine a constructor"),
        ("a: 1" + ":1" * 500_000, 1, 4, "a number of more than 1,000 characters"),
        ("a: !!bool x", 1, 1, "not valid YAML: "),
        ("a: !!int ''", 1, 1, "not valid YAML: "),
        ("a: !!timestamp x", 1, 1, "not valid YAML: "),
        ("a: !!map [x]", 1, 1, "not valid YAML: "),
        ("a: 2026-13-45", 1, 1, "not valid YAML: month must be in 1..12"),
    ],
)
def test_what_is_refused_is_refused_at_once_with_its_place(text, line, column, says):
    began = time.process_time()
    with pytest.raises(YamlError) as refused:
        load(text)
    assert str(refused.value).startswith(says)
    assert (refused.value.line, refused.value.column)[: 1 if "{b" in text else 2] == (
        (line,) if "{b" in text else (line, column)
    )
    assert time.process_time() - began < 5  # the longest of them has 800 kB


def test_what_is_plain_is_read_as_before():
    text = "a: [1, 2.5, true, null, 'x']\nb:\n  c: 2026-01-02\n? d\n: |\n  e\n"
    said = load(text)
    assert said["a"] == [1, 2.5, True, None, "x"]
    assert said["b"]["c"].isoformat() == "2026-01-02"
    located = read_located(text, "f.yaml", 10)
    assert located.value == {
        "a": ["1", "2.5", "true", None, "x"],
        "b": {"c": "2026-01-02"},
        "d": "e\n",
    }
    assert str(located.place(("b", "c"))).startswith("f.yaml:13")
    assert load("") is None
    assert load("%YAML 1.2\n---\na: 50%\n") == {"a": "50%"}


def test_a_place_is_one_of_the_whole_file():
    with pytest.raises(YamlError) as refused:
        read_located("x: &y z", "guide.md", 41)
    assert refused.value.line == 42
