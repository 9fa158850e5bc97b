"""Opening the DuckDB file, and its errors as sentences."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from appliance.core.errors import StoreError
from appliance.store.damage import damage_error, says_damage

CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",  # nothing is ever downloaded
    "autoload_known_extensions": "false",
    "enable_external_access": "false",  # a query reads this file and no other
    "memory_limit": "384MB",  # the machine is shared with browsers and a model
}


class StoreInUseError(StoreError):
    """Another process has it open."""


_HOLDER = re.compile(r"lock is held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")


def connect(path: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """A connection to the file, which is made where there is none."""
    try:
        with explain_folder_errors(path):
            if read_only:
                return duckdb.connect(str(path), read_only=True, config=CONFIG)
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size == 0:
                path.unlink()  # DuckDB refuses an empty file, which is what a full disk leaves
            return duckdb.connect(str(path), config=CONFIG)
    except duckdb.Error as error:
        raise _why_not(path, str(error)) from error


@contextmanager
def explain_folder_errors(path: Path) -> Iterator[None]:
    """Say in a sentence that the folder of the store cannot be used."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"The store {path} cannot be opened: {error.strerror or error}. "
            "Make the data folder writable, or set another `data_dir`."
        ) from error


def _why_not(path: Path, message: str) -> StoreError:
    """What keeps it from being opened."""
    if "Could not set lock" in message:
        holder = _HOLDER.search(message)
        if server := _server_beside(path, holder["pid"] if holder else ""):
            return StoreInUseError(
                f"The store {path} is in use by the server at {server}. Ask that server, over REST"
                " or in a browser; or stop it first, or set another `data_dir`."
            )
        who = f" (PID {holder['pid']}, {Path(holder['program']).name})" if holder else ""
        return StoreInUseError(
            f"The store {path} is in use by another process{who}. Wait until it ends, ask the "
            "running server over REST, or set another `data_dir`."
        )
    if "read a database file with version number" in message:
        return StoreError(
            f"The store {path} was written by a newer DuckDB than this appliance has. "
            "Use the newer appliance, or set another `data_dir`."
        )
    if "ermission denied" in message or "Read-only" in message:
        return StoreError(
            f"The store {path} may not be written. "
            "Make the data folder writable, or set another `data_dir`."
        )
    return damage_error(path, first_sentence(message))


def _server_beside(path: Path, pid: str) -> str:
    """Address of the server that holds the store, as it says itself; empty: it is none."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        server = json.loads(path.with_name("server.json").read_text("utf-8"))
        return str(server["url"]) if str(server["pid"]) == pid else ""
    return ""


@contextmanager
def blamed_on_store(path: Path, doing: str) -> Iterator[None]:
    """Say in a sentence what DuckDB says in a paragraph."""
    try:
        yield
    except duckdb.Error as error:
        if says_damage(str(error)):
            raise damage_error(path, first_sentence(str(error))) from error
        raise StoreError(
            f"The store {path} failed while {doing}: {first_sentence(str(error))} "
            "Check that the disk is not full and the file is sound."
        ) from error


def first_sentence(message: str) -> str:
    """The first line of a message, with a full stop."""
    lines = message.strip().splitlines()
    return f"{lines[0].rstrip('.!')}." if lines else "no reason given."
