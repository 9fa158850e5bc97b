"""The practice provider as a filesystem mirror: Terraform finds it there and asks no registry."""

import json
import os
import platform
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from appliance.core.errors import SetupError

ADDRESS = "practice.appliance.local/appliance/practice"
PROVIDER = Path(__file__).resolve().parents[3] / "terraform" / "provider"
"""Where the provider's program is in the repository."""
_ARCHITECTURES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}

_SCRIPT = """\
#!/bin/sh
# Starts the provider of the practice cloud. Made by environment/terraform/mirror.py.
# The framework keeps a certificate under HOME, which need not be writable where this runs.
HOME={home} exec {python} -I {main} "$@"
"""

_CLI_CONFIG = """\
# Made by environment/terraform/mirror.py. Without a `direct` block nothing is downloaded.
disable_checkpoint = true
provider_installation {{
  filesystem_mirror {{
    path = {path}
  }}
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirror:
    """A mirror that is there."""

    folder: Path
    cli_config: Path
    version: str

    def environment(self) -> dict[str, str]:
        """The variables that let Terraform use it, and nothing else."""
        return {
            "TF_CLI_CONFIG_FILE": str(self.cli_config),
            "CHECKPOINT_DISABLE": "1",
            "TF_IN_AUTOMATION": "1",
            "TF_INPUT": "0",
        }


def lay_out(folder: Path, *, python: Path | None = None, provider: Path = PROVIDER) -> Mirror:
    """Write the mirror and the settings file that names it; again does no harm.

    Args:
        folder: Where; made when it is not there. The provider writes into it when it runs.
        python: The interpreter that has the package `tf`; by default this one.
        provider: The folder of the provider.

    Raises:
        SetupError: The provider is not there, or the folder cannot be written.
    """
    folder = folder.resolve()
    try:
        version = (provider / "VERSION").read_text(encoding="utf-8").strip()
    except OSError as exc:
        raise SetupError(f"the practice provider is not in {provider}: {exc.strerror}") from exc
    place = folder / "mirror" / ADDRESS / version / _platform()
    home, cli_config = folder / "home", folder / "terraform.rc"
    script = place / f"terraform-provider-practice_v{version}"
    try:
        place.mkdir(parents=True, exist_ok=True)
        home.mkdir(mode=0o700, exist_ok=True)
        text = _SCRIPT.format(
            home=shlex.quote(str(home)),
            python=shlex.quote(str(python or sys.executable)),
            main=shlex.quote(str(provider / "main.py")),
        )
        _replace(script, text, 0o755)
        path = json.dumps(str(folder / "mirror"), ensure_ascii=False)
        _replace(cli_config, _CLI_CONFIG.format(path=path), 0o644)
    except OSError as exc:
        raise SetupError(f"the provider mirror {folder} cannot be written: {exc}") from exc
    return Mirror(folder=folder, cli_config=cli_config, version=version)


def _platform() -> str:
    machine = platform.machine().lower()
    return f"{platform.system().lower()}_{_ARCHITECTURES.get(machine, machine)}"


def _replace(file: Path, text: str, mode: int) -> None:
    """Write a file at once: another Terraform may be starting it."""
    if file.exists() and file.read_text(encoding="utf-8") == text:
        return
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.write_text(text, encoding="utf-8")
    fresh.chmod(mode)
    fresh.replace(file)
