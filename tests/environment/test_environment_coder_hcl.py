import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.config import CoderSettings
from appliance.core.errors import SetupError
from appliance.environment.coder._reading import Unreadable, read
from appliance.environment.coder._syntax import Text
from appliance.environment.coder._texts import control
from appliance.environment.coder._writing import as_hcl, written
from appliance.environment.coder.allowed import allowed
from appliance.environment.coder.hcl import Refused, look
from appliance.environment.coder.schema import ProviderSchema, ResourceType, load_schema
from appliance.environment.modules import Catalogue
from appliance.environment.terraform import find_terraform

sys.path[:0] = [str(Path(__file__).parent)]
from coder_script import BUCKET, GOOD, HEAD, NETWORK, OBJECT, TAIL, with_body  # noqa: E402


@pytest.fixture(scope="module")
def limits():
    """Those of the practice cloud, with a nested block to look into."""
    modules = Catalogue.load().of("practice").values()
    found = allowed(modules, load_schema("practice"), CoderSettings())
    rule = ResourceType(
        name="rule", fields=found.schema.resources["practice_bucket"].fields, blocks={}
    )
    bucket = replace(
        found.schema.resources["practice_bucket"], blocks={"rule": rule, "provisioner": rule}
    )
    return replace(
        found,
        schema=ProviderSchema(
            resources={**found.schema.resources, "practice_bucket": bucket}, data=found.schema.data
        ),
    )


def refusal(text, limits):
    with pytest.raises(Refused) as caught:
        look(text, limits)
    return str(caught.value)


def in_bucket(text):
    """A bucket with something else inside."""
    return HEAD + f'resource "practice_bucket" "this" {{\n  name = var.name\n  {text}\n}}\n' + TAIL


@pytest.mark.parametrize("text", [GOOD, NETWORK])
def test_what_is_good_is_written_anew(text, limits):
    draft = look(text, limits)
    assert look(draft.text, limits).text == draft.text
    files = draft.files("practice", "somewhere/practice")
    assert set(files) == {"main.tf", "variables.tf", "outputs.tf"}
    assert files["main.tf"].startswith("terraform {")
    assert 'source = "somewhere/practice"' in files["main.tf"]
    assert "output" not in files["main.tf"] + files["variables.tf"]


