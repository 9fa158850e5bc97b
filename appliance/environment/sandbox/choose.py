"""Which sandbox this machine can have: found out by running something in each, the safest first."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog

from appliance.config import SandboxSettings
from appliance.core.errors import ApplianceError, SetupError
from appliance.environment.sandbox.bubblewrap import Bubblewrap
from appliance.environment.sandbox.launcher import SandboxLauncher
from appliance.environment.sandbox.layout import (
    ENGINES,
    PREFIX,
    Engine,
    Isolation,
    SandboxLayout,
    own_python,
    remove_places,
    standing,
)
from appliance.environment.terraform import HostLauncher
from appliance.system.child_environment import Child, child_environment
from appliance.system.network.network import DIRECT, Network


class Process:
    """Limits of the process, looked after by the program beside it (inside.py)."""

    name = "process"
    is_copied = False
    has_cgroup = False
    has_network = True

    def __init__(self, settings: SandboxSettings) -> None:
        self._settings = settings

    async def prepare(self, layout: SandboxLayout) -> Sequence[str]:
        """See `Isolation`."""
        return standing(layout.place, own_python())

    async def clean_up(self, layout: SandboxLayout) -> None:
        """The program beside it ended what was left."""

    def environment(self) -> Mapping[str, str]:
        """See `Isolation`."""
        return {"PATH": os.defpath}


TRIAL_TIMEOUT_S = 60.0
ANSWER_TIMEOUT_S = 15.0
"""For an engine to say its version; one that hangs is passed over."""

_NAMES = ("docker", "podman", "bubblewrap", "process")
"""From the safest on."""

_log = structlog.get_logger()
_tried: dict[tuple[str, str, str], str] = {}
"""What came of each trial in this process: why it does not work, or nothing. Trials take a second,
and what is installed does not change meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Which sandbox will be used, and what was found."""

    name: str
    """Empty: none works."""
    passed_over: tuple[tuple[str, str], ...]
    """Others that come before it, with the reason."""

    @property
    def is_locked(self) -> bool:
        """Whether it keeps a program from files and addresses, not only from using up too much."""
        return self.name not in ("", "process")

    def __str__(self) -> str:
        what = {
            "": "no sandbox works",
            "process": "a plain process with limits: it may read and reach what the appliance may",
            "bubblewrap": "bubblewrap: namespaces, no network",
        }.get(self.name, f"{self.name}: a container without network")
        return "; ".join(
            [what, *(f"{name} does not work: {why}" for name, why in self.passed_over)]
        )


async def choose_sandbox(
    settings: SandboxSettings,
    *,
    read_only: Sequence[Path] = (),
    hosts: frozenset[str] = frozenset(),
    network: Network = DIRECT,
) -> SandboxLauncher:
    """The configured sandbox, or with `auto` the first that works.

    `read_only` may be read inside at the same path (this Python's own is let in anyway); `hosts`
    are `host:port` of the provider's API, and `network` how they are reached.

    Raises:
        SetupError: None works, or an address is no `host:port`.
    """
    sandbox = await survey(settings)
    if not sandbox.name:
        raise SetupError(
            f"environment.sandbox.engine is {settings.engine}, and {sandbox}. Install or start"
            " it, or set environment.sandbox.engine to auto."
        )
    if not sandbox.is_locked:
        _log.warning("sandbox_without_walls", found=str(sandbox))
    return SandboxLauncher(
        isolation_named(sandbox.name, settings),
        settings,
        read_only=read_only,
        hosts=hosts,
        network=network,
    )


async def survey(settings: SandboxSettings) -> Survey:
    """Find out what works, in the order of `auto`; each is tried once in a process."""
    names = _NAMES if settings.engine == "auto" else (settings.engine,)
    passed_over: list[tuple[str, str]] = []
    for name in names:
        key = (name, settings.image, os.environ.get("DOCKER_HOST", ""))
        if key not in _tried:
            _tried[key] = await _try(name, settings)
        if not _tried[key]:
            return Survey(name=name, passed_over=tuple(passed_over))
        passed_over.append((name, _tried[key]))
    return Survey(name="", passed_over=tuple(passed_over))


def reap() -> Sequence[str]:
    """Remove what a killed appliance left: containers of every engine, temporary folders; names.

    Waits for the engines: call it in a thread.
    """
    from appliance.environment.sandbox.container import reap_containers  # takes long to import

    gone = list(remove_places())
    for engine in ENGINES:
        try:
            gone += reap_containers(engine)
        except ApplianceError as exc:  # not installed, or not running: then nothing of it runs
            _log.debug("engine_not_asked", engine=engine, reason=str(exc))
    return gone


def isolation_named(name: str, settings: SandboxSettings) -> Isolation:
    """The isolation method of that name."""
    match name:
        case "docker" | "podman":
            from appliance.environment.sandbox.container import Container

            return Container(name, settings)
        case "bubblewrap":
            return Bubblewrap(settings)
        case _:
            return Process(settings)


async def _try(name: str, settings: SandboxSettings) -> str:
    """Run something; why that does not work, or nothing."""
    try:
        if engine := next((each for each in ENGINES if each == name), None):
            await _ask(engine)
        with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
            Path(folder, "in").write_text("through", encoding="utf-8")
            ended = await SandboxLauncher(isolation_named(name, settings), settings).run(
                ["/bin/sh", "-c", "cat in > out"],
                folder=Path(folder),
                environment={},
                timeout_s=TRIAL_TIMEOUT_S,
            )
            out = Path(folder, "out")
            if ended.code or not out.is_file() or out.read_text(encoding="utf-8") != "through":
                return _short(ended.stderr or f"a trial ended with code {ended.code}")
    except (ApplianceError, OSError) as exc:
        return _short(str(exc))
    return ""


async def _ask(engine: Engine) -> None:
    """Ask a container engine for its version; `SetupError` where it does not answer."""
    from appliance.environment.sandbox.container import client_of

    client = client_of(engine)
    ended = await HostLauncher(grace_s=1).run(
        [*map(str, client.client_config.docker_cmd), "version"],
        folder=Path(tempfile.gettempdir()),
        environment=child_environment(Child.CONTAINER_ENGINE),
        timeout_s=ANSWER_TIMEOUT_S,
    )
    if ended.stopped_by:
        raise SetupError(f"{engine} did not answer within {ANSWER_TIMEOUT_S:.0f} s")
    if ended.code:
        raise SetupError(ended.stderr or f"{engine} version ended with code {ended.code}")


def _short(reason: str) -> str:
    return " ".join(reason.split()).rstrip(".")[:200]
