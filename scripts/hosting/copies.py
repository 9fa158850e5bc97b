"""Backup and restore: the store with its pictures and trajectories, as one archive."""

import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from python_on_whales import DockerClient
from python_on_whales.exceptions import DockerException

from hosting.container import require_container, run_inside, run_once, start, stop, wait_ready
from hosting.options import Options
from hosting.problems import Problem
from hosting.unpacking import unpack

_COPY_ARTIFACTS = (
    "umask 077; cp -r /incoming/artifacts /data/ 2>/dev/null || test ! -d /incoming/artifacts"
)


def make_backup(container: Any) -> str:  # Any: python-on-whales' Container
    """Have the running appliance copy its store; the id of the copy."""
    result = json.loads(run_inside(container, ["appliance", "store", "backup", "--json"]))
    return str(result["id"])


def backup(engine: DockerClient, name: str, target: Path) -> int:
    """Write store and artifacts into an archive, while the appliance goes on; its size in bytes.

    Raises:
        Problem: It does not run, or the archive cannot be written; nothing of it is left then.
    """
    container = require_container(engine, name)
    backup_id = make_backup(container)
    draft = target.with_name(target.name + ".draft")
    try:
        with tempfile.TemporaryDirectory(dir=target.absolute().parent) as folder:
            engine.copy((container, f"/data/backups/{backup_id}"), f"{folder}/store")
            with private_archive(draft) as archive:
                archive.add(f"{folder}/store", arcname="store")
                try:
                    engine.copy((container, "/data/artifacts"), f"{folder}/artifacts")
                except DockerException:
                    pass  # nothing was verified yet
                else:
                    archive.add(f"{folder}/artifacts", arcname="artifacts")
        draft.rename(target)
    except (OSError, DockerException) as exc:
        draft.unlink(missing_ok=True)
        raise Problem(f"{target} cannot be written: {exc}") from exc
    return target.stat().st_size


@contextmanager
def private_archive(file: Path) -> Iterator[tarfile.TarFile]:
    """A new archive that nobody else may read, whatever the umask: pictures are not encrypted."""
    file.unlink(missing_ok=True)  # one that was killed left it, with the rights that it had
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream, tarfile.open(fileobj=stream, mode="w:gz") as archive:
        yield archive


def restore(engine: DockerClient, name: str, source: Path, identity: Path | None) -> str:
    """Put a backup in the place of the store; the appliance is stopped for it and started again.

    Args:
        engine: Where it runs.
        name: Of its container.
        source: The archive.
        identity: File of the private key, for a backup that is encrypted.

    Raises:
        Problem: The archive is none of ours; what was there goes on then.
    """
    container = require_container(engine, name)
    options = Options.of_label(container.config.labels)
    with tempfile.TemporaryDirectory(dir=source.absolute().parent) as folder:
        incoming_folder = Path(folder) / "incoming"
        incoming_folder.mkdir()
        _unpack(source, incoming_folder)
        command = ["store", "restore", "/incoming/store"]
        if identity is not None:
            shutil.copyfile(identity, incoming_folder / "identity")
            command += ["--identity", "/incoming/identity"]
        _make_readable(incoming_folder)
        incoming = [(str(incoming_folder), "/incoming", "ro")]
        stop(container)
        try:
            output = run_once(engine, options, command, volumes=incoming)
            shell = ["-c", _COPY_ARTIFACTS]
            run_once(engine, options, shell, volumes=incoming, entrypoint="/bin/sh")
        finally:
            wait_ready(start(engine, options))
    return output


def _make_readable(folder: Path) -> None:
    """Files of a backup are their owner's alone, and the container's user is another.

    The folder around keeps everybody else out.
    """
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _unpack(source: Path, folder: Path) -> None:
    try:
        with tarfile.open(source) as archive:
            unpack(archive, folder)
    except (OSError, tarfile.TarError) as exc:
        raise Problem(f"{source} is no backup of the appliance: {exc}") from exc
    if not (folder / "store" / "backup.json").is_file():
        raise Problem(f"{source} is no backup of the appliance: it holds no store")
    folder.chmod(0o755)  # user 10001 of the container reads it
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
