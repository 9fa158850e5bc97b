"""Isolation by a container: docker or podman, through python-on-whales.

There is no network in it at all, and no image is needed: without `environment.sandbox.image` it is
made of nothing, and what is in /usr here is there too, read-only.
"""

import io
import os
import resource
import shutil
import socket
import tarfile
import tempfile
from asyncio import to_thread
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import psutil
from python_on_whales import Container as Running
from python_on_whales import DockerClient
from python_on_whales.exceptions import DockerException, NoSuchContainer

from appliance.config import SandboxSettings
from appliance.core.errors import ProvisioningError, SetupError
from appliance.environment.sandbox.layout import (
    PLACE,
    PREFIX,
    SCRATCH,
    SCRATCH_SHARE,
    SHARED_MEMORY,
    SYSTEM,
    Engine,
    SandboxLayout,
    own_python,
    standing,
    user,
    write_etc,
)
from appliance.system.child_environment import Child, child_environment

LABEL = "console-docs-appliance.sandbox"
"""On every container; its value says whose it is: `HOST/PID/START`."""
FORGOTTEN = timedelta(hours=1)
"""A container of another machine, or of a container's own numbering, is nobody's after this."""
_OWN_IMAGE = "console-docs-appliance/nothing"


class Container:
    """A container without network, rights or a disk, for each program."""

    is_copied = True
    has_cgroup = True
    has_network = False

    def __init__(self, engine: Engine, settings: SandboxSettings) -> None:
        self.name: str = engine
        self._settings = settings
        self._client = client_of(engine)

    async def prepare(self, layout: SandboxLayout) -> Sequence[str]:
        """See `Isolation`."""
        try:
            await to_thread(self._create, layout)
        except DockerException as exc:
            raise ProvisioningError(
                f"the sandbox {self.name} cannot be made: {_error_line(exc)}"
            ) from exc
        return [*map(str, self._client.client_config.docker_cmd), "start", "--attach", layout.id]

    async def clean_up(self, layout: SandboxLayout) -> None:
        """See `Isolation`."""
        await to_thread(_remove, self._client, layout.id)

    def environment(self) -> Mapping[str, str]:
        """What the engine's own client needs."""
        return child_environment(Child.CONTAINER_ENGINE)

    def _create(self, layout: SandboxLayout) -> None:
        settings = self._settings
        disk = settings.disk_mib << 20
        memory = settings.memory_mib << 20
        is_rootless = self.name == "podman" and os.getuid() != 0
        self._client.container.create(
            settings.image or self.own_image(),
            standing(PLACE, "python3" if settings.image else own_python()),
            entrypoint="",
            name=layout.id,
            labels={LABEL: own_mark()},
            pull="missing" if settings.image else "never",
            remove=True,
            log_driver="none",  # what it says comes to us; the engine's own log could fill the disk
            hostname="sandbox",
            networks=["none"],
            read_only=True,
            user=f"{user()}:{os.getgid() or user()}",
            userns="keep-id" if is_rootless else None,
            cap_drop=["ALL"],
            security_options=["no-new-privileges", "label=disable"],
            pids_limit=settings.processes,
            memory=memory,
            memory_swap=memory,
            cpus=None,
            shm_size=SHARED_MEMORY,
            ulimit=_limits(),
            mounts=self._mounts(layout),
            tmpfs=[
                f"{layout.folder}:rw,nosuid,nodev,exec,mode=1777,size={disk}",
                f"{SCRATCH}:rw,nosuid,nodev,exec,mode=1777,size={disk // SCRATCH_SHARE}",
                # podman would have these without a bound.
                "/run:rw,nosuid,nodev,noexec,mode=755,size=65536",
                "/var/tmp:rw,nosuid,nodev,noexec,mode=755,size=65536",  # noqa: S108
            ],
            workdir="/",
        )

    def _mounts(self, layout: SandboxLayout) -> list[list[str]]:
        shown = {outside: str(inside) for inside, outside in layout.read_only.items()}
        shown[layout.place] = str(PLACE)
        if not self._settings.image:
            shown[Path("/usr")] = "/usr"
            for name in SYSTEM:
                path = Path("/", name)
                if path.is_dir() and not path.is_symlink():
                    shown[path] = str(path)
        binds = [(outside, inside) for outside, inside in shown.items()]
        binds += [(outside, inside) for inside, outside in write_etc(layout).items()]
        if odd := [str(path) for path, _ in binds if "," in str(path)]:
            raise SetupError(f"a container cannot be given {odd[0]}: there is a comma in its name")
        return [
            ["type=bind", f"source={outside}", f"target={inside}", "readonly"]
            for outside, inside in binds
        ]

    def own_image(self) -> str:
        """An image with nothing in it but the folders that files are put into; made once."""
        content = _nothing()
        tag = f"{_OWN_IMAGE}:{sha256(content).hexdigest()[:12]}"
        if not self._client.image.exists(tag):
            with tempfile.NamedTemporaryFile(prefix=PREFIX, suffix=".tar") as file:
                file.write(content)
                file.flush()
                self._client.image.import_(file.name, tag=tag)
        return tag


