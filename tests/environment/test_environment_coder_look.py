import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from appliance.config import CoderSettings
from appliance.core.errors import SetupError
from appliance.environment.coder.allowed import allowed
from appliance.environment.coder.draft import Refused, parse_answer
from appliance.environment.coder.look import check_configuration
from appliance.environment.coder.schema import ProviderSchema, ResourceType, load_schema
from appliance.environment.coder.scope import FUNCTIONS, Scope
from appliance.environment.coder.templates import Unreadable, template
from appliance.environment.modules import Catalogue
from appliance.environment.terraform import find_terraform

sys.path[:0] = [str(Path(__file__).parent)]
from coder_script import GOOD, NETWORK, PLAIN, in_bucket, merged, says, with_body  # noqa: E402

PASSWD = '${file("/etc/passwd")}'


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


def looked_at(answer, limits):
    """From the model's words on, as the coder does it."""
    text = answer if isinstance(answer, str) else says(answer)
    return check_configuration(parse_answer(text).configuration, limits)


def refusal(answer, limits):
    with pytest.raises(Refused) as caught:
        looked_at(answer, limits)
    return str(caught.value)


@pytest.mark.parametrize("whole", [GOOD, NETWORK])
def test_what_is_good_is_written_anew(whole, limits, tmp_path):
    draft = looked_at(whole, limits)
    assert json.loads(draft.text) == whole
    assert looked_at(draft.text, limits) == draft
    draft.write(tmp_path, "practice", "somewhere/practice")
    (file,) = tmp_path.iterdir()
    assert file.name == "main.tf.json"
    assert json.loads(file.read_text()) == {
        "terraform": {"required_providers": {"practice": {"source": "somewhere/practice"}}},
        **whole,
    }


BLOCKS = {
    "provider": {"provider": {"practice": {"endpoint": "http://elsewhere"}}},
    "terraform": {"terraform": {"backend": {"http": {"address": "http://elsewhere"}}}},
    "required providers": {"terraform": {"required_providers": {"x": {"source": "a/b"}}}},
    "module": {"module": {"x": {"source": "git::https://elsewhere/x"}}},
    "module of a folder": {"module": {"x": {"source": "../../x"}}},
    "moved": {"moved": {"from": "practice_bucket.a", "to": "practice_bucket.this"}},
    "import": {"import": {"to": "practice_bucket.this", "id": "bucket-1"}},
    "removed": {"removed": {"from": "practice_bucket.a"}},
    "check": {"check": {"x": {"assert": {"condition": True, "error_message": "no"}}}},
    "ephemeral": {"ephemeral": {"practice_bucket": {"x": {}}}},
    "action": {"action": {"local_command": {"x": {}}}},
    "unknown": {"surprise": {}},
    "in capitals": {"Resource": {"practice_bucket": {"x": {"name": "${var.name}"}}}},
    "comment": {"//": "resource"},
}


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_that_are_not_on_the_list(name, limits):
    (kind,) = BLOCKS[name]
    assert f"`{kind}` blocks are not allowed" in refusal(with_body(**BLOCKS[name]), limits)


@pytest.mark.parametrize(
    ("kind", "type"),
    [
        ("resource", "null_resource"),
        ("resource", "terraform_data"),
        ("resource", "local_file"),
        ("resource", "local_sensitive_file"),
        ("resource", "practice_group"),
        ("data", "external"),
        ("data", "http"),
        ("data", "local_file"),
        ("data", "terraform_remote_state"),
        ("data", "practice_bucket"),
    ],
)
def test_types_that_are_not_on_the_list(kind, type, limits):
    only = replace(
        limits,
        schema=replace(
            limits.schema,
            resources={"practice_bucket": limits.schema.resources["practice_bucket"]},
        ),
    )
    assert "is not allowed" in refusal(with_body(**{kind: {type: {"x": {}}}}), only)


def test_a_type_without_a_price(limits):
    unpriced = replace(limits, unpriced=frozenset({"practice_dear"}))
    said = refusal(with_body(resource={"practice_dear": {"x": {}}}), unpriced)
    assert "nobody knows what a practice_dear costs" in said
    assert "environment.coder.allow" in said


