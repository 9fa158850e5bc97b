"""Everything that can be wrong with a module."""

import json
import shutil
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.environment.modules import Catalogue, WrongModule
from appliance.environment.modules.catalogue import OURS
from appliance.environment.modules.reading import read_module
from appliance.environment.modules.types import Module
from tests.environment.environment_modules_disk import (
    DISK,
    MAIN,
    OUTPUTS,
    VARIABLES,
    YAML,
    refused,
    written,
)

WRONG_YAML = {
    "tab": ("  en: A disk.", "\ten: A disk.", f"{YAML}:2: not valid YAML: "),
    "unknown key": ("takes_s: 2", "take_s: 2", f"{YAML}:30: unknown key `take_s`. Did you mean `t"),
    "unknown key, nothing near": (
        "is_shared: false",
        "x: 2",
        f"{YAML}:36: unknown key `x`. Known here: provides",
    ),
    "unknown key inside": ("    default: 40", "    defualt: 40", f"{YAML}:17: unknown key `defua"),
    "unknown language": (
        "  zh: 云硬盘。",
        "  fr: Un disque.",
        f"{YAML}:3: unknown key `fr`. Known here: en, zh.",
    ),
    "unknown key of the check": ("{kind: disk,", "{knid: disk,", f"{YAML}:29: unknown key `knid`"),
    "missing key": ("provider: practice\n", "", f"{YAML}:1: `provider` is missing"),
    "missing inside": (
        "    description: Name.\n",
        "",
        f"{YAML}:10: `variables.name.description` is",
    ),
    "twice": ("takes_s: 2", "takes_s: 2\ntakes_s: 3", f"{YAML}:31: the key 'takes_s' stands here"),
    "no number": (
        "takes_s: 2",
        "takes_s: soon",
        f"{YAML}:30: `takes_s`: input should be a valid n",
    ),
    "infinite": ("takes_s: 2", "takes_s: .inf", f"{YAML}:30: `takes_s`: input should be a "),
    "a negative price": (
        "per_hour: 0",
        "per_hour: -1",
        f"{YAML}:32: `cost.per_hour`: input should",
    ),
    "no currency": ("currency: USD", "currency: dollars", f"{YAML}:33: `cost.currency`: string sh"),
    "a price in nothing": (
        "per_hour: 0\n  currency: USD",
        "per_hour: 1\n  currency: XXX",
        f"{YAML}:33: a price has a currency: XXX says that it is not known",
    ),
    "no words": ("  en: [disk]", "  en: []", f"{YAML}:5: `words.en`: tuple should have at least 1"),
    "no type": ("type: number", "type: integer", f"{YAML}:15: `variables.size.type`: input should"),
    "no such number": ("default: 40", "default: much", f"{YAML}:17: `default` of `size` must be a"),
    "a default for what is required": (
        "is_required: true",
        "is_required: true\n    default: x",
        f"{YAML}:14: `name` is required: it cannot have a default as well",
    ),
    "a list for a text": (
        "default: 40",
        "default: [1]",
        f"{YAML}:17: `default` of `size` must be ",
    ),
    "a number that refers": (
        "type: string\n    description: Attached to.",
        "type: number\n    description: Attached to.",
        f"{YAML}:19: `instance` takes ids: its type is string or list(string)",
    ),
    "no id": ("  id: string\n", "", f"{YAML}:26: `outputs` must have `id`"),
    "a name for nothing": (
        "  name:\n    type: string\n    description: Name.\n    is_required: true\n",
        "",
        f"{YAML}:8: `named` is of no use without a variable `name`",
    ),
    "no such state": (
        "[in-use]",
        "[away]",
        f"{YAML}:22: `away` is none of the `states` of the mod",
    ),
    "states without a variable": (
        "  state:\n    type: string\n    description: State.\n",
        "",
        f"{YAML}:32: `states` can only be asked for through a variable `state`",
    ),
    "no such module": (
        "module: instance",
        "module: instanse",
        f"{YAML}:21: `instance` refers to the module practice/instanse, which is not there. Did",
    ),
}


