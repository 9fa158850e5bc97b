"""Runs the real Terraform in a folder."""

import json
import os
import subprocess
import time
from pathlib import Path

TIMEOUT_S = 110


class Terraform:
    """One working folder."""

    def __init__(self, command, folder: Path, environment):
        self.command, self.folder = command, folder
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PRACTICE_"))}
        # Nobody needs a home: the provider's launcher has its own.
        self.environment = {**kept, "HOME": "/nonexistent", **environment}
        self.timings = []
        folder.mkdir(exist_ok=True)

    def write(self, text):
        (self.folder / "main.tf").write_text(text, encoding="utf-8")

    def run(self, *arguments, code=0):
        """The output of a command that ends with a code; None: any."""
        started = time.monotonic()
        done = subprocess.run(
            [*self.command, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        self.timings.append((arguments[0], time.monotonic() - started))
        if code is not None and done.returncode != code:
            raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout + ("" if "-json" in arguments else done.stderr)

    def init(self, text):
        self.write(text)
        self.run("init", "-no-color")

    def plan(self, text=None, **codes):
        """The planned changes: `(address, actions)`, and more, by address."""
        if text is not None:
            self.write(text)
        self.run("plan", "-no-color", "-lock=false", "-out=plan", **codes)
        shown = json.loads(self.run("show", "-json", "plan"))
        return {change["address"]: change["change"] for change in shown["resource_changes"]}

    def apply(self):
        """Apply the plan; the errors by address."""
        return self._errors("apply", "-json", "plan")

    def destroy(self):
        return self._errors("destroy", "-json", "-auto-approve")

    def _errors(self, *arguments):
        errors = {}
        for line in self.run(*arguments, code=None).splitlines():
            said = json.loads(line)
            found = said.get("diagnostic")
            if found and found["severity"] == "error":
                text = f"{found['summary']}: {found.get('detail', '')}"
                errors[found.get("address", "?")] = text
        return errors

    def state(self):
        """The attributes of every resource by address."""
        shown = json.loads(self.run("show", "-json"))
        found = shown.get("values", {}).get("root_module", {}).get("resources", [])
        return {resource["address"]: resource["values"] for resource in found}

    def validate(self, texts):
        """What is wrong: `(file, line, summary, detail)`.

        Args:
            texts: By file. Terraform reads a file again for every mistake in it: have small ones.
        """
        for name, text in texts.items():
            (self.folder / f"{name}.tf").write_text(text, encoding="utf-8")
        said = json.loads(self.run("validate", "-json", code=None))
        return [
            (
                d["range"]["filename"].removesuffix(".tf"),
                d["range"]["start"]["line"],
                d["summary"],
                d["detail"],
            )
            for d in said["diagnostics"]
        ]


def actions(changes, kind=""):
    """The addresses of a plan that are not left alone, with what is done."""
    return {
        address: change["actions"]
        for address, change in changes.items()
        if change["actions"] != ["no-op"] and address.startswith(kind)
    }