EXEC = {"provisioner": {"local-exec": {"command": "id"}}}
INSIDE = {
    "provisioner": EXEC,
    "several provisioners": {"provisioner": [{"local-exec": {"command": "id"}}]},
    "connection": {"connection": {"host": "10.0.0.1"}},
    "lifecycle": {"lifecycle": {"prevent_destroy": True}},
    "precondition": {"lifecycle": {"precondition": {"condition": True, "error_message": ""}}},
    "provider": {"provider": "practice.other"},
    "escaping block": {"_": {"count": 3}},
    "in a nested block": {"rule": EXEC},
    "in the second of several": {"rule": [{"policy": "a"}, EXEC]},
    "in a dynamic block": {"dynamic": {"rule": {"for_each": [1], "content": EXEC}}},
    "a dynamic provisioner": {
        "dynamic": {"provisioner": {"for_each": [1], "content": {"command": "id"}}}
    },
    "a dynamic block of an unknown kind": {"dynamic": {"x": {"for_each": [1], "content": {}}}},
    "a dynamic block with an iterator": {
        "dynamic": {"rule": {"for_each": [1], "iterator": "file", "content": {"name": "x"}}}
    },
    "a dynamic block without content": {"dynamic": {"rule": {"for_each": [1]}}},
    "several dynamic blocks in a list": {"dynamic": [{"rule": {"for_each": [1], "content": {}}}]},
    "several dynamic blocks of a name": {"dynamic": {"rule": [{"for_each": [1], "content": {}}]}},
    "count in a nested block": {"rule": {"count": 3}},
    "after a comment": {"//": "}", **EXEC},
}


@pytest.mark.parametrize("name", INSIDE)
def test_what_must_not_be_in_a_resource(name, limits):
    assert "is not allowed" in refusal(in_bucket(**INSIDE[name]), limits)


CALLS = {
    "plain": {"tags": {"a": PASSWD}},
    "in a text": {"policy": f"a {PASSWD} b"},
    "in a text in a text": {"policy": f'a ${{"b {PASSWD}"}}'},
    "as a key": {"tags": {PASSWD: "a"}},
    "in a key": {"tags": {f"a{PASSWD}": "a"}},
    "in a list in a map": {"tags": {"a": ["b", {"c": PASSWD}]}},
    "in a condition": {"policy": '${true ? "a" : file("/etc/passwd")}'},
    "as a condition": {"policy": '${file("/etc/passwd") == "" ? "a" : "b"}'},
    "in a loop": {"tags": '${{ for k, v in { a = 1 } : k => file("/etc/passwd") }}'},
    "as what is looped over": {"policy": '${join("", [for c in [file("/etc/passwd")] : c])}'},
    "in a condition of a loop": {"policy": '${join("", [for c in ["a"] : c if file("x") != ""])}'},
    "in an index": {"policy": '${["a"][length(file("/etc/passwd"))]}'},
    "before an index": {"policy": '${split("", file("/etc/passwd"))[0]}'},
    "before a splat": {"policy": '${split("", file("/etc/passwd"))[*]}'},
    "in an operation": {"versioning": '${"a" == file("/etc/passwd")}'},
    "behind a sign": {"versioning": '${!(file("/etc/passwd") == "")}'},
    "in brackets": {"policy": '${((file("/etc/passwd")))}'},
    "spread": {"policy": '${format(["%s", file("/etc/passwd")]...)}'},
    "with spaces": {"policy": '${file  ("/etc/passwd")}'},
    "with a comment": {"policy": '${file/**/("/etc/passwd")}'},
    "without spaces around it": {"policy": '${~file("/etc/passwd")~}'},
    "the second in a text": {"policy": '${var.name}${file("/etc/passwd")}'},
    "after one that is escaped": {"policy": '$${a}${file("/etc/passwd")}'},
    "after signs": {"policy": '$$${file("/etc/passwd")}'},
    "in a directive": {"policy": '%{if file("/etc/passwd") == ""}a%{endif}'},
    "in a dynamic block": {
        "dynamic": {"rule": {"for_each": [PASSWD], "content": {"name": "${rule.value}"}}}
    },
    "in the content of one": {"dynamic": {"rule": {"for_each": [1], "content": {"name": PASSWD}}}},
    "in a nested block": {"rule": [{"name": "a"}, {"name": PASSWD}]},
    "filebase64": {"policy": '${filebase64("/etc/passwd")}'},
    "templatefile": {"policy": '${templatefile("/etc/passwd", {})}'},
    "templatestring": {"policy": "${templatestring(var.name, {})}"},
    "fileset": {"tags": {"a": '${join("", fileset("/etc", "*"))}'}},
    "filesha256": {"policy": '${filesha256("/etc/shadow")}'},
    "fileexists": {"versioning": '${fileexists("/etc/passwd")}'},
    "pathexpand": {"policy": '${pathexpand("~/.aws/credentials")}'},
    "abspath": {"policy": '${abspath(".")}'},
    "timestamp": {"policy": "${timestamp()}"},
    "of a provider": {"policy": '${provider::terraform::encode_expr("a")}'},
    "of the core": {"policy": '${core::file("/etc/passwd")}'},
    "in a depends_on": {"depends_on": [PASSWD]},
    "in a count": {"count": '${length(file("/etc/passwd"))}'},
}


