"""How a container is run. Kept as a label of it, so that an upgrade runs the next one alike."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from hosting.problems import Problem

LABEL = "appliance.options"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything that `up` can be told."""

    image: str
    name: str = "appliance"
    address: str = "127.0.0.1"
    """Of the host, on which the port is published."""
    port: int = 8080
    data: str = "appliance-data"
    """A volume, or a folder of the host (which user 10001 has to be able to write)."""
    config: str = ""
    """File; mounted as /etc/appliance/config.yaml."""
    models: str = ""
    """Folder; mounted as /models."""
    secrets: str = ""
    """Folder; mounted as /run/secrets."""
    env_file: str = ""
    """File with `APPLIANCE_*` variables."""
    gpus: str = ""
    """As `docker run --gpus` has it: `all`."""
    network: str = ""
    memory: str = "6g"
    shared_memory: str = "1g"
    """Of the shared memory; vLLM needs more with several GPUs."""
    temporary: str = "2g"
    """Of the folder for temporary files, which is memory."""
    processes: int = 4096
    seccomp: str = ""
    """Profile; empty: the one beside this program, with which Chromium keeps its own sandbox."""

    def as_label(self) -> Mapping[str, str]:
        """For `docker run --label`."""
        return {LABEL: json.dumps(asdict(self))}

    @classmethod
    def of_label(cls, labels: Mapping[str, str] | None) -> "Options":
        """The options of a container that `up` has started; `Problem` where it has not."""
        try:
            stored = json.loads((labels or {})[LABEL])
        except (KeyError, ValueError):
            raise Problem(
                "That container was not started by `scripts/appliance up`; stop it and use `up`."
            ) from None
        field_names = {field.name for field in fields(cls)}
        return cls(**{key: value for key, value in stored.items() if key in field_names})

    @property
    def profile(self) -> Path:
        """The seccomp profile."""
        bundled = Path(__file__).resolve().parent.parent / "seccomp-chromium.json"
        return Path(self.seccomp) if self.seccomp else bundled


def add_options(parser: argparse.ArgumentParser) -> None:
    """The flags of `up`."""
    words = {
        "address": "address of this machine to publish the port on [127.0.0.1]",
        "port": "port to publish [8080]",
        "data": "volume, or folder that user 10001 can write [appliance-data]",
        "config": "settings file",
        "models": "folder of model weights",
        "secrets": "folder of files with secrets, at /run/secrets inside",
        "env_file": "file with APPLIANCE_* variables",
        "gpus": "GPUs, for instance all",
        "network": "network of the engine [its default]; none: no network at all",
        "memory": "memory limit [6g]",
        "shared_memory": "size of /dev/shm [1g]",
        "temporary": "size of /tmp, in memory [2g]",
        "processes": "limit of processes and threads [4096]",
        "seccomp": "another seccomp profile than ours",
    }
    for name, text in words.items():
        kind = int if name in ("port", "processes") else str
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, help=text)


def options_from_arguments(arguments: argparse.Namespace) -> Options:
    """What the flags say; paths are made absolute and have to be there."""
    given = {
        field.name: value
        for field in fields(Options)
        if (value := getattr(arguments, field.name, None)) is not None
    }
    for key in ("config", "models", "secrets", "env_file", "seccomp"):
        if given.get(key):
            path = Path(given[key]).absolute()
            if not path.exists():
                raise Problem(f"--{key.replace('_', '-')}: there is no {path}")
            given[key] = str(path)
    if "/" in given.get("data", ""):
        given["data"] = str(Path(given["data"]).absolute())
    return Options(**given)
