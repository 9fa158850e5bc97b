"""What tests of the resource coder share: configurations, and a cloud to make them in."""

import json
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from appliance.config import CoderSettings, ModelSettings
from appliance.config.settings import TerraformSettings
from appliance.consoles.base import TerraformAccess
from appliance.core.resources import PRACTICE_PROVIDER
from appliance.environment.coder import ResourceCoder
from appliance.environment.modules import Catalogue
from appliance.environment.terraform import HostLauncher, Terraform
from appliance.inference.client import ModelClient
from appliance.inference.scripted import serving

MARKER = "cda1f2e3"
PLAIN = {
    "variable": {"name": {"type": "string"}},
    "resource": {"practice_bucket": {"this": {"name": "${var.name}"}}},
    "output": {
        "id": {"value": "${practice_bucket.this.id}"},
        "name": {"value": "${practice_bucket.this.name}"},
    },
}
OBJECT = {
    "bucket": "${practice_bucket.this.id}",
    "name": "${var.name}.txt",
    "file": '${base64encode("hello")}',
    "file_name": "hello.txt",
}


def merged(one, other):
    """Both, the other one deep within the first."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return other
    return {**one, **{key: merged(one.get(key), value) for key, value in other.items()}}


def with_body(**blocks):
    """A bucket with something else in the same configuration."""
    return merged(PLAIN, blocks)


def in_bucket(whole=PLAIN, **attributes):
    """A bucket with something else inside."""
    return merged(whole, {"resource": {"practice_bucket": {"this": attributes}}})


GOOD = with_body(resource={"practice_object": {"this": OBJECT}})
NETWORK = {
    "variable": {"name": {"type": "string"}},
    "resource": {
        "practice_network": {"this": {"name": "${var.name}"}},
        "practice_subnet": {
            "this": {
                "for_each": {"a": 1, "b": 2},
                "name": "${var.name}-${each.key}",
                "network": "${practice_network.this.id}",
                "cidr": '${cidrsubnet("10.0.0.0/16", 8, each.value)}',
            }
        },
    },
    "output": {
        "id": {"value": "${practice_network.this.id}"},
        "name": {"value": "${practice_network.this.name}"},
        "subnets": {"value": "${values(practice_subnet.this)[*].id}"},
    },
}


def says(configuration, impossible=""):
    """An answer in the form that is asked for."""
    return json.dumps({"configuration": configuration, "impossible": impossible})


@dataclass
class Recorder:
    """A launcher that runs programs here and keeps what it was given."""

    commands: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    name: str = "recorder"
    host: HostLauncher = field(default_factory=HostLauncher)

    async def run(self, command, *, folder, environment, timeout_s, on_line=lambda line: None):
        self.commands.append(next(a for a in command[1:] if not a.startswith(("-", "/"))))
        self.texts += [f.read_text() for f in folder.rglob("*.tf.json")]
        return await self.host.run(
            command, folder=folder, environment=environment, timeout_s=timeout_s, on_line=on_line
        )


@dataclass
class Bench:
    """A cloud, a Terraform, and a way to ask a coder with a script."""

    api: httpx.Client
    access: TerraformAccess
    terraform: Terraform
    launcher: object
    catalogue: Catalogue
    asked: list = field(default_factory=list)

    async def make(
        self,
        script,
        *,
        request="a bucket with an object",
        catalogue=None,
        console="practice",
        **settings,
    ):
        with serving(script) as model:
            async with ModelClient(ModelSettings(endpoint=model.url)) as client:
                coder = ResourceCoder(
                    client,
                    catalogue or self.catalogue,
                    self.terraform,
                    self.launcher,
                    CoderSettings(**settings),
                )
                report = await coder.make(request, console, self.access, MARKER, "attempt-1")
        self.requests = model.requests
        return report

    def names(self, path):
        """What the cloud holds of a kind that carries the marker."""
        items = self.api.get(path).raise_for_status().json()["items"]
        return sorted(item["name"] for item in items if MARKER in item["name"])

    async def destroy(self):
        workspace = await self.terraform.open("attempt-1", None, self.access, self.launcher)
        await workspace.destroy()
        workspace.forget()


@contextmanager
def way_in(running):
    """An API client and the access of alice, whose token takes the place of a password."""
    with httpx.Client(base_url=running.url, trust_env=False, timeout=10) as api:
        api.auth = ("alice", running.password)
        token = api.post("/api/tokens").raise_for_status().json()["token"]
        access = TerraformAccess(
            provider="practice",
            source=PRACTICE_PROVIDER,
            arguments={},
            environment={"PRACTICE_ENDPOINT": running.url, "PRACTICE_TOKEN": token},
            hosts=frozenset({running.url.removeprefix("http://")}),
        )
        yield api, access


def terraform_in(folder):
    """A Terraform whose data is in a folder."""
    return Terraform(TerraformSettings(), folder)
