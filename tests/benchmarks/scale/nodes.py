"""What more nodes are worth, and what an attempt costs more on one, with a console that waits.

Ratios, on one machine: its nodes share the cores, so the console answers late and does nothing.
"""

import asyncio
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    ExecutionSettings,
    Settings,
    VerificationSettings,
)
from appliance.core.verdict import PolicyChoice
from appliance.engine.engine import EngineOptions, open_local_engine
from appliance.engine.request import RunKind, RunRequest
from tests.engine.ray_lab import KEY, cluster_of

_ACCOUNTS = 16
_PAGE = """<!doctype html><html lang="en"><title>Lab</title><h1>Lab</h1>
<button onclick="location='/{n}'">Continue</button><p>Page {n}</p></html>"""
_STEPS = "".join(f"{n}. Click **Continue**.\n" for n in range(1, 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesRow:
    """A run on so many nodes."""

    nodes: int
    wall_s: float
    efficiency: float
    """One node's time by this one's, by the number of nodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesFigures:
    """All of it."""

    rows: tuple[NodesRow, ...]
    procedures: int
    delay_s: float
    attempt_local_s: float
    """Of one procedure alone, with a console that answers at once; the median."""
    attempt_ray_s: float
    overhead_ms: float
    overhead_percent: float


def measure_nodes(
    folder: Path, nodes: Sequence[int], procedures: int, delay_s: float, rounds: int
) -> NodesFigures:
    """Measure."""
    rows = list[NodesRow]()
    with _waiting(delay_s) as url:
        for count in nodes:
            with cluster_of(count) as cluster:
                settings = _settings(folder / f"nodes-{count}", url, cluster.address)
                (wall_s,) = asyncio.run(_runs(settings, _guide(folder, procedures), 1))
            first_s = rows[0].wall_s * rows[0].nodes if rows else wall_s * count
            efficiency = round(first_s / (count * wall_s), 3)
            rows.append(NodesRow(nodes=count, wall_s=round(wall_s, 2), efficiency=efficiency))
    with _waiting(0) as url, cluster_of(1) as cluster:
        there = _settings(folder / "there", url, cluster.address)
        here = _settings(folder / "here", url, "")
        guide = _guide(folder, 1)
        local_s = statistics.median(asyncio.run(_runs(here, guide, rounds)))
        ray_s = statistics.median(asyncio.run(_runs(there, guide, rounds)))
    return NodesFigures(
        rows=tuple(rows),
        procedures=procedures,
        delay_s=delay_s,
        attempt_local_s=round(local_s, 3),
        attempt_ray_s=round(ray_s, 3),
        overhead_ms=round((ray_s - local_s) * 1000, 1),
        overhead_percent=round((ray_s / local_s - 1) * 100, 1),
    )


def lines(figures: NodesFigures) -> Iterator[str]:
    """The figures for people."""
    yield (
        f"Nodes of one worker each, {figures.procedures} procedures, a console that takes"
        f" {figures.delay_s:g} s to answer:"
    )
    for row in figures.rows:
        yield f"  {row.nodes} nodes  {row.wall_s:7} s  efficiency {row.efficiency}"
    yield (
        f"One procedure: {figures.attempt_local_s} s here, {figures.attempt_ray_s} s by Ray:"
        f" {figures.overhead_ms} ms more, {figures.overhead_percent}%"
    )


async def _runs(settings: Settings, guide: Path, rounds: int) -> list[float]:
    """Seconds of each run, after one that counts for nothing."""
    took = []
    async with open_local_engine(settings, "lab", EngineOptions(is_open=True)) as engine:
        for number in range(rounds + (rounds > 1)):
            request = RunRequest(
                kind=RunKind.VERIFICATION, documents=(guide,), policy=PolicyChoice.LITERAL
            )
            row = await engine.keep(request)
            began = time.monotonic()
            await engine.run(row, waits=False)
            if number or rounds == 1:
                took.append(time.monotonic() - began)
    return took


def _guide(folder: Path, procedures: int) -> Path:
    file = folder / f"guide-{procedures}.md"
    parts = [f"## Walk {n}\n\n{_STEPS}" for n in range(1, procedures + 1)]
    file.write_text("# Lab\n\n" + "\n".join(parts))
    return file


def _settings(folder: Path, url: str, address: str) -> Settings:
    folder.mkdir(parents=True)
    secret = folder / "password"
    secret.write_text("not-asked-for")
    accounts = {
        f"u{n}": AccountSettings(username=f"u{n}", password_file=secret) for n in range(_ACCOUNTS)
    }
    ray = ExecutionSettings(engine="ray", address=address, workers=1, key_env=KEY)
    return Settings.model_validate(
        {
            "data_dir": folder / "data",
            "console": "lab",
            "consoles": {
                "lab": ConsoleSettings(kind="generic", url=url, accounts=accounts, log_in="basic")
            },
            "verification": VerificationSettings(
                parallel=_ACCOUNTS, audit_wait_s=0, settle_resource_s=0, try_patches="never"
            ),
            "execution": ray if address else ExecutionSettings(),
        }
    )


@contextmanager
def _waiting(delay_s: float) -> Iterator[str]:
    """A console of which every page comes late."""

    class Late(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path == "/favicon.ico":
                self.send_error(404)
                return
            time.sleep(delay_s)
            number = int(self.path.strip("/") or 0) + 1 if self.path.strip("/").isdigit() else 1
            body = _PAGE.format(n=number).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Late)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
