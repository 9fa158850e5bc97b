"""What is kept: how it is protected, and the room it needs."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from appliance.config.section import Section


class StorageSettings(Section):
    """What is kept: how it is protected, and the room it needs.

    Keys are named, never written here.
    """

    min_free_mib: int = Field(1000, ge=0)
    """Room for results that is kept free where the data folder is; below it nothing is begun, and
    what is under way comes to its end. Pictures take no more than half of it, so that verdicts and
    clean-ups can be written down when it is short."""
    min_free_temp_mib: int = Field(100, ge=0)
    """The same where temporary files are (`TMPDIR`), such as the browsers' profiles."""
    key_env: str | None = None
    """Environment variable that holds the secret which kept log-ins are encrypted with: at least 32
    characters, as `openssl rand -base64 32` prints them."""
    key_file: Path | None = None
    """File that holds it, alone on its first line, and not in the data folder. Without either,
    log-ins are kept in memory only, and each process logs in anew."""
    backup_recipients: tuple[Annotated[str, Field(pattern=r"^(age1|ssh-)")], ...] = ()
    """Public keys (`age1…` of age-keygen, `ssh-ed25519 …`) that backups are encrypted to; any one
    of their private keys opens them, and none has to be on this machine. Empty: not encrypted."""
