"""How what is kept is protected at rest."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from appliance.config.section import Section


class StorageSettings(Section):
    """How what is kept is protected at rest. Keys are named, never written here."""

    key_env: str | None = None
    """Environment variable that holds the secret which kept log-ins are encrypted with: at least 32
    characters, as `openssl rand -base64 32` prints them."""
    key_file: Path | None = None
    """File that holds it, alone on its first line, and not in the data folder. Without either,
    log-ins are kept in memory only, and each process logs in anew."""
    backup_recipients: tuple[Annotated[str, Field(pattern=r"^(age1|ssh-)")], ...] = ()
    """Public keys (`age1…` of age-keygen, `ssh-ed25519 …`) that backups are encrypted to; any one
    of their private keys opens them, and none has to be on this machine. Empty: not encrypted."""
