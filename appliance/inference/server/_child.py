"""vLLM as a child: what it says, its end."""

import asyncio
import re
import signal
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from appliance.core.errors import ModelError
from appliance.core.secrets import without_secrets
from appliance.system.processes import GuardedProcess

FILE_NAME = "server.log"
LIMIT_BYTES = 5 << 20
"""Of the file; the one before it is kept too."""
_KEPT_LINES = 400
BEGINS = "==="
"""What our own line at the start of each process begins with."""
_QUOTED = 500
"""Characters of a line in a message."""
_LINE_LIMIT = 16 << 10
"""Bytes of a line; what is longer is cut."""
_FAULT = re.compile(r"(\w*(?:Error|Exception|Interrupt)\b.*?: |\berror: |\bout of memory\b)")
_ECHO = re.compile(r"Engine core initialization failed|See root cause|traceback|logger\.")
"""Faults that only tell of an earlier one."""
_PREFIX = re.compile(r"^(\([^)]*\)\s*)*((INFO|WARNING|ERROR|CRITICAL) [\d-]+ [\d:]+ \[[^]]*\] ?)?")
"""`(EngineCore pid=12) ERROR 11-22 02:00:00 [core.py:946] `"""


class BoundedLog:
    """Takes bytes as they come, keeps lines."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._kept: deque[str] = deque(maxlen=_KEPT_LINES)
        self._rest = b""
        self._size = 0

    def feed(self, data: bytes) -> None:
        """Bytes of its output. A full disk is no reason to end."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._rest = self._rest[:_LINE_LIMIT]
        if lines:
            self.add(*(line[:_LINE_LIMIT].decode(errors="replace").rstrip() for line in lines))

    def add(self, *lines: str) -> None:
        """Add whole lines, secrets masked."""
        masked = [without_secrets(line) for line in lines]
        self._kept.extend(masked)
        text = "".join(f"{line}\n" for line in masked)
        try:
            if self._size > LIMIT_BYTES:
                self.path.replace(self.path.with_name(f"{FILE_NAME}.1"))
            with self.path.open("a", encoding="utf-8", errors="replace") as file:
                file.write(text)
                self._size = file.tell()
        except OSError:
            return

    def tail(self, count: int = 20) -> tuple[str, ...]:
        """The last lines."""
        return tuple(self._kept)[-count:]

    def begin(self) -> None:
        """A new start: what was said before explains nothing any more."""
        self._kept.clear()
        self._rest = b""

    def fault(self) -> str:
        """The line that says why it ended, as far as one does; else its last one."""
        faults = [line for line in self._lines() if _FAULT.search(line) and not _ECHO.search(line)]
        return faults[-1][:_QUOTED] if faults else self.last()

    def last(self) -> str:
        """The last line that has words."""
        return (self._lines() or ["nothing"])[-1][:_QUOTED]

    def _lines(self) -> list[str]:
        """Lines with words, without what vLLM puts before them; also one that has not ended."""
        if self._rest:
            self.feed(b"\n")
        words = (_PREFIX.sub("", line).strip() for line in self._kept)
        return [line for line in words if line and not line.startswith(BEGINS)]


_KILLED_WITHIN_S = 10.0
"""From SIGKILL until the kernel has taken it away: a driver may hold on to GPU memory."""


class NotStartedError(ModelError):
    """The program could not be started, or ended before it answered."""


class VllmProcess(GuardedProcess):
    """A running vLLM and all that it started."""

    def __init__(self, log: BoundedLog) -> None:
        super().__init__()
        self._log = log

    @classmethod
    async def start(
        cls, command: Sequence[str], environment: Mapping[str, str], log: BoundedLog
    ) -> Self:
        """Start it; `NotStartedError` where it is no program."""
        child = cls(log)
        try:
            await child.begin(command, environment, mixes_errors=True)
        except OSError as exc:
            raise NotStartedError(f"{command[0]} cannot be started: {exc}") from exc
        return child

    @property
    def ended(self) -> str:
        """How the process ended, as a clause: with which code or signal."""
        code = self.returncode
        if code is None:
            return "runs"
        if code >= 0:
            return f"ended with {code}"
        hint = ", as a system does that is out of memory" if self.was_killed else ""
        return f"was ended by {_signal(-code)}{hint}"

    @property
    def was_killed(self) -> bool:
        """Whether somebody else ended it, without asking."""
        return self.returncode == -signal.SIGKILL

    async def stop(self, within_s: float) -> None:
        """Ask it to end, then kill what is left of the group."""
        self.send(signal.SIGTERM)  # it ends its engine and workers, in order
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self.exited.wait()
        await self.kill(_KILLED_WITHIN_S)

    def receive(self, fd: int, data: bytes) -> None:
        """Write all output into the log."""
        self._log.feed(data)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
