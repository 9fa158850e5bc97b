"""What planning costs on a generated documentation: cold, and from what was kept."""

import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from appliance.documents import OUTLINES
from appliance.system.child_environment import Child, child_environment
from tests.benchmarks.lint import write_documents


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One planning of all procedures."""

    name: str
    documents: int
    procedures: float
    wall_s: float
    cpu_s: float
    """With all processes that read."""
    peak_mib: float
    """Of the process that plans."""
    reader_mib: float
    """Of the largest of those that read: at least what the other had when it started one."""


@dataclass(frozen=True, slots=True)
class ReadingFigures:
    """Of the same documentation twice."""

    mebibytes: float
    kept_mib: float
    load: float
    """Of the machine in the minute before."""
    rows: tuple[ReadingRow, ...]


_PLANS = """
import json, re, resource, sys, time
from pathlib import Path
from appliance.cli._local import planner
from appliance.config import Settings
from appliance.engine.request import RunKind, RunRequest
folder = Path(sys.argv[1])
began = time.monotonic()
with planner(Settings(data_dir=folder / "data"), None) as plans:
    plan = plans.plan(RunRequest(kind=RunKind.SWEEP, documents=(folder / "docs",)))
wall_s = time.monotonic() - began
status = Path("/proc/self/status").read_text()
ours, theirs = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(json.dumps({
    "procedures": len(plan.items),
    "wall_s": round(wall_s, 1),
    "cpu_s": round(sum(one.ru_utime + one.ru_stime for one in (ours, theirs)), 1),
    # ru_maxrss also has what the process was that began this one.
    "peak_mib": round(int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) / 1024, 1),
    "reader_mib": round(theirs.ru_maxrss / 1024, 1),
}))
"""


def measure_reading(folder: Path, documents: int) -> ReadingFigures:
    """Plan all procedures of so many documents, and once more."""
    (folder / "data").mkdir(parents=True)
    (folder / "docs").mkdir()
    size = write_documents(folder / "docs", documents)
    load = os.getloadavg()[0]
    rows = tuple(
        ReadingRow(name, documents, **plan_apart(folder)) for name in ("cold", "unchanged")
    )
    kept = (folder / "data" / OUTLINES.name).stat().st_size
    return ReadingFigures(round(size / 2**20, 1), round(kept / 2**20, 1), round(load, 1), rows)


def plan_apart(folder: Path, memory_bytes: int | None = None) -> dict[str, float]:
    """Plan `docs` of a folder in a process of its own, which may have so much memory."""

    def limit() -> None:
        if memory_bytes is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))

    done = subprocess.run(
        [sys.executable, "-c", _PLANS, str(folder)],
        env=child_environment(Child.PYTHON),
        stdout=subprocess.PIPE,
        preexec_fn=limit,
        check=True,
        text=True,
    )
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures
