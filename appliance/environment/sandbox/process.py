"""No walls: a process with limits, where neither containers nor namespaces can be had.

It keeps a program from taking all of the machine. It keeps it from no file and no address.
"""

import os
from collections.abc import Mapping, Sequence

from appliance.config import SandboxSettings
from appliance.environment.sandbox.room import Room, own_python, standing


class Process:
    """Limits of the process, looked after by the program beside it (inside.py)."""

    name = "process"
    is_copied = False
    has_cgroup = False
    has_network = True

    def __init__(self, settings: SandboxSettings) -> None:
        self._settings = settings

    async def put_up(self, room: Room) -> Sequence[str]:
        """See `Walls`."""
        return standing(room.place, own_python())

    async def take_down(self, room: Room) -> None:
        """The program beside it ended what was left."""

    def environment(self) -> Mapping[str, str]:
        """See `Walls`."""
        return {"PATH": os.defpath}