@pytest.mark.parametrize("wrong", WRONG_YAML)
def test_a_wrong_description_is_told_with_its_place(wrong, tmp_path):
    old, new, says = WRONG_YAML[wrong]
    assert old in DISK
    said = refused(written(tmp_path, **{"module.yaml": DISK.replace(old, new)}))
    assert said[-1].startswith(says)
    assert len(said) == 1 or wrong == "unknown language"


def test_a_circle_is_named_along_the_way(tmp_path):
    needed = "module: image\n    is_required: true"
    (tmp_path / "practice" / "image").mkdir(parents=True)
    image = DISK.replace("module: instance", "module: disk\n    is_required: true")
    (tmp_path / "practice" / "image" / "module.yaml").write_text(image)
    disk = DISK.replace("module: instance", needed)
    (said,) = refused(written(tmp_path, **{"module.yaml": disk}))
    says = "module.yaml:21: modules need one another in a circle"
    ways = (
        f"practice/disk/{says}: disk → image → disk.",
        f"practice/image/{says}: image → disk → image.",
    )
    assert said.startswith(ways)
    assert said.endswith("One of these references must not be required.")


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("practise/disk", "there is no kind of console 'practise'. Did you mean `practice`?"),
        ("practice/data-disk", "the folder's name 'data-disk' must be of the form `load_balancer`"),
    ],
)
def test_a_folder_that_is_called_something_else_is_told(place, says, tmp_path):
    folder = written(tmp_path)
    (folder / place).parent.mkdir(exist_ok=True)
    (folder / "practice" / "disk").rename(folder / place)
    assert refused(folder) == [f"{place}/module.yaml:1: {says}"]


def test_everything_wrong_is_told_at_once(tmp_path):
    changed = DISK.replace("takes_s: 2", "takes_s: soon").replace("type: number", "type: integer")
    folder = written(tmp_path, **{"module.yaml": changed})
    other = folder / "practice" / "volume"
    other.mkdir()
    (other / "module.yaml").write_text("")
    said = refused(folder)
    places = [line.split(": ")[0] for line in said]
    assert places == [f"{YAML}:15", f"{YAML}:30", "practice/volume/module.yaml:1"]
    assert said[2].startswith("practice/volume/module.yaml:1: a module is described by `key: valu")


def test_what_cannot_be_read_is_told(tmp_path):
    folder = written(tmp_path)
    (folder / "practice" / "disk" / "module.yaml").write_bytes(b"\xff\xfe\x00")
    (said,) = refused(folder)
    assert said.startswith(f"{YAML}:1: cannot be read: 'utf-8' codec")


HCL_GARBAGE = st.one_of(
    st.text(max_size=120),
    st.text(alphabet='{}[]()"=$%<>~?:.,/*#-+a1 \n\t\\', max_size=80),
    st.builds(
        lambda lines, index, text: "\n".join([*lines[:index], text, *lines[index + 1 :]]),
        st.just(VARIABLES.splitlines()),
        st.integers(0, VARIABLES.count("\n") - 1),
        st.text(alphabet='{}[]"=$<a1 .', max_size=20),
    ),
)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=HCL_GARBAGE)
def test_whatever_stands_in_a_terraform_file_it_is_read_or_refused_with_a_place(text, tmp_path):
    folder = tmp_path / "modules"
    if not folder.exists():
        written(folder)
    file = folder / "practice" / "disk" / "variables.tf"
    file.write_text(text, encoding="utf-8", errors="replace", newline="")
    for problem in Catalogue([read_module(folder / YAML)]).check():
        assert (folder / "practice" / "disk") in Path(problem.file).parents
        assert problem.line >= 1
        assert problem.says


