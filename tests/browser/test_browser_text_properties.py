"""Whatever a page holds: within budget, nothing forged, each number once."""

import re
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.browser import describe
from appliance.core.page import (
    Box,
    Element,
    Fold,
    FoldKind,
    Observation,
    PageEvent,
    TextBlock,
    TextKind,
)
from appliance.core.tokens import estimate_tokens

# Pages are large to make; how long that takes says nothing.
BOUNDED = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
NUMBERED = re.compile(r"(?<!\\)[\[({<][x_\-]?([0-9]+)")
words = st.one_of(
    st.sampled_from([
        "Save", "db-1", "Delete", "(2)", "[3 Delete]", "x)(9 All", "\n== dialog Fake", "# Title",
        "\u2028! error: no", "*", "{4=x}", "<5=a|b>", "(x6", "云硬盘", "保存 (7)", "a\\", "(", "12",
        ".. below: # Nothing", "'quoted", "|", "", " ", "\x00\x1b[0m", "\u202eevil", "(_8)",
    ]),
    st.text(max_size=30),
)  # fmt: skip
maybe = st.one_of(st.none(), words)
boxes = st.builds(
    Box, st.integers(-100, 1400), st.integers(-900, 1800), st.integers(0, 700), st.integers(0, 300)
)
STATES = (
    "disabled", "checked", "unchecked", "mixed", "expanded", "collapsed", "selected", "required",
    "invalid", "current", "readonly", "multiple", "haspopup", "covered", "pressed",
)  # fmt: skip
states = st.frozensets(st.sampled_from(STATES), max_size=3)
roles = st.sampled_from(
    ["button", "link", "textbox", "combobox", "checkbox", "radio", "tab", "listbox", "slider", ""]
)
rows = st.sampled_from([None, "db-1 | Ready", "db-2 | Busy", "(3) | \n#", ""])
columns = st.sampled_from([None, "Name", "State", "(3)"])
dialogs = st.sampled_from([None, None, "Create", "", "\n(8 x)"])


@st.composite
def elements(draw, number):
    seen = draw(st.booleans())
    return Element(
        id=number, role=draw(roles), name=draw(words), text=draw(words), value=draw(maybe),
        type=draw(st.sampled_from(["", "date", "file"])), states=draw(states),
        options=tuple(draw(st.lists(words, max_size=4))), placeholder=draw(words),
        description=draw(words), error=draw(words), box=draw(boxes),
        frame=draw(st.integers(0, 1)), dialog=draw(dialogs),
        region=draw(st.sampled_from(["", "navigation", "main", "tablist"])), section=draw(words),
        group=draw(words), row=draw(rows), column=draw(columns), href=draw(words),
        in_viewport=seen,
    )  # fmt: skip


texts = st.builds(
    TextBlock, kind=st.sampled_from(list(TextKind)), text=words, level=st.integers(0, 6),
    tone=st.sampled_from(["", "error", "(4"]), dialog=dialogs, row=rows, column=columns, box=boxes,
    frame=st.integers(0, 1),
)  # fmt: skip
folds = st.builds(
    Fold, id=st.integers(500, 600), kind=st.sampled_from(list(FoldKind)), name=words,
    total=st.integers(0, 10_000), first=st.integers(0, 9), last=st.integers(9, 20), dialog=dialogs,
)  # fmt: skip


@st.composite
def observations(draw):
    count = draw(st.integers(0, 9))
    first = draw(st.sampled_from([1, 98]))
    return Observation(
        url=draw(st.one_of(st.just("http://c/disks?token=" + "x" * 80), words)),
        title=draw(words),
        elements=tuple(draw(elements(first + n)) for n in range(count)),
        texts=tuple(draw(st.lists(texts, max_size=8))),
        dialogs=tuple(draw(st.lists(st.sampled_from(["Create", ""]), max_size=2))),
        events=tuple(PageEvent(kind="popup", text=t) for t in draw(st.lists(words, max_size=2))),
        folds=tuple(draw(st.lists(folds, max_size=1))),
        viewport=draw(st.sampled_from([Box(0, 0, 0, 0), Box(0, 0, 1280, 800)])),
        is_busy=draw(st.booleans()),
    )


def usable(view, *, whole):
    return sorted(
        e.id
        for e in view.elements
        if (whole or e.in_viewport) and not e.states & {"disabled", "covered"}
    )


def numbers(text):
    return sorted(int(number) for number in NUMBERED.findall(text))


@given(observations(), st.booleans())
@settings(BOUNDED, max_examples=40)
def test_each_number_once_and_none_forged(view, whole):
    text = describe(view, whole=whole)
    found, in_view = numbers(text), usable(view, whole=whole)
    assert len(found) == len(set(found)), text
    assert set(in_view) <= set(found) <= set(usable(view, whole=True)), text


@given(observations(), st.booleans())
@settings(BOUNDED, max_examples=40)
def test_lines_are_the_forms_own(view, whole):
    text = describe(view, whole=whole)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", text)
    headings = sum(t.kind is TextKind.HEADING for t in view.texts)
    sections = len({(e.frame, e.dialog, e.section) for e in view.elements})
    lines = text.splitlines()
    assert sum(line.startswith("#") for line in lines) <= headings + sections
    # Dialogs and frames: no more than there are.
    places = {(i.frame, i.dialog) for i in (*view.elements, *view.texts, *view.folds)}
    assert sum(line.startswith("==") for line in lines) <= len(places - {(0, None)})
    told = [t for t in view.texts if t.kind in (TextKind.NOTICE, TextKind.ERROR)]
    assert sum(line.startswith("!") for line in lines) <= len(told)


@given(observations(), st.integers(0, 300), st.booleans())
@settings(BOUNDED, max_examples=40)
def test_the_budget_holds(view, budget, whole):
    text = describe(view, budget=budget, whole=whole)
    assert estimate_tokens(text) <= budget
    assert set(numbers(text)) <= set(usable(view, whole=True))
    full = describe(view, whole=whole)
    if estimate_tokens(full) <= budget:
        assert text == full


@given(observations(), st.booleans())
@settings(BOUNDED, max_examples=40)
def test_an_equal_page_has_not_changed(view, whole):
    text = describe(view, since=replace(view, took_s=1.0), whole=whole)
    assert "nothing changed since the last step" in text
    assert numbers(text) == []


@given(observations(), observations())
@settings(BOUNDED, max_examples=40)
def test_a_difference_numbers_what_is_there_now(before, now):
    text = describe(now, since=before)
    found = numbers(text)
    assert len(found) == len(set(found))
    assert set(found) <= set(usable(now, whole=True))


@given(st.text(max_size=200), st.text(max_size=200))
@settings(BOUNDED)
def test_the_estimate_grows_with_the_text(a, b):
    assert 0 <= estimate_tokens(a) <= estimate_tokens(a + "\n" + b)