@pytest.mark.parametrize("name", CALLS)
def test_functions_that_are_not_on_the_list(name, limits):
    said = refusal(in_bucket(**CALLS[name]), limits)
    assert "is not allowed" in said or "syntax error" in said or "there is no" in said


@pytest.mark.parametrize(
    "blocks",
    [
        {"locals": {"x": PASSWD}},
        {"locals": {"x": {"a": [{"b": PASSWD}]}}},
        {"variable": {"x": {"type": "string", "default": PASSWD}}},
        {"variable": {"x": {"type": "list(string)", "default": ["a", f"b{PASSWD}"]}}},
        {"output": {"x": {"value": PASSWD}}},
        {"output": {"x": {"value": "a", "description": PASSWD}}},
        {"output": {"x": {"value": "a", "depends_on": [PASSWD]}}},
        {"variable": {"x": {"type": PASSWD, "default": ""}}},
        {"variable": {"x": {"type": "string", "default": "", "description": PASSWD}}},
    ],
)
def test_nor_anywhere_else(blocks, limits):
    said = refusal(with_body(**blocks), limits)
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
        'practice_bucket["this"]',
        'var["name"]',
        "true.x",
        "1 + path.cwd",
        "[path.cwd]",
        "lower(path.cwd)",
        "var.name[path.cwd]",
    ],
)
def test_only_what_is_there_may_be_named(value, limits):
    assert "there is no" in refusal(in_bucket(policy=f"${{{value}}}"), limits)
    assert "there is no" in refusal(in_bucket(policy=f"a ${{{value}}} b"), limits)


@pytest.mark.parametrize(
    "value", ['[for x in ["a"] : y][0]', "[for x in [x] : x][0]", '"${path.root}"', "{a = 1}"]
)
def test_what_the_grammar_does_not_know(value, limits):
    assert "syntax error at" in refusal(in_bucket(policy=f"${{{value}}}"), limits)


@pytest.mark.parametrize(
    "on",
    [["practice_bucket.other"], ["${practice_bucket.this}"], ["path.cwd"], "practice_bucket.this"],
)
def test_only_what_is_there_may_be_waited_for(on, limits):
    one = {"name": "${var.name}2", "depends_on": on}
    said = refusal(with_body(resource={"practice_bucket": {"b": one}}), limits)
    assert "to depend on" in said or "no list" in said


def test_what_was_meant_is_said(limits):
    assert "is var.name meant?" in refusal(in_bucket(policy="${var.nam}"), limits)
    assert "Is versioning meant?" in refusal(in_bucket(version=True), limits)
    said = refusal(with_body(resource={"practice_buckets": {"x": {"name": "a"}}}), limits)
    assert "Near it: practice_bucket" in said
    assert "is lower meant?" in refusal(in_bucket(policy="${lowr(var.name)}"), limits)