@pytest.mark.parametrize("text", [GOOD, NETWORK])
def test_it_is_written_as_terraform_formats_it(text, limits, tmp_path):
    look(text, limits).write(tmp_path, "practice", "somewhere/practice")
    command = [*find_terraform().command, "fmt", "-check", "-diff", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


BLOCKS = {
    "provider": 'provider "practice" { endpoint = "http://elsewhere" }',
    "terraform": 'terraform { backend "http" { address = "http://elsewhere" } }',
    "required providers": 'terraform { required_providers { x = { source = "a/b" } } }',
    "module": 'module "x" { source = "git::https://elsewhere/x" }',
    "module of a folder": 'module "x" { source = "../../x" }',
    "moved": "moved {\n from = practice_bucket.a\n to = practice_bucket.this\n}",
    "import": 'import {\n to = practice_bucket.this\n id = "bucket-1"\n}',
    "removed": "removed { from = practice_bucket.a }",
    "check": 'check "x" { assert { condition = true\n error_message = "no" } }',
    "ephemeral": 'ephemeral "practice_bucket" "x" {}',
    "action": 'action "local_command" "x" {}',
    "unknown": "surprise {}",
    "in capitals": 'Resource "practice_bucket" "x" { name = var.name }',
}


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_that_are_not_on_the_list(name, limits):
    kind = BLOCKS[name].split()[0]
    assert f"`{kind}` blocks are not allowed" in refusal(with_body(BLOCKS[name]), limits)


@pytest.mark.parametrize(
    "head",
    [
        'resource "null_resource" "x"',
        'resource "terraform_data" "x"',
        'resource "local_file" "x"',
        'resource "local_sensitive_file" "x"',
        'resource "practice_group" "x"',
        'data "external" "x"',
        'data "http" "x"',
        'data "local_file" "x"',
        'data "terraform_remote_state" "x"',
        'data "practice_bucket" "x"',
        "resource terraform_data x",
    ],
)
def test_types_that_are_not_on_the_list(head, limits):
    only = replace(
        limits,
        schema=replace(
            limits.schema,
            resources={"practice_bucket": limits.schema.resources["practice_bucket"]},
        ),
    )
    assert "is not allowed" in refusal(with_body(f"{head} {{}}"), only)


def test_a_type_without_a_price(limits):
    unpriced = replace(limits, unpriced=frozenset({"practice_dear"}))
    said = refusal(with_body('resource "practice_dear" "x" {}'), unpriced)
    assert "nobody knows what a practice_dear costs" in said
    assert "environment.coder.allow" in said


INSIDE = {
    "provisioner": 'provisioner "local-exec" { command = "id" }',
    "provisioner without quotes": 'provisioner local-exec { command = "id" }',
    "connection": 'connection { host = "10.0.0.1" }',
    "lifecycle": "lifecycle { prevent_destroy = true }",
    "precondition": 'lifecycle { precondition { condition = true\n error_message = "" } }',
    "provider": "provider = practice.other",
    "escaping block": "_ { count = 3 }",
    "in a nested block": 'rule { provisioner "local-exec" { command = "id" } }',
    "in a dynamic block": (
        'dynamic "rule" {\n for_each = [1]\n content {\n'
        '  provisioner "local-exec" { command = "id" }\n }\n}'
    ),
    "a dynamic provisioner": (
        'dynamic "provisioner" {\n for_each = [1]\n content { command = "id" }\n}'
    ),
    "a dynamic block of an unknown kind": 'dynamic "x" {\n for_each = [1]\n content {}\n}',
    "a dynamic block with an iterator": (
        'dynamic "rule" {\n for_each = [1]\n iterator = file\n content { name = "x" }\n}'
    ),
    "count in a nested block": "rule { count = 3 }",
    "after a comment": '/* } */ provisioner "local-exec" { command = "id" }',
}


@pytest.mark.parametrize("name", INSIDE)
def test_what_must_not_be_in_a_resource(name, limits):
    assert "is not allowed" in refusal(in_bucket(INSIDE[name]), limits)


CALLS = {
    "plain": 'tags = { a = file("/etc/passwd") }',
    "in a text": 'policy = "a ${file("/etc/passwd")} b"',
    "in a text in a text": 'policy = "a ${"b ${file("/etc/passwd")}"}"',
    "as a key": 'tags = { (file("/etc/passwd")) = "a" }',
    "in a key": 'tags = { "${file("/etc/passwd")}" = "a" }',
    "in a condition": 'policy = true ? "a" : file("/etc/passwd")',
    "in a loop": 'tags = { for k, v in { a = 1 } : k => file("/etc/passwd") }',
    "as what is looped over": 'policy = join("", [for c in [file("/etc/passwd")] : c])',
    "in a condition of a loop": 'policy = join("", [for c in ["a"] : c if file("x") != ""])',
    "in an index": 'policy = ["a"][length(file("/etc/passwd"))]',
    "before an index": 'policy = split("", file("/etc/passwd"))[0]',
    "in an operation": 'versioning = "a" == file("/etc/passwd")',
    "behind a sign": 'versioning = !(file("/etc/passwd") == "")',
    "in brackets": 'policy = ((file("/etc/passwd")))',
    "spread": 'policy = format(["%s", file("/etc/passwd")]...)',
    "with spaces": 'policy = file  ("/etc/passwd")',
    "with a comment": 'policy = file/**/("/etc/passwd")',
    "in a dynamic block": (
        'dynamic "rule" {\n for_each = [file("/etc/passwd")]\n content { name = rule.value }\n}'
    ),
    "in the content of one": (
        'dynamic "rule" {\n for_each = [1]\n content { name = file("/etc/passwd") }\n}'
    ),
    "filebase64": 'policy = filebase64("/etc/passwd")',
    "templatefile": 'policy = templatefile("/etc/passwd", {})',
    "templatestring": "policy = templatestring(var.name, {})",
    "fileset": 'tags = { a = join("", fileset("/etc", "*")) }',
    "filesha256": 'policy = filesha256("/etc/shadow")',
    "fileexists": 'versioning = fileexists("/etc/passwd")',
    "pathexpand": 'policy = pathexpand("~/.aws/credentials")',
    "abspath": 'policy = abspath(".")',
    "timestamp": "policy = timestamp()",
    "of a provider": 'policy = provider::terraform::encode_expr("a")',
    "of the core": 'policy = core::file("/etc/passwd")',
    "in a depends_on": 'depends_on = [file("/etc/passwd")]',
}


@pytest.mark.parametrize("name", CALLS)
def test_functions_that_are_not_on_the_list(name, limits):
    said = refusal(in_bucket(CALLS[name]), limits)
    assert "is not allowed" in said or "not allowed" in said or "syntax error" in said


@pytest.mark.parametrize(
    "text",
    [
        'locals {\n  x = file("/etc/passwd")\n}',
        'locals {\n  x = { a = [{ b = file("/etc/passwd") }] }\n}',
        'variable "x" {\n  type = string\n  default = file("/etc/passwd")\n}',
        'variable "x" {\n  type = string\n  default = "${file("/etc/passwd")}"\n}',
        'output "x" {\n  value = file("/etc/passwd")\n}',
        'output "x" {\n  value = "a"\n  description = "${file("/etc/passwd")}"\n}',
        'variable "x" {\n  type = file("/etc/passwd")\n  default = ""\n}',
    ],
)
def test_nor_anywhere_else(text, limits):
    said = refusal(with_body(text), limits)
    assert "file" in said or "no plain text" in said


@pytest.mark.parametrize(
    "value",
    [
        "path.module",
        "path.cwd",
        "terraform.workspace",
        "self.name",
        "practice_bucket.other.id",
        "data.practice_item.other.id",
        "module.x.id",
        "var.other",
        "local.other",
        "each.value",
        "count.index",
        "nobody",
        "practice_bucket",
        '"${path.root}"',
        '[for x in ["a"] : y][0]',
        "[for x in [x] : x][0]",
        "true.x",
    ],
)
def test_only_what_is_there_may_be_named(value, limits):
    assert "there is no" in refusal(in_bucket(f"policy = {value}"), limits)


def test_what_was_meant_is_said(limits):
    assert "is var.name meant?" in refusal(in_bucket("policy = var.nam"), limits)
    assert "Is versioning meant?" in refusal(in_bucket("version = true"), limits)
    said = refusal(with_body('resource "practice_buckets" "x" { name = var.name }'), limits)
    assert "Near it: practice_bucket" in said
    assert "is lower meant?" in refusal(in_bucket("policy = lowr(var.name)"), limits)


BOMBS = {
    "count": "count = 1000000000",
    "count of a number with an exponent": "count = 1e9",
    "count of a product": "count = 1000 * 1000",
    "count of a local": "count = local.many",
    "for_each of a list": f"for_each = toset({[str(n) for n in range(11)]})".replace("'", '"'),
    "for_each of a range": "for_each = toset([for n in range(1000) : tostring(n)])",
    "for_each of a local": "for_each = local.names",
    "count of a length": "count = length(local.names)",
    "count in a condition": "count = true ? 1 : 500",
    "count of something that is not known": "count = length(practice_bucket.other.tags)",
    "count of a circle": "count = local.a",
    "for_each of a product": 'for_each = toset(flatten([for a in ["a"] : [for b in ["b"] : a]]))',
    "for_each of a text that is split": f'for_each = toset(split(",", "{"a," * 20}"))',
    "negative": "count = -1",
}


@pytest.mark.parametrize("name", BOMBS)
def test_more_than_the_cap_cannot_be_made(name, limits):
    names = ", ".join(f'"n{n}"' for n in range(50))
    known = f"locals {{\n many = 500\n names = toset([{names}])\n a = local.b\n b = local.a\n}}\n"
    said = refusal(
        with_body(
            f'{known}resource "practice_bucket" "other" {{\n{BOMBS[name]}\nname = var.name\n}}'
        ),
        limits,
    )
    assert "makes" in said


def counted(count, label="other"):
    name = '"${var.name}${count.index}"'
    return f'resource "practice_bucket" "{label}" {{\n  count = {count}\n  name = {name}\n}}\n'


def test_together_they_are_counted_too(limits):
    body = counted(6)
    twice = with_body(body + counted(6, "third"))
    assert "makes 13 resources: At most 10 are allowed" in refusal(twice, limits)
    look(with_body(body), limits)


def test_as_many_as_are_allowed(limits):
    nine = 'variable "n" {\n  type = number\n  default = 9\n}\n'
    look(with_body(nine + counted("var.n")), limits)


TRICKS = {
    "heredoc": 'policy = <<EOF\n${file("/etc/passwd")}\nEOF',
    "indented heredoc": "policy = <<-EOF\n  hello\n  EOF",
    "a loop in a text": 'policy = "%{ for x in ["a"] }${x}%{ endfor }"',
    "a condition in a text": 'policy = "%{ if true }a%{ endif }"',
    "an unknown escape": r'policy = "\x66ile"',
    "a character that hides": 'policy = "a\u202eb"',
    "a soft space": 'policy = file\u200b("/etc/passwd")',
    "a letter that looks like another": 'policy = f\u0456le("/etc/passwd")',
    "full-width brackets": 'policy = file\uff08"/etc/passwd"\uff09',
    "zero byte": 'policy = "a\0b"',
    "half a pair": r'policy = "\ud800"',
    "beyond the last": r'policy = "\UFFFFFFFF"',
    "byte order mark": "\ufeffpolicy = null",
    "another end of line": "# comment\u2028policy = null",
    "an open quotation": 'policy = "',
    "an open comment": "/* policy = null",
    "too deep": f"policy = {'(' * 60}1{')' * 60}",
    "a long sum": f"policy = {'1 + ' * 7000}1",
    "a long way": f"policy = var{'.name' * 6000}",
    "a long choice": f"policy = {'true ? 1 : ' * 2900}1",
    "a long index": f"policy = var.name{'[0]' * 9000}",
    "a long splat": f"policy = var.name{'[*]' * 9000}",
    "a deep list": f"tags = {'[' * 2000}{']' * 2000}",
    "twice": 'policy = "a"\n  policy = "b"',
    "a key that is computed": 'tags = { var.name = "a" }',
    "a label with something put in": 'rule "${file("x")}" {}',
}


@pytest.mark.parametrize("name", TRICKS)
def test_tricks_with_the_text(name, limits):
    assert refusal(in_bucket(TRICKS[name]), limits)


def test_what_is_long_but_flat_is_no_trick(limits):
    items = ", ".join(f'k{n} = "v"' for n in range(1500))
    assert look(in_bucket(f"tags = {{ {items} }}"), limits).text.count("v") > 1500
    look(in_bucket(f'policy = "{"x" * 20_000}"'), limits)


@pytest.mark.parametrize(
    "text",
    [
        '{"resource": {"practice_bucket": {"this": {"name": "${var.name}"}}}}',
        '[{"resource": {}}]',
        "resource:\n  practice_bucket: {}",
        'x = "y"',
        "",
        "# nothing",
        'resource "practice_bucket" "${var.name}" {}',
        'resource "practice_bucket" "a b" {}',
        'resource "practice_bucket" { name = "x" }',
        "a" * 40_000,
    ],
)
def test_what_is_no_configuration(text, limits):
    assert refusal(text, limits)


def test_a_problem_has_its_place(limits):
    with pytest.raises(Refused) as caught:
        look(in_bucket('policy = file("x")'), limits)
    (found,) = caught.value.diagnostics
    assert (found.file, found.line, found.address) == ("main.tf", 6, "practice_bucket.this")


def test_all_problems_are_said_at_once(limits):
    with pytest.raises(Refused) as caught:
        look('resource "practice_bucket" "b" { name = file("x")\n colour = "red" }', limits)
    said = str(caught.value)
    assert len(caught.value.diagnostics) == 5
    for part in ("variable `name`", "output `id`", "output `name`", "file()", "`colour`"):
        assert part in said


PLAIN_TAIL = 'output "id" {\n value = "a"\n}\noutput "name" {\n value = "b"\n}\n'
NAMED = 'variable "name" { type = string }'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BUCKET + TAIL, "the variable `name` is missing"),
        (NAMED.replace("}", '\n default = "x" }') + BUCKET + TAIL, "without a default"),
        (NAMED.replace("string", "any") + BUCKET + TAIL, "has the type any"),
        ('variable "name" {}' + BUCKET + TAIL, "has the type none"),
        (HEAD + PLAIN_TAIL, "makes nothing"),
        (HEAD + BUCKET, "the output `id` is missing"),
        (with_body(BUCKET), "is there twice"),
        (with_body('resource "practice_object" "o" {\n count = 1\n for_each = {}\n}'), "has both"),
        (with_body('output "x" { value = 1\n sensitive = true }'), "`sensitive` is not allowed"),
    ],
)
def test_what_every_configuration_has(text, why, limits):
    assert why in refusal(text, limits)


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ("type = string", "has no default"),
        ("type = object({ a = string })\n default = {}", "has the type object"),
        ('type = string\n default = ""\n sensitive = true', "`sensitive` is not allowed"),
        ('type = string\n default = ""\n validation {}', "`validation` is not allowed"),
    ],
)
def test_what_a_variable_may_be(inside, why, limits):
    assert why in refusal(with_body(f'variable "x" {{\n {inside}\n}}'), limits)


