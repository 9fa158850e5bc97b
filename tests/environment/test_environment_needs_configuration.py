import json
import subprocess
import unicodedata
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from appliance.consoles.base import TerraformAccess
from appliance.core.checks import Need
from appliance.core.errors import ProvisioningError
from appliance.environment.needs import (
    Block,
    Reference,
    ResourcePlan,
    bindings,
    configuration,
    output_name,
    plan,
    settle_references,
)
from appliance.environment.terraform import find_terraform
from tests.environment.environment_needs_modules import catalogue, module, variable

ACCESS = TerraformAccess(
    provider="practice",
    source="practice.appliance.local/appliance/practice",
    arguments={"endpoint": "http://127.0.0.1:1", "user": "${odd}"},
    environment={"PRACTICE_PASSWORD": "secret"},
    hosts=frozenset({"127.0.0.1:1"}),
)


def test_a_plan_becomes_one_configuration():
    needs = [
        Need(kind="instance", values={"name": "app", "user_data": "echo ${HOME} %{x}"}),
        Need(kind="disk", values={"instance": "app", "tags": "k${a}=v"}),
    ]
    found = configuration(plan(needs, catalogue(), "cda1"), [ACCESS])
    assert found["terraform"] == {
        "required_providers": {"practice": {"source": ACCESS.source}},
    }
    assert found["provider"] == {
        "practice": {"endpoint": "http://127.0.0.1:1", "user": "$${odd}"},
    }
    assert found["module"]["instance_1"] == {
        "source": "/modules/instance",
        "name": "app",
        "user_data": "echo $${HOME} %%{x}",
        "network": "${module.network_1.id}",
        "subnet": "${module.subnet_1.id}",
        "groups": ["${module.security_group_1.id}"],
    }
    assert found["module"]["disk_1"]["tags"] == {"k$${a}": "v"}
    assert found["output"]["disk_1_name"] == {"value": "${module.disk_1.name}"}
    assert len(found["output"]) == 2 * len(found["module"])
    assert "secret" not in json.dumps(found)


def test_a_provider_without_access_is_told():
    modules = catalogue(module("vault", provider="alicloud"))
    found = plan([Need(kind="vault")], modules, "cda1")
    with pytest.raises(ProvisioningError, match=r"vault needs the provider alicloud, .* practice"):
        configuration(found, [ACCESS])


def test_only_providers_that_are_used_are_named():
    other = replace(ACCESS, provider="other")
    found = configuration(plan([Need(kind="disk")], catalogue(), "cda1"), [other, ACCESS])
    assert list(found["provider"]) == ["practice"]


def test_another_region_has_a_provider_of_its_own():
    needs = [Need(kind="network", values={"region": "eu-2"}), Need(kind="network")]
    found = configuration(plan(needs, catalogue(), "cda1"), [ACCESS])
    usual = {"endpoint": "http://127.0.0.1:1", "user": "$${odd}"}
    assert found["provider"]["practice"] == [usual, usual | {"region": "eu-2", "alias": "in_eu_2"}]
    assert found["module"]["network_1"]["providers"] == {"practice": "practice.in_eu_2"}
    assert "providers" not in found["module"]["network_2"]


def test_names_and_ids_are_bound_by_the_words_of_the_needs():
    found = plan([Need(kind="disk"), Need(kind="disk"), Need(kind="volume")], catalogue(), "cda1")
    outputs = {
        "disk_1_name": "vol", "disk_1_id": "disk-1", "disk_2_name": "more", "disk_2_id": "disk-2",
        "disk_3_id": 7,
    }  # fmt: skip
    assert bindings(found, outputs) == {
        "disk": "vol", "disk id": "disk-1", "disk 2": "more", "disk 2 id": "disk-2",
        "volume id": "7",
    }  # fmt: skip


def test_what_was_there_already_goes_in_as_it_is():
    found = plan([Need(kind="instance")], catalogue(sharing=("network", "security_group")), "cda1")
    outputs = {
        output_name("shared_network", "id"): "net-1",
        output_name("shared_security_group", "id"): "sg-1",
    }
    subnet, instance = settle_references(found.blocks, outputs)
    assert subnet.arguments["network"] == "net-1"
    assert instance.arguments["groups"] == ("sg-1",)
    assert instance.arguments["subnet"] == Reference("subnet_1")
    with pytest.raises(ProvisioningError, match="shared_network was to be there"):
        settle_references(found.blocks, {})


# The real Terraform: what goes in comes out.

MODULE = """\
variable "name" { type = string }
variable "tags" { type = map(string) }
variable "days" { type = list(string) }
variable "other" { type = string }
output "id" { value = jsonencode([var.name, var.tags, var.days, var.other]) }
output "name" { value = var.name }
"""


@pytest.fixture(scope="module")
def came_out(tmp_path_factory):
    """Applies one block for each text; gives the texts as they came out."""
    folder = tmp_path_factory.mktemp("needs-configuration")
    (folder / "module").mkdir()
    (folder / "module" / "main.tf").write_text(MODULE)
    echo = module(
        "echo", variable("tags", "map(string)"), variable("days", "list(string)"),
        variable("other"), provider="terraform", folder=folder / "module",
    )  # fmt: skip
    way = TerraformAccess(
        provider="terraform", source="terraform.io/builtin/terraform",
        arguments={}, environment={}, hosts=frozenset(),
    )  # fmt: skip
    terraform = find_terraform().command
    root = folder / "root"
    root.mkdir()

    def run(*command):
        done = subprocess.run(
            [*terraform, *command], cwd=root, capture_output=True, text=True, timeout=60,
            env={"TF_CLI_CONFIG_FILE": "/dev/null", "HOME": str(folder), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def apply(texts):
        listed = list(texts)
        blocks = (
            Block(
                label="first", module=echo,
                arguments={
                    "name": listed[0], "tags": {t: t for t in listed}, "days": listed, "other": "",
                },
            ),
            Block(
                label="second", module=echo,
                arguments={
                    "name": "", "tags": {}, "days": (Reference("first", "name"), *listed),
                    "other": Reference("first", "name"),
                },
            ),
        )  # fmt: skip
        made = configuration(ResourcePlan(blocks=blocks, names={"first": "first"}), [way])
        (root / "main.tf.json").write_text(json.dumps(made))
        run("init", "-input=false")
        run("apply", "-auto-approve", "-input=false", "-no-color")
        outputs = {k: v["value"] for k, v in json.loads(run("output", "-json")).items()}
        assert bindings(ResourcePlan(names={"it": "first"}), outputs)["it"] == listed[0]
        return json.loads(outputs["first_id"]), json.loads(outputs["second_id"])

    return apply


def holds(came_out, texts):
    first, second = came_out(texts)
    assert first == [texts[0], {t: t for t in texts}, texts, ""]
    assert second == ["", {}, [texts[0], *texts], texts[0]]


def test_no_text_is_taken_for_a_template(came_out):
    pieces = ("$", "%", "{", "}", "~", "${path.module}", "%{ if true }", '"', "\\")
    holds(came_out, ["".join(p) for n in (1, 2, 3) for p in product(pieces, repeat=n)])


TEXTS = st.lists(
    # Terraform keeps texts in Unicode's composed form
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")).map(
        lambda text: unicodedata.normalize("NFC", text)
    ),
    min_size=20,
    max_size=60,
    unique=True,
)


@settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.large_base_example],
)
@given(texts=TEXTS)
def test_every_text_comes_out_as_it_went_in(came_out, texts):
    holds(came_out, texts)