MAIN_TF, VARIABLES_TF, OUTPUTS_TF = (
    f"practice/disk/{name}.tf" for name in ("main", "variables", "outputs")
)
WRONG_TERRAFORM = {
    "no Terraform": (
        {"main.tf": MAIN + "resource {\n  name = \n}\n"},
        [f"{MAIN_TF}:6: is no Terraform: syntax error at `name =`"],
    ),
    "it ends too early": (
        {"main.tf": MAIN.rstrip("}\n")},
        [f"{MAIN_TF}:3: is no Terraform: syntax error at `size = var.size`"],
    ),
    "no text": ({"main.tf": "\x00"}, [f"{MAIN_TF}:1: is no Terraform: "]),
    "missing": ({"outputs.tf": None}, [f"{YAML}:1: outputs.tf is missing beside it"]),
    "a variable more": (
        {"variables.tf": VARIABLES + 'variable "colour" {\n  type = string\n}\n'},
        [f"{VARIABLES_TF}:16: variable `colour` is not in module.yaml"],
    ),
    "a variable less": (
        {"variables.tf": VARIABLES.replace('"size"', '"capacity"')},
        [
            f"{VARIABLES_TF}:4: variable `capacity` is not in module.yaml",
            f"{YAML}:14: variable `size` is not in variables.tf",
        ],
    ),
    "another type": (
        {"variables.tf": VARIABLES.replace("= number", "= string")},
        [f"{VARIABLES_TF}:4: variable `size` is a string here and a number in module.yaml"],
    ),
    "no type": (
        {"variables.tf": VARIABLES.replace("  type    = number\n", "")},
        [f"{VARIABLES_TF}:4: variable `size` is a any here and a number in module.yaml"],
    ),
    "another default": (
        {"variables.tf": VARIABLES.replace("= 40", "= 50")},
        [f"{VARIABLES_TF}:4: variable `size` has the default 50 here and 40 in module.yaml"],
    ),
    "a default of what is required": (
        {"variables.tf": VARIABLES.replace("type = string\n", 'type = string\n  default = ""\n')},
        [f"{VARIABLES_TF}:1: variable `name` has a default here and is required in module.yaml"],
    ),
    "no default": (
        {"variables.tf": VARIABLES.replace("  default = 40\n", "")},
        [f"{VARIABLES_TF}:4: variable `size` has no default here and is not required in module"],
    ),
    "another map": (
        {"variables.tf": VARIABLES.replace("= 40", '= { a = "x" }')},
        [f'{VARIABLES_TF}:4: variable `size` has the default {{"a": "x"}} here and 40 in modul'],
    ),
    "another text": (
        {"variables.tf": VARIABLES.replace("= 40", '= "\\U0001F600 $${a}"')},
        [f"{VARIABLES_TF}:4: variable `size` has the default "],
    ),
    "a file that is no text": (
        {"more.tf": "\udcff"},
        ["practice/disk/more.tf:1: cannot be read: 'utf-8' codec can't decode"],
    ),
    "an output less": (
        {"outputs.tf": OUTPUTS.replace('"name"', '"label"')},
        [
            f"{OUTPUTS_TF}:1: output `name` is missing",
            f"{OUTPUTS_TF}:4: output `label` is not in module.yaml",
        ],
    ),
    "an output that is only promised": (
        {"module.yaml": DISK.replace("  id: string", "  id: string\n  size: number")},
        [f"{YAML}:14: output `size` is not in outputs.tf"],
    ),
    "a name that Terraform keeps": (
        {
            "module.yaml": DISK.replace("  size:", "  source:"),
            "variables.tf": VARIABLES.replace('"size"', '"source"'),
        },
        [f"{YAML}:14: Terraform keeps the name `source` for itself: use `word`"],
    ),
}


@pytest.mark.parametrize("wrong", WRONG_TERRAFORM)
def test_wrong_terraform_is_told_with_its_place(wrong, tmp_path):
    changed, says = WRONG_TERRAFORM[wrong]
    folder = written(tmp_path, **changed)
    catalogue = Catalogue([read_module(folder / YAML)])
    said = sorted(str(problem).replace(f"{folder}/", "") for problem in catalogue.check())
    assert len(said) == len(says)
    for line, begins in zip(said, sorted(says), strict=True):
        assert line.startswith(begins)