def test_nested_blocks_of_the_type_may_be_used(limits):
    dynamic = 'dynamic "rule" {\n for_each = ["a", "b"]\n content { policy = rule.value }\n}'
    text = f'rule {{ policy = "a" }}\n {dynamic}'
    assert 'dynamic "rule"' in look(in_bucket(text), limits).text


def test_an_escaped_interpolation_stays_a_text(limits):
    draft = look(in_bucket(r'policy = "$${file(1)} %%{if} \u0024{x} 5$"'), limits)
    assert (
        draft.of("resource")[0].get("policy") == Text(("", "${file(1)}", " ", "%{if}", " ${x} 5$"))
        or "".join(draft.of("resource")[0].get("policy").parts) == "${file(1)} %{if} ${x} 5$"
    )
    assert r'"\u0024{file(1)} \u0025{if} \u0024{x} 5\u0024"' in draft.text


@given(st.text(max_size=40).filter(lambda text: control(text) is None))
@settings(max_examples=150, deadline=None)
def test_a_text_is_read_as_it_was_written(text):
    (block,) = read(f"locals {{\n  x = {as_hcl(Text((text,)))}\n}}\n")
    assert block.get("x").plain == text


@given(st.text(alphabet='ab"\\${}%[]()=\n #/*<', max_size=60))
@settings(max_examples=150, deadline=None)
def test_whatever_is_read_is_written_to_the_same(text):
    """Nonsense is refused in our own words, and what is understood keeps its meaning."""
    try:
        blocks = read(f"locals {{\n  x = {text}\n}}\n")
    except Unreadable:
        return
    again = written(blocks)
    assert written(read(again)) == again


