"""Settings of where attempts are made: on this machine, or on several."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field

from appliance.config.section import Section


class ExecutionSettings(Section):
    """Where the browsers are. Results, accounts and resources always stay on this machine."""

    engine: Literal["local", "ray"] = "local"
    """`local`: here; `ray`: on every node of a Ray cluster that this machine is a node of."""
    address: str = ""
    """ray: where its head node answers (`10.0.0.1:6379`)."""
    workers: int = Field(2, ge=1, le=256)
    """ray: attempts at a time on each node, each by a process of its own with a browser. Nodes that
    were started with `--num-cpus 0` get none."""
    key_env: str | None = None
    """ray: environment variable, here and on every node, with the key by which they know each other
    (`openssl rand -base64 32`)."""
    key_file: Path | None = None
    """ray: file with that key, here and on every node."""
    host: str = ""
    """ray: address of this machine at which the workers ask it; empty: the one that Ray uses."""
    port: int = Field(0, ge=0, le=65535)
    """ray: port for that, encrypted; 0: any that is free."""


def contradictions_of_execution(of: ExecutionSettings) -> Iterator[tuple[tuple[str, ...], str]]:
    """What does not fit together, with the path of the value to change."""
    if of.engine == "local":
        return
    host, _, port = of.address.rpartition(":")
    if not host or not port.isdigit():
        yield (
            ("execution", "address"),
            "`execution.address`: expected HOST:PORT of Ray's head node, as `ray start --head`"
            " prints it.",
        )
    if bool(of.key_env) == bool(of.key_file):
        yield (
            ("execution",),
            "`execution` needs `key_env` or `key_file`, and not both: the key by which this machine"
            " and its workers know each other.",
        )
