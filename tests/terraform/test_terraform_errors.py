"""What the provider says when something is wrong, against the real Terraform."""

import pytest
import terraform_hcl as hcl
from terraform_hcl import HEAD, KINDS
from terraform_runner import actions

pytestmark = pytest.mark.timeout(300)


def wrong_values(kind):
    """`(field, value)`: values that cannot be right, and can be told without the cloud."""
    for field in kind.fields:
        if not field.generated:
            for value in _wrong(field):
                yield field, value


def _wrong(field):
    match field.kind:
        case "text" | "multiline" | "secret" | "code":
            yield from _wrong_texts(field)
        case "number":
            yield from (field.min - 1, field.max + 1, field.min + 0.5)
        case "choice":
            yield "no-such-option"
        case "choices":
            yield [field.options[0], "no-such-option"]
        case "file":
            yield {"content": hcl.Raw('upper("no base64")'), "name": field.example}
        case _:
            yield from WRONG.get(field.kind, ())


WRONG = {
    "tags": [{" ": "no key"}],
    "cidr": ["10.0.0.0/33", "here"],
    "date": ["2027-02-30", "tomorrow"],
    "time": ["25:00", "noon"],
}


def _wrong_texts(field):
    yield "x" * (field.max_length + 1)
    if field.min_length > 1:
        yield "x"
    if field.pattern:
        yield "\N{SNOWMAN} <no>"
    if field.language == "json":
        yield '{"open": '


def _good(kind, field):
    """Values of a block that asks for a field."""
    variants = [hcl.values(kind, variant) for variant in ("full", "small", "other")]
    return next((said for said in variants if field.name in said), variants[0])


@pytest.fixture(scope="module")
def complaints(terraform):
    """What `terraform validate` says of every wrong value, by kind and number of the value."""
    texts = {kind.name: "" for kind in KINDS.values()}
    starts = {}
    for kind in KINDS.values():
        for number, (field, value) in enumerate(wrong_values(kind)):
            said = {**_good(kind, field), field.name: value}
            said = {n: _plain(kind.field(n), v) for n, v in said.items()}
            starts[kind.name, number] = texts[kind.name].count("\n") + 1
            texts[kind.name] += hcl.block(kind, f"wrong{number}", said)
    tf = terraform()
    tf.init(HEAD)
    found = {}
    for kind, line, summary, detail in tf.validate(texts):
        number = max(n for (name, n), start in starts.items() if name == kind and start <= line)
        attribute = texts[kind].splitlines()[line - 1].split()[0]
        found.setdefault((kind, number), []).append((attribute, summary, detail))
    return found


def _plain(field, value):
    if field.kind == "reference":
        return "some-id"
    return ["some-id"] if field.kind == "references" else value


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_wrong_value_is_told_at_its_line_before_anything_is_done(complaints, kind):
    for number, (field, value) in enumerate(wrong_values(kind)):
        told = complaints.get((kind.name, number), [])
        # Attributes that depend on a wrong one may be told of as well.
        dependent = {f.attribute for f in kind.fields if f.shown_if}
        found = [each for each in told if each[0] not in dependent - {field.attribute}]
        assert [(where, summary) for where, summary, _ in found] == [
            (field.attribute, f"Invalid {field.attribute}")
        ], (field.name, str(value)[:50], told)
        assert found[0][2]


CONDITIONAL = """\
resource "practice_database" "wrong" {
  name               = "example"
  engine             = "mysql"
  postgresql_version = "15"
  network            = "n"
  subnet             = "s"
  password           = "Example-Pass-2025"
}
resource "practice_instance" "wrong" {
  name    = "example"
  network = "n"
  subnet  = "s"
  groups  = []
  key     = "k"
}
resource "practice_network" "unknown" {
  name = practice_instance.wrong.id
  cidr = practice_instance.wrong.id
}
"""


def test_conditions_between_attributes_are_checked(terraform):
    tf = terraform()
    tf.init(HEAD)
    details = {detail for *_, detail in tf.validate({"wrong": CONDITIONAL})}
    assert 'PostgreSQL version can only be given where engine is "postgresql".' in details
    assert {"Image is required.", "Security groups is required."} <= details
    assert len(details) == 3  # what is not known yet is left alone


NETWORK = f"""{HEAD}
resource "practice_network" "one" {{
  name = "one"
}}
"""


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"PRACTICE_TOKEN": "wrong"}, "The practice cloud cannot be used: Unauthenticated"),
        ({"PRACTICE_ENDPOINT": ""}, "Set endpoint, or the variable PRACTICE_ENDPOINT"),
        ({"PRACTICE_ENDPOINT": "http://127.0.0.1:9"}, "http://127.0.0.1:9 does not answer"),
        ({"PRACTICE_USER": ""}, "Set token, or user and password_file"),
        ({"PRACTICE_PASSWORD_FILE": "/no/such"}, "password_file cannot be read"),
        ({"PRACTICE_REGION": "nowhere"}, "nowhere"),
    ],
)
def test_a_provider_that_cannot_work_says_so(terraform, variables, says):
    tf = terraform(**variables)
    tf.init(NETWORK)
    told = tf.run("plan", "-no-color", code=1)
    assert says in " ".join(told.replace("│", "").split())


def test_what_the_cloud_refuses_is_told_at_the_attribute(terraform, api):
    taken = f'{NETWORK}resource "practice_network" "two" {{\n  name = "one"\n}}\n'
    tf = terraform()
    tf.init(taken)
    tf.plan()
    errors = tf.apply()
    assert list(errors) in (["practice_network.one"], ["practice_network.two"])
    assert "Cannot create the network: NameAlreadyTaken: The name one" in next(
        iter(errors.values())
    )
    assert tf.destroy() == {}


def test_a_reader_may_plan_and_not_apply(terraform):
    tf = terraform(PRACTICE_USER="viewer")
    tf.init(NETWORK)
    assert actions(tf.plan()) == {"practice_network.one": ["create"]}
    assert "AccessDenied" in tf.apply()["practice_network.one"]


def test_what_others_still_use_is_not_deleted_and_stays_known(terraform, api):
    """The provider tries for a while: what uses it may be going as well."""
    tf = terraform()
    tf.init(NETWORK + 'provider "practice" {\n  dependency_timeout_s = 1\n}\n')
    tf.plan()
    assert tf.apply() == {}
    network = tf.state()["practice_network.one"]["id"]
    subnet = api.post(
        "/api/networking/subnets",
        json={"name": "strange", "network": network, "cidr": "10.0.3.0/24"},
    ).json()
    errors = tf.destroy()
    assert "DependencyViolation" in (said := " ".join(errors.values()))
    assert "strange" in said
    assert "practice_network.one" in tf.state()
    api.delete(f"/api/networking/subnets/{subnet['id']}").raise_for_status()
    assert tf.destroy() == {}
