"""Checks files and comments: what they give, and what is said of mistakes in them."""

from pathlib import Path

import pytest

from appliance.core.checks import Checks, Comparison, EventOutcome
from appliance.core.errors import DocumentError
from appliance.documents import load_documents, parse_document

PAGE = """# Guide

## Create a bucket

1. Click **Create**.

## Delete a bucket

1. Click **Delete**.
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("guide").mkdir()
    path = Path("guide/page.md")
    path.write_text(PAGE)
    return path


def checked(page, text, name="page.checks.yaml"):
    (page.parent / name).write_text(text)
    (document,) = load_documents([page])
    return {p.id.rsplit("/", 1)[-1]: p.checks for p in document.procedures}


def refused(page, text):
    with pytest.raises(DocumentError) as caught:
        checked(page, text)
    return str(caught.value)


def create(text):
    return "procedures:\n  create-a-bucket:\n" + text


@pytest.mark.parametrize(
    "key", ["create-a-bucket", "guide/page/create-a-bucket", "Create a bucket", "create a Bucket"]
)
def test_a_procedure_is_named_by_slug_id_or_title(page, key):
    found = checked(page, f"procedures:\n  {key}:\n    skip: not now\n")
    assert found["create-a-bucket"].skip == "not now"
    assert found["delete-a-bucket"] == Checks()


BY_SSH = """
## Connect with SSH

1. Use the `ssh` command to connect to the instance:

   ```console
   $ ssh -i my-key.pem ubuntu@10.0.0.2
   ```

