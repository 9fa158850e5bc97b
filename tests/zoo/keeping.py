"""Brings consoles up and down: on loopback, with free ports, and without a trace afterwards."""

import contextlib
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.zoo.console import Console, Place, ZooError, module_path, pins_path
from tests.zoo.installing import guide_folder, install, zoo_folder

PORTS = 3
STOP_S = 15.0


def up(console: Console) -> Place:
    """Starts it with its seeded content; what ran before is brought down."""
    installed = install(console)
    down(console)
    place = Place(installed=installed, data=_folder(console) / "data", ports=_free_ports())
    _fill_once(console, place)
    shutil.copytree(_folder(console) / "filled", place.data, symlinks=True)
    _start(console, place)
    return place


def down(console: Console, *, purge: bool = False) -> bool:
    """Ends its processes and removes its data; whether there was something to end."""
    was_up = _stop(console)
    shutil.rmtree(_folder(console) / "data", ignore_errors=True)
    (_folder(console) / "log.txt").unlink(missing_ok=True)
    if purge:
        shutil.rmtree(_folder(console), ignore_errors=True)
        shutil.rmtree(guide_folder(console.guide), ignore_errors=True)
    return was_up


def running(console: Console) -> Place | None:
    """Where it runs; None where it does not."""
    state = _state(console)
    if not state or not any(_process(*each) for each in state["processes"]):
        return None
    installed = _folder(console) / "installed"
    data = _folder(console) / "data"
    return Place(installed=installed, data=data, ports=tuple(state["ports"]))


def _fill_once(console: Console, place: Place) -> None:
    """Makes its data and fills them, once for all: later starts copy them."""
    filled = _folder(console) / "filled"
    mark = filled.with_suffix(".by")
    # Filled anew when what it is filled with, or by, was changed.
    by = "\n".join(path.read_text() for path in (module_path(console), pins_path(console)))
    if mark.is_file() and mark.read_text() == by:
        return
    shutil.rmtree(filled, ignore_errors=True)
    place.data.mkdir(parents=True)
    # In the folder where it will run, since some consoles write their own paths down.
    print(f"zoo: making and filling {console.name}", file=sys.stderr)
    console.make(place)
    _start(console, place)
    try:
        console.fill(place)
    finally:
        _stop(console)
    place.data.rename(filled)
    mark.write_text(by)


def _start(console: Console, place: Place) -> None:
    started: list[psutil.Process] = []
    log = _folder(console) / "log.txt"
    with log.open("w") as sink:
        for service in console.services(place):
            child = subprocess.Popen(
                service.command,
                cwd=place.data,
                env={"PATH": os.environ["PATH"], "HOME": str(place.data), **service.env},
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )
            started.append(psutil.Process(child.pid))
            _write_state(console, place, started)
    _wait(console, place, started, log)


def _wait(console: Console, place: Place, started: Sequence[psutil.Process], log: Path) -> None:
    until = time.monotonic() + console.start_timeout_s
    while time.monotonic() < until:
        if any(not _is_alive(process) for process in started):
            break
        try:
            if httpx.get(place.url + console.ready, timeout=20).status_code == httpx.codes.OK:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.5)
    said = log.read_text(errors="replace")[-1500:]
    _stop(console)
    raise ZooError(f"{console.name} did not get ready; its log ends:\n{said}")


def _write_state(console: Console, place: Place, started: Sequence[psutil.Process]) -> None:
    processes = [(process.pid, process.create_time()) for process in started]
    state = {"ports": place.ports, "processes": processes}
    (_folder(console) / "state.json").write_text(json.dumps(state))


def _state(console: Console) -> dict[str, Any]:  # Any: JSON
    path = _folder(console) / "state.json"
    return json.loads(path.read_text()) if path.is_file() else {}


def _stop(console: Console) -> bool:
    roots = [found for each in _state(console).get("processes", []) if (found := _process(*each))]
    # The last started first: a database outlives what writes to it.
    for root in reversed(roots):
        family = [root, *root.children(recursive=True)]
        root.terminate()
        _, left = psutil.wait_procs(family, timeout=STOP_S)
        for process in left:
            process.kill()
        psutil.wait_procs(left, timeout=STOP_S)
    (_folder(console) / "state.json").unlink(missing_ok=True)
    return bool(roots)


def _process(pid: float, began: float) -> psutil.Process | None:
    """Only the one that we started: numbers of processes come again."""
    try:
        process = psutil.Process(int(pid))
        return process if process.create_time() == began and _is_alive(process) else None
    except psutil.NoSuchProcess:
        return None


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _free_ports() -> tuple[int, ...]:
    """Ports for good: below those that the system hands out, else another program takes one.

    A console is ended and started again between procedures, and its content holds its address.
    """
    ports: list[int] = []
    candidates = range(20_000, 32_000)
    for port in random.sample(candidates, len(candidates)):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            ports.append(port)
        if len(ports) == PORTS:
            break
    return tuple(ports)


def _folder(console: Console) -> Path:
    return zoo_folder() / console.name
