"""Puts consoles and their vendors' guides into the cache folder: pinned, once, by plain clients."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.zoo.console import Console, Guide, ZooError, pins_path


def zoo_folder() -> Path:
    """`ZOO_DIR`, or a folder among the user's caches; never one of this repository."""
    chosen = os.environ.get("ZOO_DIR")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(chosen) if chosen else caches / "console-docs-appliance" / "zoo"


def install(console: Console) -> Path:
    """Its programs; the folder that holds them."""
    folder = zoo_folder() / console.name / "installed"
    packages = pins_path(console)
    program = console.program
    of_program = (program.repository, program.commit, *program.parts) if program else ()
    pins = "\n".join((packages.read_text(), *console.debian, *of_program))
    if _is_done(folder, pins):
        return folder
    _begin(folder)
    _say(f"installing {console.title}")
    # All of them are named, with those that they need: nothing is left to be chosen.
    if packages.name.endswith(".packages.txt"):
        _install_from_npm(packages, folder)
    else:
        _run([sys.executable, "-m", "venv", str(folder / "venv")])
        pip = [str(folder / "venv/bin/pip"), "install", "--quiet", "--no-deps"]
        _run([*pip, "--requirement", str(packages)])
    if console.debian:
        _say(f"unpacking {', '.join(console.debian)}")
        _unpack(console.debian, folder)
    if program:
        _say(f"fetching {program.repository} at {program.commit[:12]}")
        _check_out(program.repository, program.commit, program.parts, folder / "program")
    _end(folder, pins)
    return folder


def guide_folder(guide: Guide) -> Path:
    """Where its documentation is, once it was fetched."""
    name = guide.repository.rpartition("/")[2]
    return zoo_folder() / "guides" / f"{name}-{guide.commit[:12]}"


def fetch(guide: Guide) -> Path:
    """The documentation; the folder of the repository."""
    folder = guide_folder(guide)
    pins = "\n".join((guide.repository, guide.commit, *guide.documents))
    if _is_done(folder, pins):
        return folder
    _say(f"fetching {guide.repository} at {guide.commit[:12]}")
    _begin(folder)
    _check_out(guide.repository, guide.commit, guide.documents, folder)
    _end(folder, pins)
    return folder


def _check_out(repository: str, commit: str, parts: Sequence[str], folder: Path) -> None:
    """Files and folders of a repository at one commit."""
    folder.mkdir(exist_ok=True)
    git = ["git", "-C", str(folder)]
    _run([*git, "init", "--quiet"])
    _run([*git, "remote", "add", "origin", repository])
    # Without what is not asked for: repositories hold hundreds of megabytes.
    _run([*git, "fetch", "--quiet", "--depth=1", "--filter=blob:none", "origin", commit])
    _run([*git, "sparse-checkout", "set", "--no-cone", *(f"/{part}" for part in parts)])
    _run([*git, "checkout", "--quiet", "FETCH_HEAD"])
    missing = [part for part in parts if not (folder / part).exists()]
    if missing:
        raise ZooError(f"{repository} has no {', '.join(missing)} at {commit}.")


def _install_from_npm(packages: Path, folder: Path) -> None:
    """A lock written from lines `name==version`, `parent>name==version` for one of its own."""
    locked: dict[str, dict[str, Any]] = {"": {}}  # Any: JSON
    for line in packages.read_text().split():
        path, _, version = line.partition("==")
        parts = [f"node_modules/{name}" for name in path.split(">")]
        needs = locked["/".join(parts[:-1])].setdefault("dependencies", {})
        needs[path.rpartition(">")[2]] = version
        locked["/".join(parts)] = {"version": version}
    lock = {"lockfileVersion": 3, "packages": locked}
    (folder / "package.json").write_text(json.dumps({"private": True, **locked[""]}))
    (folder / "package-lock.json").write_text(json.dumps(lock))
    _run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder)


def _unpack(packages: Sequence[str], folder: Path) -> None:
    """Unpacked only: nothing of the machine changes, and no service starts."""
    archives = folder / "archives"
    archives.mkdir()
    _run(["apt-get", "download", "--quiet", *packages], cwd=archives)
    for archive in archives.glob("*.deb"):
        _run(["dpkg", "-x", str(archive), str(folder)])
    shutil.rmtree(archives)


def _is_done(folder: Path, pins: str) -> bool:
    mark = folder / ".pins"
    return mark.is_file() and mark.read_text() == pins


def _begin(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _end(folder: Path, pins: str) -> None:
    (folder / ".pins").write_text(pins)


def _run(command: Sequence[str], cwd: Path | None = None) -> None:
    done = subprocess.run(
        command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode:
        said = (done.stdout + done.stderr)[-2000:]
        raise ZooError(f"{' '.join(command)[:200]} ended with {done.returncode}:\n{said}")


def _say(text: str) -> None:
    print(f"zoo: {text}", file=sys.stderr)