2. At the prompt, type `yes`.
"""


def test_what_is_left_out_may_be_skipped_as_well(page):
    page.write_text(PAGE + BY_SSH)
    skipped = "procedures:\n  connect-with-ssh:\n    skip: done with ssh\n"
    assert set(checked(page, skipped)) == {"create-a-bucket", "delete-a-bucket"}
    said = refused(page, skipped.replace("skip: done with ssh", "bindings: {instance: docs}"))
    assert said == (
        "guide/page.checks.yaml:2: 'connect-with-ssh' is left out of guide/page.md: nothing is done"
        " in a console there, so that it can only be skipped"
    )


def test_values_stay_what_was_written(page):
    found = checked(
        page,
        create(
            "    bindings: {Count: 2, Size: 1.50, Flag: yes, Id: 0x1f}\n"
            "    needs: [quota, {bucket: {name: a, size: 3}}]\n"
            "    expect:\n      - event: Create*\n        at_least: 2\n        outcome: any\n"
            "        where:\n          parameters.size: 3\n          raw.0.x: {one_of: [1, on]}\n"
            "          target_name: {matches: ^a}\n"
        ),
    )["create-a-bucket"]
    assert found.bindings == {"Count": "2", "Size": "1.50", "Flag": "yes", "Id": "0x1f"}
    assert [(n.kind, n.values) for n in found.needs] == [
        ("quota", {}),
        ("bucket", {"name": "a", "size": "3"}),
    ]
    (rule,) = found.expect
    assert (rule.at_least, rule.outcome, rule.service) == (2, None, "*")
    assert [(c.path, c.comparison, c.expected) for c in rule.where] == [
        ("parameters.size", Comparison.EQUALS, ("3",)),
        ("raw.0.x", Comparison.ONE_OF, ("1", "on")),
        ("target_name", Comparison.MATCHES, ("^a",)),
    ]
    assert (rule.span.file, rule.span.line) == ("guide/page.checks.yaml", 6)
    assert found.source == "guide/page.checks.yaml"


def test_success_is_expected_unless_said_otherwise(page):
    found = checked(
        page, create("    expect: [{event: X}]\n    forbid: [{event: Y, outcome: failure}]\n")
    )
    assert found["create-a-bucket"].expect[0].outcome is EventOutcome.SUCCESS
    assert found["create-a-bucket"].forbid[0].outcome is EventOutcome.FAILURE


def test_an_empty_file_says_nothing(page):
    assert checked(page, "")["create-a-bucket"] == Checks()
    assert checked(page, "# nothing\n", "page.md.checks.yaml")["create-a-bucket"] == Checks()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (create("    expct: []\n"), ":3: unknown key 'expct'; did you mean 'expect'?"),
        ("proceduress: {}\n", ":1: unknown key 'proceduress'; did you mean 'procedures'?"),
        ("procedures: {}\nx: 1\n", ":2: unknown key 'x'; it may be one of procedures"),
        (
            create("    expect:\n      - evnt: X\n        event: X\n"),
            ":4: unknown key 'evnt'; did you mean 'event'?",
        ),
        (
            create("    expect:\n      - service: X\n"),
            ":4: procedures.create-a-bucket.expect.0.event is missing",
        ),
        (
            create("    expect: [{event: X, at_least: some}]\n"),
            ":3: procedures.create-a-bucket.expect.0.at_least must be a whole number",
        ),
        (
            create("    expect: [{event: X, at_least: 0}]\n"),
            ":3: procedures.create-a-bucket.expect.0.at_least: Input should be greater than",
        ),
        (
            create("    expect: [{event: X, outcome: good}]\n"),
            "Input should be 'success', 'failure', 'unknown' or 'any'",
        ),
        (
            create("    expect: {event: X}\n"),
            ":3: procedures.create-a-bucket.expect must be a list",
        ),
        (
            create("    bindings: [a]\n"),
            ":3: procedures.create-a-bucket.bindings must be a mapping",
        ),
        (
            create("    bindings:\n      a: [1]\n"),
            ":4: procedures.create-a-bucket.bindings.a must be a plain value",
        ),
        (
            create("    forbid:\n    - event: X\n      where: {nme: a}\n"),
            ":5: procedures.create-a-bucket.forbid.0.where: an event has no 'nme'; did you mean",
        ),
        (
            create("    expect:\n    - event: X\n      where:\n        name: {matches: '('}\n"),
            ":6: procedures.create-a-bucket.expect.0.where.name.matches: '(' is no regular",
        ),
        (
            create("    expect:\n    - event: X\n      where:\n        name: {}\n"),
            ":6: procedures.create-a-bucket.expect.0.where.name: give a value, or one of",
        ),
        (
            create("    expect:\n    - event: X\n      where:\n        name: {like: a}\n"),
            ":6: unknown key 'like'",
        ),
        (
            "procedures:\n  creat-a-bucket: {}\n",
            ":2: no procedure 'creat-a-bucket' in guide/page.md; did you mean 'create-a-bucket'?",
        ),
        (
            "procedures:\n  zzz: {}\n",
            ":2: no procedure 'zzz' in guide/page.md; it has: create-a-bucket, delete-a-bucket",
        ),
        (
            "procedures:\n  create-a-bucket: {}\n  Create a bucket: {}\n",
            ":3: guide/page/create-a-bucket has checks already above",
        ),
        ("procedures:\n  a: {}\n  a: {}\n", ":3:3: the key 'a' stands here twice"),
        ("procedures:\n  a: [\n", ":3:1: not valid YAML: "),
        ("procedures:\n  ? [a]\n  : x\n", ":2:5: a key must be plain text"),
        ("procedures: &a\n  b: *a\n", ":1:13: `&a` is an anchor, and anchors are not read"),
        ("a: b\n---\nc: d\n", ":2:1: not valid YAML: "),
        ("\x01", ":1: not valid YAML: "),
        ("- a\n", ":1: the file must be a mapping"),
        ("procedures: {create-a-bucket: 3}\n", ":1: procedures.create-a-bucket must be a mapping"),
    ],
)
def test_a_mistake_is_named_with_its_line(page, text, said):
    message = refused(page, text)
    assert message.startswith("guide/page.checks.yaml")
    assert said in message


def test_a_name_that_fits_two_procedures(page):
    page.write_text(
        "# A\n\n## X\n\n### Go\n\n1. Click **A**.\n\n## Y\n\n### Go\n\n1. Click **B**.\n"
    )
    message = refused(page, "procedures: {go: {}}\n")
    assert "names several procedures: write one of guide/page/x/go, guide/page/y/go" in message
    assert (
        checked(page, "procedures: {x/go: {skip: a}, guide/page/y/go: {skip: b}}\n")["go"].skip
        == "b"
    )


def test_a_file_that_is_not_text(page):
    (page.parent / "page.checks.yaml").write_bytes(b"\xff")
    with pytest.raises(DocumentError, match=r"page\.checks\.yaml: is not UTF-8 at offset 0"):
        load_documents([page])


def test_a_folder_of_checks_goes_before_the_sidecar(page, tmp_path):
    checked(page, create("    skip: beside\n") + "  delete-a-bucket: {skip: beside}\n")
    Path("more/guide").mkdir(parents=True)
    Path("more/guide/page.checks.yaml").write_text(create("    skip: from the folder\n"))
    Path("more/page.checks.yaml").write_text(create("    skip: not this one\n"))
    (document,) = load_documents([page], [Path("more")])
    assert [p.checks.skip for p in document.procedures] == ["from the folder", "beside"]
    Path("more/guide/page.checks.yaml").unlink()
    (document,) = load_documents([page], [Path("more")])
    assert document.procedures[0].checks.skip == "not this one"


BODY = "procedures:\n  create-a-bucket:\n    expect: [{event: X}]\n"


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("markdown", f"<!-- checks:\n{BODY}-->\n\n" + PAGE),
        (
            "html",
            f"<h1>G</h1>\n<!-- checks:\n{BODY}-->\n<h2>Create a bucket</h2><ol><li>Click A</ol>",
        ),
        (
            "rst",
            "G\n=\n\n.. checks:\n"
            + "".join(f"   {line}\n" for line in BODY.splitlines())
            + "\nCreate a bucket\n---------------\n\n#. Click :guilabel:`A`.\n",
        ),
        ("asciidoc", f"= G\n\n////\nchecks:\n{BODY}////\n\n== Create a bucket\n\n. Click *A*.\n"),
    ],
)
def test_a_comment_in_the_document(format, text):
    document = parse_document(text, "guide/page", format)
    (rule,) = document.procedures[0].checks.expect
    assert rule.event == "X"
    assert rule.span is not None
    assert document.lines[rule.span.line - 1].strip() == "expect: [{event: X}]"
    assert document.procedures[0].checks.source == "guide/page"


def test_a_comment_in_a_section_is_about_its_procedure():
    text = PAGE + "\n<!-- checks:\nskip: never\nbindings: {a: 1}\n-->\n"
    document = parse_document(text, "guide/page.md", "markdown")
    assert [p.checks.skip for p in document.procedures] == [None, "never"]
    with pytest.raises(
        DocumentError, match=r"guide/page\.md:12: unknown key 'skp'; did you mean 'skip'"
    ):
        parse_document(text.replace("skip", "skp"), "guide/page.md", "markdown")
    with pytest.raises(DocumentError, match="there is no procedure in this document"):
        parse_document("<!-- checks:\nskip: x\n-->", "guide/page.md", "markdown")


def test_a_comment_about_something_else_is_none_of_our_business():
    text = "<!-- checks out -->\n<!--checks: are good-->\n" + PAGE
    assert parse_document(text, "a.md", "markdown").procedures[0].checks == Checks()


def test_checks_shown_as_an_example_are_none():
    text = "```html\n<!-- checks:\nprocedures: {nope: {}}\n-->\n```\n" + PAGE
    assert parse_document(text, "a.md", "markdown").procedures[0].checks == Checks()


RULES = """
    expect:
      - event: CreateDisk
        as: disk
        exactly: 1
        where: {parameters.size: {between: [10, "${Size}"]}, error_code: {exists: no}}
      - any_of:
          - {event: AttachDisk, as: attached, where: {target_id: "${disk.target_id}"}}
          - - event: PlugDisk
              as: attached
            - in_order: [{event: A}, {event: B, at_least: 2}]
      - in_order:
          - {event: Format, after: attached}
          - {event: Mount, where: {parameters.tries: {less_than: 3}}}
    forbid:
      - {event: DetachDisk, after: [disk, attached], at_least: 2}
