"""The real Terraform over many modules at once, in one root configuration."""

import json
import os
import subprocess

from appliance.environment.terraform import find_terraform

TIMEOUT_S = 110
MARKER = "cda0f1e2d"


class Root:
    """A folder with a configuration that uses modules."""

    def __init__(self, folder, source, environment):
        self.folder, self.source, self.provider = folder, source, source.rsplit("/", 1)[1]
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PRACTICE_"))}
        self.environment = {**kept, "CHECKPOINT_DISABLE": "1", **environment}

    def write(self, blocks):
        """Blocks by label: a module, and what it is given."""
        configuration = {
            "terraform": {"required_providers": {self.provider: {"source": self.source}}},
            "module": {
                label: {"source": str(module.folder), **arguments}
                for label, (module, arguments) in blocks.items()
            },
            "output": {label: {"value": f"${{module.{label}}}"} for label in blocks},
        }
        (self.folder / "main.tf.json").write_text(json.dumps(configuration), encoding="utf-8")

    def run(self, *arguments, code=0):
        done = subprocess.run(
            [*find_terraform().command, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        assert done.returncode == code, f"{arguments}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def outputs(self):
        return {k: v["value"] for k, v in json.loads(self.run("output", "-json")).items()}


def once(modules):
    """A block of every module, with nothing but its name and what it needs."""
    return {name: (module, arguments(module)) for name, module in modules.items()}


def arguments(module, state="", number=""):
    """The least that a module takes, in a state."""
    given = {"name": module.named.replace("${unique}", MARKER + number)} if module.named else {}
    if state:
        given["state"] = state
    for variable in module.variables.values():
        if variable.module and (variable.is_required or state in variable.needed_for):
            value = f"${{module.{variable.module}.id}}"
            given[variable.name] = [value] if variable.type.startswith("list") else value
    return given