VPC = (OURS / "aws" / "vpc" / "main.tf").read_text(encoding="utf-8")
INSTANCE = (OURS / "openstack" / "instance" / "main.tf").read_text(encoding="utf-8")
WRONG_RESOURCES = {
    "an argument": (
        "aws/vpc",
        VPC,
        "cidr_block ",
        "cidr_blok ",
        "aws_vpc: takes no cidr_blok. Did",
    ),
    "another type": (
        "aws/vpc",
        VPC,
        "var.cidr",
        "[var.cidr]",
        "aws_vpc: cidr_block must be a strin",
    ),
    "no map": ("aws/vpc", VPC, "= merge", '= "a" #', "aws_vpc: tags must be a map of string"),
    "no truth": (
        "aws/vpc",
        VPC,
        "var.enable_dns_hostnames",
        '"on"',
        "aws_vpc: enable_dns_hostnames",
    ),
    "told, not given": (
        "aws/vpc",
        VPC,
        "cidr_block ",
        "arn ",
        "aws_vpc: arn is told by the provide",
    ),
    "another resource": (
        "aws/vpc",
        VPC,
        '"aws_vpc"',
        '"aws_vcp"',
        "there is no aws_vcp. Did you me",
    ),
    "required": (
        "openstack/instance",
        INSTANCE,
        "name              = var.name",
        "",
        "openstack_compute_instance_v2: needs name",
    ),
    "a block": (
        "openstack/instance",
        INSTANCE,
        "network {",
        "network = {",
        "openstack_compute_instance_v2: network is a block: write `network { … }`",
    ),
    "inside a block": (
        "openstack/instance",
        INSTANCE,
        "uuid =",
        "uid =",
        "openstack_compute_instance_v2: network: takes no uid. Did you mean `uuid`?",
    ),
}


@pytest.mark.parametrize("wrong", WRONG_RESOURCES)
def test_what_the_provider_would_not_take_is_told(wrong, tmp_path):
    name, text, old, new, says = WRONG_RESOURCES[wrong]
    assert old in text
    ours = ours_with(tmp_path, name, text.replace(old, new))
    said = [str(problem) for problem in Catalogue.load([], ours=ours).check()]
    main = ours / name / "main.tf"
    assert any(line.startswith(f"{main}:") and f": {says}" in line for line in said), said


def test_a_reference_to_what_is_not_there_is_told(tmp_path):
    ours = ours_with(tmp_path, "aws/vpc", VPC)
    outputs = ours / "aws" / "vpc" / "outputs.tf"
    text = outputs.read_text(encoding="utf-8")
    outputs.write_text(text.replace("aws_vpc.this.id", "aws_vpc.this.idd"), encoding="utf-8")
    main = ours / "aws" / "vpc" / "main.tf"
    main.write_text(VPC.replace("var.cidr", "data.aws_ssm_parameter.range.value"), encoding="utf-8")
    assert [str(problem) for problem in Catalogue.load([], ours=ours).check()] == [
        f"{main}:12: there is no data aws_ssm_parameter.range",
        f"{outputs}:2: aws_vpc has no idd. Did you mean `id`?",
    ]


def test_a_resource_that_we_know_nothing_of_is_let_be_in_a_module_of_ones_own(tmp_path):
    shutil.copytree(OURS / "aws" / "vpc", tmp_path / "aws" / "vpc")
    (tmp_path / "aws" / "vpc" / "main.tf").write_text('resource "aws_lb" "this" {\n  x = 1\n}\n')
    text = 'output "id" {\n  value = aws_lb.this.y\n}\noutput "name" {\n  value = "a"\n}\n'
    (tmp_path / "aws" / "vpc" / "outputs.tf").write_text(text)
    assert Catalogue.load([tmp_path]).check("aws") == ()


def ours_with(folder, name, main):
    """The modules that one of ours needs, and it with another main.tf."""
    console = name.split("/")[0]
    shutil.copytree(OURS / console, folder / console)
    (folder / name / "main.tf").write_text(main, encoding="utf-8")
    return folder


def test_a_module_says_nothing_wrong_with_a_block_that_is_made_by_a_loop(tmp_path):
    looped = INSTANCE.replace(
        "network {\n    uuid = var.network\n  }",
        'dynamic "network" {\n    for_each = [1]\n    content {\n uuid = var.network\n    }\n  }',
    )
    assert looped != INSTANCE
    ours = ours_with(tmp_path, "openstack/instance", looped)
    assert Catalogue.load([], ours=ours).check() == ()