NAMES = ", ".join(f'"n{n}"' for n in range(50))
BOMBS = {
    "count": {"count": 1000000000},
    "count of a number with an exponent": {"count": 1e9},
    "count of a product": {"count": "${1000 * 1000}"},
    "count of a text": {"count": "${500}"},
    "count of a local": {"count": "${local.many}"},
    "for_each of a list": {"for_each": [str(n) for n in range(11)]},
    "for_each of a list in a text": {"for_each": f"${{toset([{NAMES}])}}"},
    "for_each of a map": {"for_each": {str(n): n for n in range(11)}},
    "for_each of a range": {"for_each": "${toset(range(1000))}"},
    "for_each of a local": {"for_each": "${local.names}"},
    "count of a length": {"count": "${length(local.names)}"},
    "count in a condition": {"count": "${true ? 1 : 500}"},
    "count of something that is not known": {"count": "${length(practice_bucket.this.tags)}"},
    "count of a circle": {"count": "${local.a}"},
    "count of itself": {"count": "${local.c}"},
    "for_each of a product": {"for_each": '${toset(setproduct(["a"], ["b"]))}'},
    "for_each of a text that is split": {"for_each": f'${{toset(split(",", "{"a," * 20}"))}}'},
    "negative": {"count": -1},
    "a truth": {"count": True},
    "a text": {"count": "500"},
    "nothing": {"count": None},
    "in a nested block": {"dynamic": {"rule": {"for_each": list(range(11)), "content": {}}}},
}


@pytest.mark.parametrize("name", BOMBS)
def test_more_than_the_cap_cannot_be_made(name, limits):
    known = {
        "many": 500,
        "names": f"${{toset([{NAMES}])}}",
        "a": "${local.b}",
        "b": "${local.a}",
        "c": "${length(local.c)}",
    }
    bomb = {"name": "${var.name}", **BOMBS[name]}
    said = refusal(with_body(locals=known, resource={"practice_bucket": {"other": bomb}}), limits)
    assert "makes" in said


def counted(count):
    return {"count": count, "name": "${var.name}${count.index + 1}"}


def test_together_they_are_counted_too(limits):
    once = with_body(resource={"practice_bucket": {"other": counted(6)}})
    twice = merged(once, {"resource": {"practice_bucket": {"third": counted(6)}}})
    assert "makes 13 resources: At most 10 are allowed" in refusal(twice, limits)
    looked_at(once, limits)


def test_as_many_as_are_allowed(limits):
    nine = {"n": {"type": "number", "default": 9}}
    for count in ("${var.n}", "${local.n}", "${length(range(9))}", "${length(local.all)}", 9):
        known = {"n": "${var.n}", "all": list("abcdefghi")}
        body = {"practice_bucket": {"other": counted(count)}}
        looked_at(with_body(variable=nine, locals=known, resource=body), limits)


TRICKS = {
    "heredoc": '${<<EOF\n${file("/etc/passwd")}\nEOF\n}',
    "indented heredoc": "${<<-EOF\n  hello\n  EOF\n}",
    "a loop in a text": '%{ for x in ["a"] }${x}%{ endfor }',
    "a condition in a text": "%{ if true }a%{ endif }",
    "a directive behind a sign": "$%{ if true }a",
    "an unknown escape": r'${"\x66ile"}',
    "a character by its number": r'${"\u0024{path.cwd}"}',
    "a character that hides": "a\u202eb",
    "a soft space": '${file\u200b("/etc/passwd")}',
    "a letter that looks like another": '${f\u0456le("/etc/passwd")}',
    "full-width brackets": '${file\uff08"/etc/passwd"\uff09}',
    "zero byte": "a\0b",
    "half a pair": "\ud800",
    "beyond the last": r'${"\UFFFFFFFF"}',
    "byte order mark": "\ufeffa",
    "another end of line": "a\u2028b",
    "an open quotation": '${"}',
    "an open bracket": "${var.name",
    "an open comment": "${/* 1}",
    "a comment": "${1 # }\n}",
    "an expression in several lines": "${1 +\n 1}",
    "nothing": "${}",
    "two values": "${1 2}",
    "signs before it": f"{'$' * 30_000}{{path.cwd}}",
    "signs of all kinds before it": f"{'$%' * 15_000}{{path.cwd}}",
    "too deep": f"${{{'(' * 60}1{')' * 60}}}",
    "deep calls": f"${{{'lower(' * 60}1{')' * 60}}}",
    "a long sum": f"${{{'1 + ' * 7000}1}}",
    "a long way": f"${{var{'.name' * 6000}}}",
    "a long choice": f"${{{'true ? 1 : ' * 2900}1}}",
    "a long index": f"${{var.name{'[0]' * 9000}}}",
    "a long splat": f"${{var.name{'[*]' * 9000}}}",
    "many signs": f"${{{'-' * 2000}1}}",
    "a number that is cut": f"${{{'1' * 5000}}}",
    "a key that is computed": {"${var.nobody}": "a"},
    "a character that hides in a key": {"a\u202eb": "a"},
}


