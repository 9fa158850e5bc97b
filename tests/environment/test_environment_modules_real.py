"""Our modules with the real Terraform: made in a practice cloud, or held against a schema."""

import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from appliance.core.errors import SetupError
from appliance.environment.modules import Catalogue
from appliance.environment.modules.catalogue import OURS
from appliance.environment.terraform import find_terraform, lay_out
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from tests.environment.environment_modules_terraform import MARKER, Root, arguments, once

CATALOGUE = Catalogue.load()
STUB = Path(__file__).with_name("environment_schema_provider.py")
NEVER_APPLIED = ("openstack", "alicloud", "aws")


@pytest.fixture(scope="module", autouse=True)
def terraform():
    pytest.importorskip("tf", reason="the providers need the extra `terraform`")
    try:
        return find_terraform().command
    except SetupError as exc:
        pytest.skip(str(exc))


def test_every_practice_module_is_made_in_every_state_and_leaves_nothing(tmp_path):
    modules = CATALOGUE.of("practice")
    blocks = once(modules)
    for name, module in modules.items():
        for number, state in enumerate(module.states[1:], 2):
            blocks[f"{name}_{number}"] = (module, arguments(module, state, f"n{number}"))
    mirror = lay_out(tmp_path / "mirror")
    with serving(PracticeSettings(settle_s=0.1)) as cloud:
        (tmp_path / "password").write_text(cloud.password)
        root = Root(
            tmp_path,
            "practice.appliance.local/appliance/practice",
            mirror.environment()
            | {"PRACTICE_ENDPOINT": cloud.url, "PRACTICE_USER": "alice"}
            | {"PRACTICE_PASSWORD_FILE": str(tmp_path / "password")},
        )
        root.write(blocks)
        root.run("init")
        root.run("apply", "-auto-approve", "-parallelism=20")
        outputs, made = root.outputs(), inventory(cloud)
        root.run("destroy", "-auto-approve", "-parallelism=20")
        left = inventory(cloud)
    assert set(outputs) == set(blocks)
    for label, (module, given) in blocks.items():
        said = outputs[label]
        assert said.keys() == module.outputs.keys()
        assert all(said.values()), f"{label}: {said}"
        item = made[said["id"]]
        assert item["kind"] == module.check.kind
        assert item["state"] == given.get("state", module.check.state)
        assert MARKER in said["name"] or not module.named
    assert len(made) == len(blocks)
    assert left == {}


def inventory(cloud):
    """Everything that alice has, by id."""
    schema = json.loads(
        (OURS / "provider" / "practice_provider" / "schema.json").read_text(encoding="utf-8")
    )
    found = {}
    with httpx.Client(
        base_url=cloud.url, auth=("alice", cloud.password), trust_env=False, timeout=20
    ) as api:
        for resource in schema["resources"].values():
            for item in api.get(resource["path"]).raise_for_status().json()["items"]:
                found[item["id"]] = item
    return found


@pytest.mark.parametrize("console", NEVER_APPLIED)
def test_what_cannot_be_applied_is_planned_and_made_as_its_providers_schema_says(console, tmp_path):
    root = with_schema(console, tmp_path)
    modules = CATALOGUE.of(console)
    root.write(once(modules))
    root.run("init")
    root.run("validate")
    root.run("apply", "-auto-approve")
    for name, said in root.outputs().items():
        assert said.keys() == modules[name].outputs.keys()


def test_the_schema_refuses_what_the_provider_would_refuse(tmp_path):
    root = with_schema("aws", tmp_path)
    folder = tmp_path / "vpc"
    folder.mkdir()
    for file in (OURS / "aws" / "vpc").glob("*.tf"):
        text = file.read_text(encoding="utf-8").replace("cidr_block ", "cidr_blok ")
        (folder / file.name).write_text(text, encoding="utf-8")
    (tmp_path / "main.tf").write_text('module "vpc" {\n  source = "./vpc"\n  name = "a"\n}\n')
    root.run("init")
    said = json.loads(root.run("validate", "-json", code=1))
    assert [d["summary"] for d in said["diagnostics"]] == ["Unsupported argument"]


def with_schema(console, folder):
    """A root folder whose provider knows the schema that is kept for a console."""
    schema = OURS / console / "schema.json"
    (address,) = json.loads(schema.read_text(encoding="utf-8"))["provider_schemas"]
    home = folder / "home"
    home.mkdir()
    platform = lay_out(folder / "practice").folder
    (practice,) = platform.glob("mirror/*/*/*/*/*")
    place = folder / "mirror" / address / "1.0.0" / practice.name
    place.mkdir(parents=True)
    program = place / f"terraform-provider-{console}_v1.0.0"
    program.write_text(
        f"#!/bin/sh\nHOME='{home}' exec '{sys.executable}' '{STUB}' '{schema}' '{address}'\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    settings = folder / "terraform.rc"
    path = json.dumps(str(folder / "mirror"))
    settings.write_text(
        f"provider_installation {{\n filesystem_mirror {{\n path = {path}\n }}\n}}\n"
    )
    return Root(folder, address, {"TF_CLI_CONFIG_FILE": str(settings)})


def test_every_terraform_file_is_formatted(terraform, tmp_path):
    done = subprocess.run(
        [*terraform, "fmt", "-check", "-recursive", str(OURS)],
        env={"TF_CLI_CONFIG_FILE": "/dev/null", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_authors_guide_is_true(tmp_path):
    """The module of terraform/README.md, as it stands there, is made beside one of ours."""
    text = (OURS / "README.md").read_text(encoding="utf-8")
    main, variables, outputs = re.findall(r"```hcl\n(.*?)```", text, re.DOTALL)
    _settings, module = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    folder = tmp_path / "practice" / "restored_disk"
    folder.mkdir(parents=True)
    texts = {"main.tf": main, "variables.tf": variables, "outputs.tf": outputs}
    for name, content in {**texts, "module.yaml": module}.items():
        (folder / name).write_text(content, encoding="utf-8")
    catalogue = Catalogue.load([tmp_path])
    assert catalogue.check("practice") == ()
    assert catalogue.module("practice", "restored_disk").references == {"snapshot": "disk_snapshot"}
