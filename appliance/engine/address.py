"""The address of a data folder's server, in `server.json`, for other commands on this machine."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import psutil

from appliance.core.jsonable import to_jsonable
from appliance.system.files import write_whole

_FILE = "server.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Address of a listening server."""

    url: str
    """For this machine: not the one that people elsewhere use."""
    pid: int
    started_at: datetime
    version: str
    certificate: str = ""
    """PEM file of what it shows, over HTTPS: for another name than that of this machine."""
    key: str = field(default="", repr=False)
    """With which whoever may read the data folder asks it; empty: none is needed."""


@contextmanager
def shown_address(data_dir: Path, address: Address) -> Iterator[None]:
    """Publish the address while the block runs."""
    file = data_dir / _FILE
    write_whole(file, json.dumps(to_jsonable(address)), mode=0o600)  # a key is in it
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def server_address(data_dir: Path) -> Address | None:
    """The address of a data folder's server; None if none runs or it was killed."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        record = json.loads((data_dir / _FILE).read_text("utf-8"))
        address = Address(**record | {"started_at": datetime.fromisoformat(record["started_at"])})
        return address if psutil.pid_exists(address.pid) else None
    return None