@pytest.mark.parametrize("name", TRICKS)
def test_tricks_with_the_text(name, limits):
    assert refusal(in_bucket(tags=TRICKS[name]), limits)


RAW = {
    "a deep list": ("[" * 5000 + "]" * 5000),
    "a deep list that JSON still reads": ("[" * 900 + "]" * 900),
    "a deep map": ('{"a":' * 5000 + "1" + "}" * 5000),
    "twice": '"a", "tags": "b"',
    "twice within": '{"a": 1, "a": 2}',
    "no number": "NaN",
    "no end": "Infinity",
    "too large a number": "1e999",
    "too long a number": "1" * 5000,
    "a comment": '"a" // file',
    "a raw zero byte": '"a\0b"',
    "too long": '"' + "a" * 40_000 + '"',
}


@pytest.mark.parametrize("name", RAW)
def test_tricks_with_the_json(name, limits):
    answer = says(in_bucket(tags="HERE"))
    assert '"HERE"' in answer
    assert refusal(answer.replace('"HERE"', RAW[name]), limits)


def test_a_label_with_something_put_in(limits):
    assert refusal(in_bucket(rule={PASSWD: {}}), limits)
    assert "no plain name" in refusal(with_body(locals={PASSWD: 1}), limits)
    assert "no plain name" in refusal(with_body(output={PASSWD: {"value": 1}}), limits)


def test_what_is_long_but_flat_is_no_trick(limits):
    tags = {f"k{n}": "v" for n in range(1500)}
    assert looked_at(in_bucket(tags=tags), limits).text.count('"v"') == 1500
    looked_at(in_bucket(policy="x" * 20_000), limits)
    looked_at(in_bucket(policy="${var.name}" * 1000), limits)


@pytest.mark.parametrize(
    "text",
    [
        'resource "practice_bucket" "this" {\n  name = var.name\n}\n',
        '[{"resource": {}}]',
        '{"resource": []}',
        '{"resource": {"practice_bucket": {"this": {"name": "${var.name}"}}}}',
        "resource:\n  practice_bucket: {}",
        '{"x": "y"}',
        "",
        "# nothing",
        '{"resource": {"practice_bucket": {"${var.name}": {}}}}',
        '{"resource": {"practice_bucket": {"a b": {}}}}',
        '{"resource": {"practice_bucket": {"name": "x"}}}',
        '{"resource": {"practice_bucket": [{"this": {"name": "x"}}]}}',
        '{"resource": {"practice_bucket": {"this": [{"name": "x"}]}}}',
        '{"configuration": {"resource": null}, "impossible": ""}',
        "a" * 40_000,
        "{" * 3000,
    ],
)
def test_what_is_no_configuration(text, limits):
    assert refusal(text, limits)


def test_a_problem_has_its_place(limits):
    with pytest.raises(Refused) as caught:
        looked_at(in_bucket(policy="${timestamp()}"), limits)
    (found,) = caught.value.diagnostics
    assert found.address == "practice_bucket.this"
    assert str(found) == "`policy`: the function timestamp() is not allowed (practice_bucket.this)"


def test_all_problems_are_said_at_once(limits):
    bucket = {"b": {"name": '${file("x")}', "colour": "red"}}
    with pytest.raises(Refused) as caught:
        looked_at({"resource": {"practice_bucket": bucket}}, limits)
    said = str(caught.value)
    assert len(caught.value.diagnostics) == 5
    for part in ("variable `name`", "output `id`", "output `name`", "file()", "`colour`"):
        assert part in said


def test_a_thousand_problems_are_not_all_looked_for(limits):
    """Names are compared with all that there are: it takes no longer than for a few."""
    known = {f"a{n}": n for n in range(500)}
    wrong = {f"b{n}": f"${{local.ab{n}}}${{local.ba{n}}}" for n in range(500)}
    with pytest.raises(Refused) as caught:
        looked_at(with_body(locals={**known, **wrong}), limits)
    assert len(caught.value.diagnostics) == 20
    looked_at(in_bucket(policy="$" * 30_000), limits)


