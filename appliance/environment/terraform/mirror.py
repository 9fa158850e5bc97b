"""The practice provider as a filesystem mirror: Terraform finds it there and asks no registry."""

import hashlib
import json
import platform
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.core.resources import PRACTICE_PROVIDER
from appliance.system.files import write_whole

ADDRESS = PRACTICE_PROVIDER
PROVIDER = Path(__file__).resolve().parents[3] / "terraform" / "provider"
"""Where the provider's program is in the repository."""
_ARCHITECTURES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}

_SCRIPT = """\
#!/bin/sh
# Starts the provider of the practice cloud. Made by environment/terraform/mirror.py.
# The framework keeps a certificate under HOME, and that of the caller need not be there.
home={home}
[ -w "$home" ] || home="${{APPLIANCE_PROVIDER_HOME:-${{TMPDIR:-/tmp}}}}"
HOME="$home" exec {python} -I -u {main} "$@"
"""

_CLI_CONFIG = """\
# Made by environment/terraform/mirror.py. Without a `direct` block nothing is downloaded.
disable_checkpoint = true
provider_installation {{
{mirrors}}}
"""
_MIRROR = """\
  filesystem_mirror {{
    path = {path}
  }}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirror:
    """A local mirror of Terraform providers."""

    folder: Path
    cli_config: Path
    version: str
    program: Path
    """Starts the practice provider."""
    further: Path | None = None
    """Where further providers are."""
    fingerprint: str = ""
    """Differs where what `init` finds in it may differ."""

    def has(self, address: str) -> bool:
        """Whether a provider is in it: `HOST/NAMESPACE/NAME`, the host being Terraform's own."""
        whole = address if address.count("/") == 2 else f"registry.terraform.io/{address}"
        places = [self.folder / "mirror", *([] if self.further is None else [self.further])]
        return any((place / whole).is_dir() for place in places)

    def environment(self) -> dict[str, str]:
        """The variables that let Terraform use it, and nothing else."""
        return {
            "TF_CLI_CONFIG_FILE": str(self.cli_config),
            "CHECKPOINT_DISABLE": "1",
            "TF_IN_AUTOMATION": "1",
            "TF_INPUT": "0",
        }


def lay_out(folder: Path, *, provider: Path = PROVIDER, further: Path | None = None) -> Mirror:
    """Write the mirror and the settings file that names it; again does no harm.

    Args:
        folder: Where; made when it is not there. The provider writes into it when it runs.
        provider: The folder of the provider.
        further: A mirror of other providers, as `terraform providers mirror` writes it.

    Raises:
        SetupError: The provider or the other mirror is not there, or the folder cannot be written.
    """
    folder = folder.resolve()
    if further is not None:
        further = further.resolve()
        if not further.is_dir():
            raise SetupError(f"environment.terraform.mirror: there is no folder {further}")
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
            python=shlex.quote(sys.executable),
            main=shlex.quote(str(provider / "main.py")),
        )
        _replace(script, text, 0o755)
        places = [folder / "mirror", *([] if further is None else [further])]
        mirrors = "".join(_MIRROR.format(path=_quote(place)) for place in places)
        settings = _CLI_CONFIG.format(mirrors=mirrors)
        _replace(cli_config, settings, 0o644)
    except OSError as exc:
        raise SetupError(f"the provider mirror {folder} cannot be written: {exc}") from exc
    return Mirror(
        folder=folder,
        cli_config=cli_config,
        version=version,
        program=script,
        further=further,
        fingerprint=hashlib.sha256((text + settings).encode()).hexdigest(),
    )


def _quote(path: Path) -> str:
    """Quote a path as an HCL string."""
    return json.dumps(str(path), ensure_ascii=False).replace("${", "$${").replace("%{", "%%{")


def _platform() -> str:
    machine = platform.machine().lower()
    return f"{platform.system().lower()}_{_ARCHITECTURES.get(machine, machine)}"


def _replace(file: Path, text: str, mode: int) -> None:
    """Write a file at once: another Terraform may be starting it."""
    if file.exists() and file.read_text(encoding="utf-8") == text:
        return
    write_whole(file, text, mode=mode)
