"""What would keep the appliance from running well on this machine."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from python_on_whales import DockerClient

from hosting.container import find, run_once
from hosting.options import Options
from hosting.problems import Problem

_MIB = 1 << 20
_CLOCK_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    name: str
    status: str
    """`ok`, `warn` or `fail`."""
    found: str
    remedy: str = ""


def examine(engine: DockerClient, options: Options) -> Iterator[Check]:
    """Look at everything, in the order in which it matters."""
    info = engine.system.info()
    yield Check(name="engine", status="ok", found=f"{info.server_version}, {info.n_cpu} processors")
    if not engine.image.exists(options.image):
        yield Check(
            name="image",
            status="fail",
            found=f"{options.image} is not here",
            remedy="`scripts/appliance load BUNDLE`, or `scripts/image build`.",
        )
        return
    size = engine.image.inspect(options.image).size or 0
    yield Check(name="image", status="ok", found=f"{options.image}, {size / _MIB:,.0f} MiB")
    yield _port(engine, options)
    yield _data(engine, options)
    yield _clock(engine, options)
    yield _seccomp(engine, options)
    yield _memory(options)
    yield from _gpus(options)


def _port(engine: DockerClient, options: Options) -> Check:
    if find(engine, options.name) is not None:
        return Check(name="port", status="ok", found=f"{options.port} is that of {options.name}")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.address, options.port))
        except OSError as exc:
            return Check(
                name="port",
                status="fail",
                found=f"{options.address}:{options.port}: {exc.strerror}",
                remedy="Stop what listens there, or choose another --port.",
            )
    return Check(name="port", status="ok", found=f"{options.address}:{options.port} is free")


def _data(engine: DockerClient, options: Options) -> Check:
    shell = ["-c", "touch /data/.try && rm /data/.try && df -m /data | tail -1"]
    try:
        columns = run_once(engine, options, shell, entrypoint="/bin/sh").split()
    except Problem as exc:
        return Check(
            name="data",
            status="fail",
            found=f"{options.data}: {exc}",
            remedy=f"It must be writable for user 10001: chown -R 10001:10001 {options.data}",
        )
    free = int(columns[3])
    status = "ok" if free > 2048 else "warn"
    return Check(name="data", status=status, found=f"{options.data} is writable, {free:,} MiB free")


def _clock(engine: DockerClient, options: Options) -> Check:
    """Audit logs are compared by time: a clock that is off makes events seem not ours."""
    container_time = run_once(engine, options, ["-c", "date +%s.%N"], entrypoint="/bin/sh")
    offset_s = abs(time.time() - float(container_time))
    synced = Path("/run/systemd/timesync/synchronized").exists() or shutil.which("chronyc")
    if offset_s > 60 + _CLOCK_S:
        return Check(
            name="clock", status="fail", found=f"the container's is off by {offset_s:.0f} s"
        )
    if not synced:
        return Check(
            name="clock",
            status="warn",
            found="nothing is seen that keeps this machine's clock right",
            remedy="Run chrony or systemd-timesyncd: audit logs are compared by time.",
        )
    return Check(name="clock", status="ok", found="is kept right")


def _seccomp(engine: DockerClient, options: Options) -> Check:
    """Whether Chromium keeps a sandbox of its own under this engine's lock-down."""
    try:
        output = run_once(engine, options, ["-c", _SANDBOX], entrypoint="/bin/sh")
    except Problem as exc:
        return Check(name="seccomp", status="fail", found=str(exc))
    if "No usable sandbox" in output or "Failed to move to new namespace" in output:
        return Check(
            name="seccomp",
            status="warn",
            found="Chromium has no sandbox of its own here; the container's remains",
            remedy=f"Start it with --security-opt seccomp={options.profile} (`up` does).",
        )
    return Check(name="seccomp", status="ok", found="Chromium keeps its own sandbox")


_SANDBOX = (
    "/usr/lib/chromium/chromium-headless-shell --user-data-dir=/tmp/try --dump-dom about:blank"
    " 2>&1; true"
)


def _memory(options: Options) -> Check:
    total_mib = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // _MIB
    status = "ok" if total_mib >= 4096 else "warn"
    description = f"{total_mib:,} MiB in the machine; the container may take {options.memory}"
    return Check(
        name="memory", status=status, found=f"{description}, /dev/shm {options.shared_memory}"
    )


def _gpus(options: Options) -> Iterator[Check]:
    """GPU memory against the weights: the whole arithmetic is `appliance model plan`."""
    if not options.models:
        return
    weights = sum(f.stat().st_size for f in Path(options.models).rglob("*.safetensors")) / _MIB
    try:
        gpu_lines = subprocess.run(
            ["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"],
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        ).stdout.splitlines()
    except (OSError, subprocess.SubprocessError):
        yield Check(
            name="gpus",
            status="fail" if options.gpus else "warn",
            found=f"none seen (nvidia-smi does not answer); {weights:,.0f} MiB of weights",
            remedy="Install NVIDIA's driver and container toolkit, and give --gpus all.",
        )
        return
    memory = sum(int(line.rpartition(",")[2]) for line in gpu_lines)
    fits = weights < 0.85 * 0.9 * memory
    yield Check(
        name="gpus",
        status="ok" if fits else "fail",
        found=f"{len(gpu_lines)} with {memory:,} MiB; {weights:,.0f} MiB of weights, of which at"
        f" most {0.85 * 0.9 * memory:,.0f} leave room for a context",
        remedy="" if fits else "Take quantised weights (FP8, AWQ), a smaller model, or more GPUs.",
    )