def without(kind):
    return {key: value for key, value in PLAIN.items() if key != kind}


def named(**name):
    return {**PLAIN, "variable": {"name": name}}


BOTH = {"practice_object": {"o": {"count": 1, "for_each": {}}}}


@pytest.mark.parametrize(
    ("whole", "why"),
    [
        (without("variable"), "the variable `name` is missing"),
        (named(type="string", default="x"), "without a default"),
        (named(type="any"), "has the type any"),
        (named(), "has the type none"),
        ({**without("resource"), "output": {"id": {"value": "a"}}}, "makes nothing"),
        (without("output"), "the output `id` is missing"),
        (with_body(resource=BOTH), "has both"),
        (with_body(output={"x": {"value": 1, "sensitive": True}}), "`sensitive` is not allowed"),
    ],
)
def test_what_every_configuration_has(whole, why, limits):
    assert why in refusal(whole, limits)


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ({"type": "string"}, "has no default"),
        ({"type": "object({ a = string })", "default": {}}, "has the type object"),
        ({"type": {"a": "string"}, "default": {}}, "has the type {"),
        ({"type": "string", "default": "", "sensitive": True}, "`sensitive` is not allowed"),
        ({"type": "string", "default": "", "validation": {}}, "`validation` is not allowed"),
    ],
)
def test_what_a_variable_may_be(inside, why, limits):
    assert why in refusal(with_body(variable={"x": inside}), limits)


def test_nested_blocks_of_the_type_may_be_used(limits):
    dynamic = {"rule": {"for_each": ["a", "b"], "content": {"policy": "${rule.value}"}}}
    for rule in ({"policy": "a"}, [{"policy": "a"}, {"policy": "b"}]):
        looked_at(in_bucket(rule=rule, dynamic=dynamic), limits)


def test_an_escaped_interpolation_stays_a_text(limits):
    text = r"$${file(1)} %%{if} \u0024{x} 5$"
    draft = looked_at(in_bucket(policy=text), limits)
    assert json.loads(draft.text)["resource"]["practice_bucket"]["this"]["policy"] == text


@pytest.mark.parametrize(
    ("text", "functions", "references"),
    [
        ("plain", [], []),
        ("${var.name}", [], ["var.name"]),
        ("${ var.name }-${count.index}", [], ["var.name", "count.index"]),
        ('${replace(var.name, "-", "_")}', ["replace"], ["var.name"]),
        ("${values(practice_disk.this)[*].id}", ["values"], ["practice_disk.this"]),
        ('${practice_disk.this["a"].id}', [], ["practice_disk.this"]),
        ("${data.practice_item.it.values[var.key]}", [],
         ["data.practice_item.it.values", "var.key"]),
        ('${var.is_big ? format("%s-%02d", var.a, -1) : null}', ["format"],
         ["var.is_big", "var.a", "null"]),
        ('${!(1 + 2 * 3 >= 4) && true || "a\\n" != ""}', [], ["true"]),
        ('${concat(["a", "b",], local.c)[0]}', ["concat"], ["local.c"]),
    ],
)  # fmt: skip
def test_what_a_text_names_and_calls(text, functions, references):
    found = template(text)
    assert found.functions == functions
    assert [".".join(each.names) for each in found.references] == references
    assert found.is_plain is (text == "plain")


leaves = st.sampled_from(
    ["1", "0.5", '"a"', '"%d"', r'"\n"', "true", "null", "var.a", "local.b.c", "each.value"]
)


