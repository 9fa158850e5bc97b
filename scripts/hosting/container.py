"""One container of the appliance: started locked down, waited for, ended in order."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from python_on_whales import DockerClient
from python_on_whales.exceptions import DockerException, NoSuchContainer

from hosting.options import Options
from hosting.problems import Problem

STOP_S = 30
"""SIGTERM ends it within 20 s."""
READY_S = 120.0


def client() -> DockerClient:
    """The engine of this machine; `Problem` where none answers."""
    engine = DockerClient()
    try:
        engine.system.info()
    except (DockerException, FileNotFoundError) as exc:
        raise Problem(
            "No container engine answers: start Docker (or Podman's service), or set DOCKER_HOST. "
            f"It said: {_last_line(exc)}"
        ) from exc
    return engine


def find(engine: DockerClient, name: str) -> Any | None:  # Any: python-on-whales' Container
    """The container of that name; None: there is none."""
    try:
        return engine.container.inspect(name)
    except NoSuchContainer:
        return None


def require_container(engine: DockerClient, name: str) -> Any:  # Any: python-on-whales' Container
    """The container of that name, or a `Problem`."""
    container = find(engine, name)
    if container is None:
        raise Problem(f"There is no container {name!r}: `scripts/appliance up` starts one.")
    return container


def start(engine: DockerClient, options: Options) -> Any:  # Any: python-on-whales' Container
    """Start it: nothing may be written but data and /tmp, nothing may be gained."""
    try:
        return engine.container.run(
            options.image,
            name=options.name,
            detach=True,
            restart="unless-stopped",
            publish=[] if options.network == "none" else [_port(options)],
            volumes=_volumes(options),
            env_files=[options.env_file] if options.env_file else [],
            gpus=options.gpus or None,
            networks=[options.network] if options.network else [],
            memory=options.memory,
            shm_size=options.shared_memory,
            pids_limit=options.processes,
            read_only=True,
            tmpfs=[f"/tmp:size={options.temporary},mode=1777,exec"],  # noqa: S108 - its own
            cap_drop=["ALL"],
            security_options=["no-new-privileges", f"seccomp={options.profile}"],
            stop_timeout=STOP_S,
            labels=options.as_label(),
            pull="never",
        )
    except DockerException as exc:
        leftover = find(engine, options.name)
        if leftover is not None and not leftover.state.running:
            leftover.remove(force=True)
        raise Problem(f"The engine refuses to start {options.image}: {_last_line(exc)}") from exc


def run_once(
    engine: DockerClient, options: Options, command: Sequence[str], **extra_options: Any
) -> str:
    """Run one command of the appliance in a container of its own, on the same data."""
    try:
        output = engine.container.run(
            options.image,
            list(command),
            remove=True,
            volumes=[*_volumes(options), *extra_options.pop("volumes", [])],
            networks=["none"],
            read_only=True,
            tmpfs=["/tmp:size=1g,mode=1777,exec"],  # noqa: S108 - its own
            cap_drop=["ALL"],
            security_options=["no-new-privileges", f"seccomp={options.profile}"],
            pull="never",
            **extra_options,
        )
    except DockerException as exc:
        raise Problem(f"`{' '.join(command)}` failed: {_last_line(exc)}") from exc
    return str(output)


def run_inside(container: Any, command: Sequence[str]) -> str:  # Any: python-on-whales' Container
    """Run a command in the running container; what it printed."""
    try:
        return str(container.execute(list(command)))
    except DockerException as exc:
        raise Problem(f"`{' '.join(command)}` failed in it: {_last_line(exc)}") from exc


class Ready(NamedTuple):
    """A container whose server answers."""

    took_s: float
    scheme: str
    """`http` or `https`."""


def wait_ready(container: Any, seconds: float = READY_S) -> Ready:
    """Wait until it is ready. `Problem` when it ends or takes too long."""
    began, probe = time.monotonic(), _probe()
    while time.monotonic() - began < seconds:
        container.reload()
        if not container.state.running:
            raise Problem(
                f"It ended with code {container.state.exit_code}:\n{last_words(container)}"
            )
        try:
            scheme = container.execute(probe)
        except DockerException:
            time.sleep(0.3)
        else:
            return Ready(time.monotonic() - began, str(scheme).strip())
    raise Problem(f"It is not ready after {seconds:g} s:\n{last_words(container)}")


def stop(container: Any) -> None:
    """End it in order and remove it. Its data stay."""
    container.stop(time=STOP_S)
    container.remove(force=True)


def last_words(container: Any) -> str:
    """The end of its log."""
    try:
        return str(container.logs(tail=15))
    except DockerException as exc:
        return _last_line(exc)


def _probe() -> list[str]:
    # Unverified: to itself, and nothing is told.
    code = (
        "import json, os, ssl, urllib.request as u;"
        "at = json.load(open(os.environ['APPLIANCE_DATA_DIR'] + '/server.json'))['url'];"
        "u.urlopen(at + '/readyz', timeout=2, context=ssl._create_unverified_context());"
        "print(at.partition(':')[0], end='')"
    )
    return ["/opt/appliance/venv/bin/python", "-c", code]


def _port(options: Options) -> tuple[str, int]:
    return (f"{options.address}:{options.port}", 8080)


def _volumes(options: Options) -> list[tuple[str, str] | tuple[str, str, str]]:
    read_only = [
        (options.config, "/etc/appliance/config.yaml"),
        (options.models, "/models"),
        (options.secrets, "/run/secrets"),
    ]
    return [
        (options.data, "/data"),
        *((source, target, "ro") for source, target in read_only if source),
    ]


def _last_line(exc: BaseException) -> str:
    message = getattr(exc, "stderr", None) or str(exc)
    lines = [line for line in str(message).strip().splitlines() if line.strip()]
    return lines[-1] if lines else type(exc).__name__