"""


def test_rules_that_speak_of_each_other(page):
    found = checked(page, create(RULES))["create-a-bucket"]
    disk, ways, form, mount = found.expect
    assert (disk.name, disk.at_least, disk.at_most) == ("disk", 1, 1)
    assert [(c.comparison, c.expected) for c in disk.where] == [
        (Comparison.BETWEEN, ("10", "${Size}")),
        (Comparison.EXISTS, ("false",)),
    ]
    (attach,), (plug, a, b) = ways.alternatives
    assert attach.where[0].expected == ("${disk.target_id}",)
    assert (attach.name, plug.name) == ("attached", "attached")
    assert (b.after, b.at_least) == ((a.name,), 2)
    assert (form.after, mount.after) == (("attached",), (form.name,))
    assert found.forbid[0].after == ("disk", "attached")
    assert [rule.event for rule in found.expected()] == [
        *("CreateDisk", "AttachDisk", "PlugDisk", "A", "B", "Format", "Mount")
    ]
    assert [rule.span.line for rule in found.expected()] == [5, 10, 11, 13, 13, 15, 16]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("- {event: X, exactly: 1, at_least: 1}", ":4: {}.0: `exactly` says it all"),
        ("- {event: X, at_least: 3, at_most: 2}", ":4: {}.0: no number is at least 3 and at most"),
        ("- {event: X, at_most: 0}", ":4: {}.0.at_most: Input should be greater than"),
        (
            "- event: X\n      where:\n        name: {more_than: ten}",
            ":6: {}.0.where.name: `more_than` compares numbers, and 'ten' is none",
        ),
        ("- {event: X, where: {name: {at_most: NaN}}}", "compares numbers, and 'NaN' is none"),
        ("- {event: X, where: {name: {between: [3, 2]}}}", "nothing is between 3 and 2"),
        ("- {event: X, where: {name: {between: [3]}}}", "`between` takes two numbers"),
        ("- {event: X, where: {name: {between: 3}}}", "where.name.between must be a list"),
        ("- {event: X, where: {name: {one_of: []}}}", "`one_of` has no value"),
        ("- {event: X, where: {name: {exists: perhaps}}}", "exists must be true or false"),
        (
            "- {event: X, where: {name: {at_least: 1, at_most: 2}}}",
            "two bounds are `between: [low, high]`",
        ),
        ("- {event: X, where: {name: {morethan: 1}}}", "'morethan'; did you mean 'more_than'?"),
        ("- evnt: X", ":4: unknown key 'evnt'; did you mean 'event'?"),
        ("- any_off: [{event: X}]", ":4: unknown key 'any_off'; did you mean 'any_of'?"),
        ("- any_of: [{event: X}]", ":4: {}.0.any_of must have two entries at least"),
        ("- any_of: [{event: X}, []]", ":4: this way has no rules"),
        ("- any_of:\n      - {event: X}\n      - Y", ":6: {}.0.any_of.1 must be a mapping"),
        (
            "- any_of:\n      - {event: X}\n      - evnt: Y",
            ":6: unknown key 'evnt'; did you mean 'event'?",
        ),
        (
            "- any_of:\n      - {event: X}\n      - - {event: Y}\n        - {event: Z, in: 1}",
            ":7: unknown key 'in'",
        ),
        ("- in_order: {event: X}", ":4: {}.0.in_order must be a list"),
        ("- in_order: [{any_of: []}, {event: X}]", "unknown key 'any_of'"),
        (
            "- in_order:\n      - {event: X, at_least: 2}\n      - {event: Y}",
            ":5: the rule of line 5 wants several events",
        ),
        ("- {event: X, as: 2nd}", "'2nd' is no name"),
        ("- {event: X, as: Name}", "'Name' is the name of a binding: call the rule otherwise"),
        ("- {event: X, as: a}\n    - {event: Y, as: a}", ":5: 'a' is the rule of line 4 already"),
        ("- {event: X, as: a, after: a}", ":4: 'a' refers to itself"),
        ("- {event: X, after: b}\n    - {event: Y, as: b}", ":4: 'b' stands below: rules refer to"),
        (
            "- {event: X, as: made}\n    - {event: Y, after: mode}",
            ":5: no rule above is called 'mode'; did you mean 'made'?",
        ),
        ("- {event: X, after: a}", "no rule above is called 'a'; there are: none has a name"),
        (
            "- {event: X, as: made}\n"
            "    - event: Y\n      where:\n        target_id: ${maed.target_id}",
            ":7: no rule above is called 'maed'; did you mean 'made'?",
        ),
        (
            "- {event: X, as: a}\n    - {event: Y, where: {name: '${a}'}}",
            ":5: 'a' is a rule: say which value, as ${{a.target_id}}",
        ),
        (
            "- {event: X, as: a}\n    - {event: Y, where: {name: '${a.parameter.x}'}}",
            "an event has no 'parameter'; did you mean 'parameters'?",
        ),
        (
            "- {event: X, as: a}\n    - {event: Y, where: {name: '${a.raw.*}'}}",
            "`*` may be several values; say which",
        ),
        (
            "- {event: X, as: a}\n    - {event: '${a.name}'}",
            ":5: ${{a.name}}: only values under `where` refer to other rules",
        ),
        (
            "- {event: X, as: a, at_least: 2}\n    - {event: Y, after: a}",
            ":5: the rule of line 4 wants several events",
        ),
        (
            "- any_of: [{event: X, as: a}, {event: Y}]\n    - {event: Z, after: a}",
            ":5: 'a' (line 4) is in one way of `any_of` only",
        ),
        (
            "- any_of: [{event: X, as: a}, {event: Y, as: a, at_least: 2}]\n"
            "    - {event: Z, after: a}",
            "wants several events",
        ),
        ("- [a]", ":4: {}.0 must be a mapping"),
    ],
)
def test_a_rule_that_can_never_be_is_named_when_the_file_is_read(page, rules, said):
    message = refused(page, create(f"    expect:\n    {rules}\n    bindings: {{Name: a}}\n"))
    assert said.format("procedures.create-a-bucket.expect") in message


@pytest.mark.parametrize("more", ["as: a", "at_most: 1", "exactly: 1", "any_of: []"])
def test_what_is_forbidden_is_plain(page, more):
    message = refused(page, create(f"    forbid:\n    - {{event: X, {more}}}\n"))
    assert f":4: unknown key {more.split(':')[0]!r}" in message


def test_a_dotted_name_may_be_that_of_a_bound_value(page):
    rules = "    expect: [{event: X, where: {name: '${disk.id}'}}]\n"
    assert checked(page, create(rules + "    bindings: {disk.id: a}\n"))["create-a-bucket"].expect
    assert "no rule above" in refused(page, create(rules))
    rules = rules.replace("disk.id", "Size (max. GiB)")
    assert checked(page, create(rules))["create-a-bucket"].expect


def test_a_file_of_too_many_rules(page):
    rules = "    - {event: X}\n" * 301
    assert ":304: more than 300 rules" in refused(page, create(f"    expect:\n{rules}"))