def client_of(engine: Engine) -> DockerClient:
    """What drives an engine; `SetupError`: it is not installed."""
    if shutil.which(engine) is None:
        raise SetupError(f"{engine} is not installed")
    # python-on-whales hands down all our variables: `env` drops them.
    kept = (f"{name}={value}" for name, value in child_environment(Child.CONTAINER_ENGINE).items())
    return DockerClient(client_call=["env", "-i", *kept, engine], client_type=engine)


def reap_containers(engine: Engine) -> Sequence[str]:
    """Remove the containers that a killed appliance left behind; their names.

    Most end by themselves: the one who stands inside sees that nobody is behind the channel.

    Raises:
        SetupError: The engine is not there.
        ProvisioningError: It does not answer.
    """
    client = client_of(engine)
    gone = []
    try:
        for running in client.container.list(all=True, filters=[("label", LABEL)]):
            try:
                if _is_left(running):
                    name = running.name
                    _remove(client, running.id)
                    gone.append(name)
            except NoSuchContainer:
                continue  # it ended meanwhile
    except DockerException as exc:
        raise ProvisioningError(f"{engine} does not answer: {_error_line(exc)}") from exc
    return gone


def own_mark() -> str:
    """The label value that names this process as the owner of a container."""
    return f"{socket.gethostname()}/{os.getpid()}/{int(psutil.Process().create_time())}"


def _is_left(running: Running) -> bool:
    host, _, process = (running.config.labels or {}).get(LABEL, "").partition("/")
    pid, _, started = process.partition("/")
    if host == socket.gethostname() and pid.isdecimal():
        try:
            return int(psutil.Process(int(pid)).create_time()) != int(started or 0)
        except (psutil.Error, ValueError):
            return True
    return datetime.now(UTC) - running.created > FORGOTTEN


def _remove(client: DockerClient, name: str) -> None:
    try:
        client.container.remove(name, force=True)
    except NoSuchContainer:
        pass  # it removed itself
    except DockerException as exc:
        if "already in progress" not in str(exc):
            raise ProvisioningError(f"{name} cannot be removed: {_error_line(exc)}") from exc


def _limits() -> list[str]:
    """Said outright: podman's own are higher than a machine without all rights lets it set."""
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    processes = 4096 if hard == resource.RLIM_INFINITY else min(hard, 4096)
    return ["core=0:0", "nofile=1024:1024", f"nproc={processes}:{processes}"]


def _error_line(exc: DockerException) -> str:
    lines = (exc.stderr or exc.stdout or str(exc)).strip().splitlines()
    return lines[-1] if lines else f"code {exc.return_code}"


def _nothing() -> bytes:
    """The folders of a system, and the links into /usr that this one has, as a tar file."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as tar:
        for name in ("usr", "etc", "proc", "sys", "dev", "tmp", "run", "var/tmp"):
            folder = tarfile.TarInfo(name)
            # A file system that is mounted there takes the folder's mode.
            folder.type, folder.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
            tar.addfile(folder)
        for name in SYSTEM:
            path = Path("/", name)
            if path.is_symlink():
                link = tarfile.TarInfo(name)
                link.type, link.linkname = tarfile.SYMTYPE, str(path.readlink())
                tar.addfile(link)
            elif path.is_dir():
                folder = tarfile.TarInfo(name)
                folder.type, folder.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(folder)
    return content.getvalue()
