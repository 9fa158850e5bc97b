"""What comes before a start: whether all is there and fits, and how long to wait for the next."""

import socket
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from appliance.config import ModelSettings
from appliance.core.errors import SetupError
from appliance.inference.server._folder import OwnedFolder
from appliance.inference.server.command import command_of, served_name
from appliance.inference.server.gpus import find_gpus
from appliance.inference.server.memory import MemoryPlan, memory_plan, too_little
from appliance.inference.server.weights import check_adapter

_LONGEST_PAUSE_S = 60.0
_WINDOW_S = 3600.0
"""In which ends are counted."""


class StartSpec(NamedTuple):
    """What is to be started."""

    command: tuple[str, ...]
    plan: MemoryPlan
    complaint: str
    """Why it cannot be started now, though it may at the next try; empty: it can."""


def prepare(
    settings: ModelSettings, adapters: Mapping[str, Path], folder: OwnedFolder, port: int
) -> StartSpec:
    """The command line, once all that it names is there and fits.

    Raises:
        SetupError: It can never work as it is set.
    """
    if settings.weights is None:
        raise SetupError("model.weights is not set: there is nothing to serve")
    for name, path in adapters.items():
        check_named(settings, name, path)
    plan = memory_plan(settings.weights, find_gpus(settings.server.environment), settings)
    complaint = too_little(plan)
    if not plan.fits:
        raise SetupError(complaint)
    if not complaint and not is_free(port):
        complaint = (
            f"port {port} of the loopback interface is taken by another program;"
            " set model.server.port to another one, or to 0"
        )
    folder.forget_links()
    command = command_of(
        settings,
        port=port,
        adapters={name: folder.link(name, path) for name, path in adapters.items()},
        gpu_count=len(plan.gpus),
        takes_images=plan.weights.takes_images,
    )
    return StartSpec(command, plan, complaint)


def check_named(settings: ModelSettings, name: str, folder: Path) -> None:
    """Look at an adapter that is to be served under a name; `SetupError`."""
    if not settings.server.max_adapters:
        raise SetupError("model.server.max_adapters is 0: no adapters can be used")
    if not name or name == served_name(settings) or set(name) & set("/= \t\n"):
        raise SetupError(
            f"{name!r} cannot be the name of an adapter: it is the model's own, or has spaces,"
            " slashes or equals signs in it"
        )
    check_adapter(name, folder, settings.server.adapter_rank)


class ExitHistory:
    """The times at which the server ended of its own accord."""

    def __init__(self, pause_s: float) -> None:
        self._first_s = pause_s
        self._at: deque[float] = deque()

    def add(self, now: float) -> int:
        """It has ended again; how often within an hour."""
        self._at.append(now)
        while now - self._at[0] > _WINDOW_S:
            self._at.popleft()
        return len(self._at)

    def clear(self) -> None:
        """Forget the past: the cause was removed by a person."""
        self._at.clear()

    @property
    def pause_s(self) -> float:
        """Before it is started again: twice as long each time."""
        return min(self._first_s * 2.0 ** max(0, len(self._at) - 1), _LONGEST_PAUSE_S)


def free_port() -> int:
    """One of the loopback interface that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    """Whether one of the loopback interface can be had."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
