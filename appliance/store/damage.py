"""A store that is damaged: how it is told, and what to do about it."""

from contextlib import suppress
from datetime import UTC
from pathlib import Path

from appliance.core.clock import local_time
from appliance.core.errors import StoreError
from appliance.store.manifests import FOLDER, Backup, backups_in

_SAYS_DAMAGE = ("Corrupt", "Could not read enough bytes", "does not match stored checksum")
"""DuckDB, of a block that is not what was written."""


def says_damage(message: str) -> bool:
    """Whether an error of DuckDB is about the file's content, not about its disk or its use."""
    return any(words in message for words in _SAYS_DAMAGE)


def damage_error(path: Path, what: str) -> StoreError:
    """The error that says what is wrong with the store, and the command that puts it right."""
    return StoreError(f"The store {path} is damaged: {what} {_what_to_do(path)}")


def _what_to_do(path: Path) -> str:
    if path.parent.name.startswith("."):
        return "Try again."  # a copy that is being made; the store itself is told of elsewhere
    best = _newest_sound(path.parent / FOLDER)
    if best is None:
        return (
            f"Nothing of it was changed. There is no good backup in {path.parent / FOLDER}: restore"
            " one from elsewhere (`appliance store restore FOLDER`), or move the file away with its"
            " `.wal`: a new one is made at the next start."
        )
    identity = " --identity FILE" if best.is_encrypted else ""
    return (
        f"Nothing of it was changed. `appliance store restore {best.id}{identity}` puts the newest"
        f" good backup ({local_time(best.made_at, UTC)} UTC) in its place and keeps what is"
        " there."
    )


def _newest_sound(folder: Path) -> Backup | None:
    for backup in backups_in(folder):
        with suppress(OSError):
            if backup.is_sound:
                return backup
    return None
