"""Checks written into a checks file: all else in it stays as it is."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.core.checks import (
    AnyOf,
    Checks,
    Comparison,
    Constraint,
    EventOutcome,
    EventRule,
    Need,
)
from appliance.core.errors import DocumentError
from appliance.documents import (
    as_yaml,
    checks_as_yaml,
    key_of,
    parse_document,
    plain_checks,
    read_checks,
    sidecar_of,
    with_checks,
)

PAGE = "# Guide\n\n## Create\n\n1. Click **A**.\n\n## Delete\n\n1. Click **B**.\n"
CREATE, DELETE = parse_document(PAGE, "guide/page.md", "markdown").procedures
RULE = EventRule(
    event="CreateBucket",
    where=(
        Constraint(path="target_name", comparison=Comparison.EQUALS, expected=("${Name}",)),
        Constraint(path="parameters.on", comparison=Comparison.EQUALS, expected=("true",)),
    ),
)
DRAFT = Checks(bindings={"Name": "a-${unique}"}, expect=(RULE,))
NEW = """\
  create:
    bindings:
      Name: a-${unique}
    expect:
      - event: CreateBucket
        where:
          target_name: ${Name}
          parameters.on: 'true'
"""
EXPECT = NEW.split("${unique}\n")[1]


def added(text, checks=DRAFT, **more):
    return with_checks(text, CREATE, checks, (CREATE, DELETE), file="page.checks.yaml", **more)


def test_a_new_file():
    assert added("") == "procedures:\n" + NEW
    assert added("# nothing yet") == "# nothing yet\nprocedures:\n" + NEW


def test_an_entry_behind_others():
    text = "# ours\nprocedures:\n    delete:   # by hand\n        skip: no\n# the end\n"
    indented = "".join(f"  {line}\n" for line in NEW.splitlines())
    assert added(text) == text.replace("# the end\n", indented + "# the end\n")


def test_rules_for_an_entry_without_any():
    text = "procedures:\n  Create: # title\n    account: a\n\n  # next\n  delete: {}\n"
    more = NEW.removeprefix("  create:\n")
    read = Checks(account="a", bindings=DRAFT.bindings, expect=DRAFT.expect)
    assert added(text, read) == text.replace("account: a\n", "account: a\n" + more)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{Other: x}", "{Other: x, Name: 'a-${unique}'}"),
        ("{}", "{Name: 'a-${unique}'}"),
        ("\n      Other: x # why", "\n      Other: x # why\n      Name: a-${unique}"),
    ],
)
def test_bindings_for_an_entry_that_has_some(before, after):
    text = f"procedures:\n  create:\n    bindings: {before}\n"
    other = {"Other": "x"} if "Other" in before else {}
    changed = added(text, Checks(bindings={**other, **DRAFT.bindings}, expect=DRAFT.expect))
    assert changed == f"procedures:\n  create:\n    bindings: {after}\n{EXPECT}"


def test_rules_that_are_there_give_way_only_where_that_is_wished():
    old = "procedures:\n  create:\n    expect:\n      - event: X\n        at_least: 2\n"
    rest = "    # of a person\n    bindings: {Name: 'a-${unique}'}\n    forbid: [{event: Y}]\n"
    with pytest.raises(DocumentError, match="create has rules under `expect`: --force replaces"):
        added(old + rest)
    forbid = (EventRule(event="Y"),)
    checks = Checks(bindings=DRAFT.bindings, expect=DRAFT.expect, forbid=forbid)
    assert added(old + rest, checks, replace=True) == ("procedures:\n  create:\n" + rest + EXPECT)


@pytest.mark.parametrize(
    "text",
    [
        "procedures: {delete: {skip: a}}\n",
        "procedures:\n  create: {account: a}\n",
        "procedures:\n  create:\n    bindings: {Name: other}\n",
    ],
)
def test_a_file_that_cannot_be_added_to_is_left_alone(text):
    account = "a" if "account: a" in text else None
    checks = Checks(account=account, bindings=DRAFT.bindings, expect=DRAFT.expect)
    with pytest.raises(DocumentError, match="cannot be added to: leave out --write"):
        added(text, checks)


def test_a_file_that_is_wrong_already_is_named():
    with pytest.raises(DocumentError, match=r"page.checks.yaml:3: unknown key 'expct'"):
        added("procedures:\n  delete:\n    expct: []\n")


def test_where_checks_of_a_document_are(tmp_path):
    page = tmp_path / "page.md"
    assert sidecar_of(page).name == "page.checks.yaml"
    (tmp_path / "page.md.checks.yaml").write_text("")
    assert sidecar_of(page).name == "page.md.checks.yaml"


def test_the_shortest_key_of_a_procedure():
    text = "# A\n\n## X\n\n### Go\n\n1. Click **A**.\n\n## Y\n\n### Go\n\n1. Click **B**.\n"
    twice = parse_document(text, "a/b.md", "markdown").procedures
    assert [key_of(p, twice) for p in twice] == ["a/b/x/go", "a/b/y/go"]
    assert key_of(CREATE, (CREATE, DELETE)) == "create"


texts = st.text(max_size=8).filter(lambda t: "${" not in t and "\x85" not in t)
paths = st.sampled_from(["target_name", "parameters.a b", "raw.0.x"])
comparisons = st.one_of(
    st.builds(
        Constraint,
        path=paths,
        comparison=st.sampled_from([Comparison.EQUALS, Comparison.NOT_EQUALS]),
        expected=st.tuples(texts),
    ),
    st.builds(
        Constraint,
        path=paths,
        comparison=st.just(Comparison.BETWEEN),
        expected=st.just(("1.5", "1e3")),
    ),
    st.builds(
        Constraint,
        path=paths,
        comparison=st.just(Comparison.EXISTS),
        expected=st.sampled_from([("true",), ("false",)]),
    ),
)


def rules(name=""):
    return st.builds(
        lambda at_least, more, **values: EventRule(
            at_least=at_least, at_most=None if more is None else at_least + more, **values
        ),
        event=texts,
        service=texts | st.just("*"),
        where=st.lists(comparisons, max_size=3, unique_by=lambda c: c.path).map(tuple),
        outcome=st.none() | st.sampled_from(EventOutcome),
        at_least=st.just(1) if name else st.integers(1, 3),
        more=st.sampled_from([None, 0, 1]),
        name=st.just(name),
        after=st.just(()) if name else st.sampled_from([(), ("first",)]),
    )


ways = st.builds(
    AnyOf, alternatives=st.lists(st.tuples(rules()), min_size=2, max_size=2).map(tuple)
)
checked = st.builds(
    Checks,
    expect=st.tuples(rules("first"), rules() | ways),
    bindings=st.dictionaries(texts, texts, max_size=2).filter(lambda b: "first" not in b),
    needs=st.lists(
        st.builds(Need, kind=texts, values=st.dictionaries(texts, texts, max_size=2)), max_size=2
    ).map(tuple),
    account=st.none() | texts,
)


@settings(max_examples=50)
@given(checked)
def test_what_is_written_is_read_again(checks):
    written = checks_as_yaml({CREATE.id: checks})
    back = read_checks(written, "a", [CREATE], "b")[CREATE.id]
    assert plain_checks(back) == plain_checks(checks)
    assert [r.name for r in back.expected()] == [r.name for r in checks.expected()]
    assert as_yaml({"procedures": {CREATE.id: plain_checks(back)}}) == written
    changed = with_checks("", CREATE, checks, (CREATE,), file=str(Path("a")))
    assert read_checks(changed, "a", [CREATE], "b")