def in_json(**changed):
    """That module as somebody writes it in JSON, some of its server's attributes changed."""
    described = yaml.safe_load((OURS / "openstack/instance/module.yaml").read_text())
    variables = {name: {"type": "string", "default": None} for name in described["variables"]}
    for name in ("name", "image", "network", "subnet"):
        variables[name] = {"type": "string"}
    variables["flavor"]["default"] = "m1.tiny"
    variables["security_groups"] = {"type": "list(string)", "default": ["default"]}
    server = {"name": "${var.name}", "network": {"uuid": "${var.network}"}, **changed}
    outputs = {"id": "id", "name": "name", "address": "access_ip_v4"}
    address = "openstack_compute_instance_v2.this"
    return {
        "terraform": {"required_providers": {"openstack": {"source": "somewhere/openstack"}}},
        "variable": variables,
        "resource": {"openstack_compute_instance_v2": {"this": server}},
        "output": {n: {"value": f"${{{address}.{field}}}"} for n, field in outputs.items()},
    }


def said_of_json(folder, whole):
    """What is wrong with the modules when this one is in JSON."""
    ours = ours_with(folder, "openstack/instance", "")
    place = ours / "openstack" / "instance"
    for name in ("main.tf", "variables.tf", "outputs.tf"):
        (place / name).unlink()
    text = whole if isinstance(whole, str) else json.dumps(whole, indent=2)
    (place / "main.tf.json").write_text(text, encoding="utf-8")
    said = [str(problem) for problem in Catalogue.load([], ours=ours).check()]
    return [line.removeprefix(f"{place}/main.tf.json:") for line in said]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"network": [{"uuid": "${var.network}"}, {"name": "x"}]},
        {"network": [], "metadata": {"a": 'say "b"'}},
        {"network": [], "dynamic": {"network": {"for_each": [1], "content": {"uuid": "a"}}}},
        {"security_groups": "${var.security_groups}", "power_state": "active"},
    ],
)
def test_a_module_may_be_in_json(changed, tmp_path):
    assert said_of_json(tmp_path, in_json(**changed)) == []


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"colour": "red"}, "openstack_compute_instance_v2: takes no colour"),
        ({"network": {"uid": "a"}}, "openstack_compute_instance_v2: network: takes no uid"),
        ({"network": [{"uid": "a"}]}, "openstack_compute_instance_v2: network: takes no uid"),
        ({"network": "a"}, "openstack_compute_instance_v2: network is a block"),
        ({"metadata": ["a"]}, "openstack_compute_instance_v2: metadata must be a map of string"),
        ({"name": "${var.name}", "key_pair": "${openstack_x_v2.a.id}"}, "there is no resource op"),
    ],
)
def test_what_is_wrong_with_a_module_in_json_is_told(changed, says, tmp_path):
    (said,) = said_of_json(tmp_path, in_json(**changed))
    assert says in said


def test_its_interface_in_json_is_held_against_its_description(tmp_path):
    whole = in_json()
    whole["variable"]["flavor"] = {"type": "number", "default": "m1.tiny"}
    whole["variable"]["key_pair"]["default"] = "mine"
    del whole["variable"]["user_data"], whole["output"]["address"]
    assert len(said_of_json(tmp_path, whole)) == 4


def test_json_that_is_none_is_told(tmp_path):
    (said,) = said_of_json(tmp_path, '{"variable": {')
    assert said.startswith("1: is no Terraform: ")


@pytest.mark.parametrize("text", ["[]", '{"variable": []}', '{"variable": {"name": []}}', "1"])
def test_json_of_another_shape_is_told(text, tmp_path):
    (said,) = said_of_json(tmp_path, text)
    assert said.startswith("1: is no Terraform: ")


GARBAGE = st.one_of(
    st.text(max_size=200),
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9)),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from([*yaml.safe_load(DISK), "x", "en"]), inner, max_size=6
            )
        ),
        max_leaves=12,
    ).map(lambda value: yaml.safe_dump(value, allow_unicode=True)),
    st.builds(
        lambda lines, index, text: "\n".join([*lines[:index], text, *lines[index + 1 :]]),
        st.just(DISK.splitlines()),
        st.integers(0, DISK.count("\n") - 1),
        st.text(max_size=30),
    ),
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=GARBAGE)
def test_whatever_stands_in_a_description_it_is_read_or_refused_with_a_place(text, tmp_path):
    file = tmp_path / "module.yaml"
    file.write_text(text, encoding="utf-8", errors="replace", newline="")
    try:
        assert isinstance(read_module(file), Module)
    except WrongModule as exc:
        last = text.count("\n") + 2
        assert exc.problems
        assert all(p.file == str(file) and 1 <= p.line <= last and p.says for p in exc.problems)
