"""No isolation: a process with limits, where neither containers nor namespaces can be had.

It keeps a program from taking all of the machine. It keeps it from no file and no address.
"""

import os
from collections.abc import Mapping, Sequence

from appliance.config import SandboxSettings
from appliance.environment.sandbox.layout import SandboxLayout, own_python, standing


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