def grown(inner):
    operators = st.sampled_from(["+", "-", "/", "%", "==", "<=", "&&", "||"])
    return st.one_of(
        st.builds("({})".format, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("{} {} {}".format, inner, operators, inner),
        st.builds("{}({}, {})".format, st.sampled_from(["lower", "merge"]), inner, inner),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("({})[*].id".format, inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("!{}".format, inner),
    )


expressions = st.recursive(leaves, grown, max_leaves=8)
SCOPE = Scope(addresses=frozenset({"var.a", "local.b"}), values={}, words=frozenset({"each"}))


@given(expressions)
@settings(max_examples=150)
def test_what_is_in_an_expression_is_found(text):
    found = template(f"a ${{{text}}} b")
    bare = re.sub(r'"[^"]*"', "", text)
    assert found.functions == re.findall(r"(\w+)\(", bare)
    called = {"lower", "merge", "id"}
    words = [w for w in re.findall(r"[a-z][\w.]*", bare) if w not in called]
    assert [".".join(each.names) for each in found.references] == words
    assert [*SCOPE.problems(f"${{{text}}}")] == []


@given(
    st.recursive(st.one_of(leaves, st.sampled_from(["path.cwd", 'file("/x")'])), grown),
    st.text(max_size=5),
)
@settings(max_examples=150)
def test_what_is_not_allowed_is_found_wherever_it_stands(text, around):
    assume(not around.endswith("$"))  # `$${` is no expression: it writes `${`
    problems = [*SCOPE.problems({"a": [f"{around}${{{text}}}{around}"]})]
    if "file" in text or "path" in text:
        assert problems


SIGNS = 'ab1"\\${}%[]()=\n #/*<~.,'


@given(st.text(alphabet=SIGNS, max_size=60))
@settings(max_examples=300)
def test_nonsense_is_refused_in_our_own_words_or_has_nothing_in_it(text):
    try:
        found = template(text)
    except Unreadable:
        return
    for name in (*found.functions, *(each.names[0] for each in found.references)):
        assert name in text
    if found.is_plain:
        assert "${" not in text
        assert "%{" not in text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
)  # fmt: skip


@given(json_values)
@settings(max_examples=150)
def test_whatever_is_let_through_is_written_to_the_same(limits, value):
    whole = with_body(locals={"x": value})
    try:
        draft = looked_at(whole, limits)
    except Refused:
        return
    assert json.loads(draft.text) == whole


def outputs_of(folder, outputs):
    """What Terraform makes of texts."""
    (folder / "main.tf.json").write_text(json.dumps({"output": outputs}), encoding="utf-8")
    command = [*find_terraform().command, "apply", "-auto-approve", "-no-color"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    found = json.loads((folder / "terraform.tfstate").read_text())["outputs"]
    return [found[name]["value"] for name in outputs]


@given(
    st.lists(
        st.text(alphabet=SIGNS.replace("[", "").replace("(", "") + "$$$${{{{%%%%", max_size=12),
        min_size=300,
        max_size=300,
    )
)
@settings(max_examples=3)
def test_terraform_takes_for_texts_what_we_take_for_texts(texts):
    """The one reader that counts: where we saw nothing put in, it puts nothing in."""
    taken = [*("$${path.cwd}", "a$", "%", "$%", "%$", "x$\\", "\n\t\r", "ü云", "$${$${a}", "")]
    for text in texts:
        try:
            found = template(text)
        except Unreadable:
            continue
        if not re.search(r"(?<!\$)\$\{", text):
            assert (found.functions, found.references) == ([], [])
            taken.append(text)
    with TemporaryDirectory() as folder:
        outputs = {f"o{n}": {"value": text} for n, text in enumerate(taken)}
        said = outputs_of(Path(folder), outputs)
    assert said == [text.replace("$${", "${").replace("%%{", "%{") for text in taken]


def test_terraform_reads_expressions_as_they_were_meant(tmp_path):
    texts = {
        '${1+2}': 3, '${true ? 1 : 2}': 1, '$${a}${"}"}': "${a}}", '${"{}"}': "{}",
        '${"\\\\"}${"\\""}': '\\"', '${format("%s-%02d", "a", 3)}': "a-03", "${-(1)}": -1,
        '${length(["a", "b"])}x': "2x", "${1 == 1 && !false}": True, "${[1,2][0]}": 1,
    }  # fmt: skip
    for text in texts:
        assert set(template(text).functions) <= FUNCTIONS
    outputs = {f"o{n}": {"value": text} for n, text in enumerate(texts)}
    assert outputs_of(tmp_path, outputs) == [*texts.values()]


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
    blocks = looked_at(GOOD, limits).of("resource")
    assert [block.address for block in blocks] == ["practice_bucket.this", "practice_object.this"]
