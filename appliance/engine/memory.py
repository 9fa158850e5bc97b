"""How much memory is free for one more browser page."""

from pathlib import Path

import psutil

_MIB = 1024 * 1024
_GROUP = Path("/sys/fs/cgroup")


def free_mib(group: Path = _GROUP) -> float:
    """Free memory of the machine, or of the container if that allows less.

    Args:
        group: The folder of the control group.
    """
    free = psutil.virtual_memory().available
    try:
        limit = int((group / "memory.max").read_text())  # `max`: no limit
        used = int((group / "memory.current").read_text())
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):
        return free / _MIB
    return min(free, limit - used + int(stat.get("inactive_file", 0))) / _MIB
