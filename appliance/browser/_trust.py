"""Whom a browser trusts besides its own list: a database of certificates in its home.

Chromium on Linux reads `~/.pki/nssdb`, which `certutil` of Mozilla's NSS writes.
"""

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.system.child_environment import Child, child_environment
from appliance.system.network.authority import Authority
from appliance.system.network.network import Network
from appliance.system.network.trust import pem_certificates

_TIMEOUT_S = 60.0
DATABASE = ".pki/nssdb"


def trusted_by(networks: Iterable[Network], authority: Authority | None) -> tuple[str, ...]:
    """The certificates, in PEM, that pages of these networks need.

    Raises:
        SetupError: They cannot be read.
    """
    named = {each.ca for each in networks if each.ca is not None}
    own = (authority.pem,) if authority is not None else ()
    return (*(pem for ca in sorted(named) for pem in pem_certificates(ca)), *own)


def lay_down(certificates: Sequence[str], home: Path) -> None:
    """Make the database in a browser's home. Blocks.

    Raises:
        SetupError: `certutil` is not there, or takes a certificate for none.
    """
    program = shutil.which("certutil")
    if program is None:
        raise SetupError(
            "network.ca and client certificates need the program certutil, which tells Chromium"
            " whom to trust: install it (Debian: apt-get install libnss3-tools)"
        )
    folder = home / DATABASE
    folder.mkdir(mode=0o700, parents=True)
    _run(program, folder, "-N", "--empty-password")
    lines = []
    for number, pem in enumerate(certificates):
        file = folder / f"{number}.pem"
        file.write_text(f"{pem}\n", encoding="ascii")
        lines.append(f"-A -n trusted-{number} -t C,, -a -i {file}\n")
    batch = folder / "batch"
    batch.write_text("".join(lines), encoding="utf-8")
    _run(program, folder, "-B", "-i", str(batch))


def _run(program: str, folder: Path, *arguments: str) -> None:
    try:
        ran = subprocess.run(
            [program, *arguments, "-d", f"sql:{folder}"],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            env=child_environment(Child.TOOL),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"{program} cannot be run: {error}") from error
    if ran.returncode:
        raise SetupError(f"network.ca: {program} refuses a certificate: {ran.stderr.strip()[:300]}")