def test_terraform_reads_what_was_written_as_it_was_meant(tmp_path):
    """The one reader that counts: no text of ours is more than a text to it."""
    texts = [
        *("${path.cwd}", "$${a}", "$", "%", "a$", "%{if true}", "$%{", '"', "\\", "\n\t\r", "ü云"),
        *("${", "$$${x}", "%%%{x}", "\\u0024{path.cwd}", '${"${path.cwd}"}', ""),
    ]
    joined = Text(("$", Text(("x",)), "%", Text(("y",))))
    outputs = [f'output "o{n}" {{\n  value = {as_hcl(Text((t,)))}\n}}' for n, t in enumerate(texts)]
    outputs.append(f'output "joined" {{\n  value = {as_hcl(joined)}\n}}\n')
    (tmp_path / "main.tf").write_text("\n".join(outputs))
    command = [*find_terraform().command, "apply", "-auto-approve", "-no-color"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    found = json.loads((tmp_path / "terraform.tfstate").read_text())["outputs"]
    assert [found[f"o{n}"]["value"] for n in range(len(texts))] == texts
    assert found["joined"]["value"] == "$x%y"


def test_the_schema_of_a_console_that_has_none(tmp_path):
    with pytest.raises(SetupError, match="nothing can be written for nowhere"):
        load_schema("nowhere", tmp_path)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "schema.json").write_text("{}")
    with pytest.raises(SetupError, match="cannot be read"):
        load_schema("broken", tmp_path)


def test_a_schema_as_terraform_writes_it(tmp_path):
    (tmp_path / "cloudy").mkdir()
    attributes = {
        "vpc_name": {"type": "string", "optional": True},
        "old": {"type": "string", "optional": True, "deprecated": True},
        "ids": {"type": ["list", "string"], "computed": True},
    }
    nested = {"timeouts": {"nesting_mode": "single", "block": {"attributes": {}}}}
    vpc = {"block": {"attributes": attributes, "block_types": nested}}
    schema = {"provider_schemas": {"x/cloudy": {"resource_schemas": {"cloudy_vpc": vpc}}}}
    (tmp_path / "cloudy" / "schema.json").write_text(json.dumps(schema))
    found = load_schema("cloudy", tmp_path).resources["cloudy_vpc"]
    assert [str(field) for field in found.fields.values()] == [
        "vpc_name: string",
        "ids: list(string), known afterwards",
    ]
    assert set(found.blocks) == {"timeouts"}


def test_an_object_goes_with_its_bucket(limits):
    assert "practice_object.this" in [b.address for b in look(with_body(OBJECT), limits).blocks]
