"""The way in and out of a sandbox: a unix socket, the job and the files in, files and result out.

The other end is `inside.py`; whatever is said there is checked here. The first connection counts:
it is made before anything untrusted runs.
"""

import asyncio
import json
import os
from asyncio import StreamReader, StreamWriter, to_thread
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from appliance.core.errors import ProvisioningError
from appliance.environment.sandbox.files import Entry, OutputFolder, TooMuchError, entries
from appliance.environment.terraform import Exit

LINE_LIMIT = 1 << 20
END_TIMEOUT_S = 30.0
"""For the last files to be written once the program has ended."""
_BREAKS = (
    *(OSError, ValueError, KeyError, TypeError),
    *(asyncio.IncompleteReadError, asyncio.LimitOverrunError, ProvisioningError),
)
_REASONS = frozenset({"", "time", "memory", "disk", "processes"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is to be done inside."""

    command: Sequence[str]
    environment: Mapping[str, str]
    folder: str
    """Its path is the same on both sides."""
    timeout_s: float
    stop_s: float
    """From being asked to stop until being killed."""
    memory: int
    """Bytes."""
    processes: int
    disk: int
    """Bytes."""
    is_copied: bool
    """Whether the files go through the channel; otherwise the folder itself is there."""
    has_cgroup: bool
    """Whether the kernel holds memory and processes for the whole."""
    listen: Sequence[tuple[str, str]] = field(default_factory=tuple)
    """`127.0.0.1:8080` and what the proxy is to connect to; empty: the client says it."""


class HostChannel:
    """Waits for the one inside, and serves it."""

    def __init__(self, path: Path, job: Job, read_only: Sequence[Path]) -> None:
        self.path = path
        self.exit: Exit | None = None
        """How the program ended; None: nobody said."""
        self.failed = ""
        """Why it could not be started."""
        self.has_come = False
        self.refused: Sequence[str] = ()
        """What was not taken back."""
        self._job, self._read_only = job, read_only
        self._entries: Sequence[Entry] = ()
        self._server: asyncio.Server
        self._writer: StreamWriter | None = None
        self._is_stopped = False
        self._done = asyncio.Event()

    async def __aenter__(self) -> Self:
        if self._job.is_copied:
            self._entries = await to_thread(entries, Path(self._job.folder), self._job.disk)
        self._server = await asyncio.start_unix_server(self._serve, self.path, limit=LINE_LIMIT)
        self.path.chmod(0o666)  # the one inside is another user; the folder around keeps others out
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        if self._writer is not None:
            self._writer.close()  # the one inside takes that as the end of us
            await self.wait_closed()

    def stop(self) -> None:
        """Ask that the program be stopped; its files still come back."""
        self._is_stopped = True
        if self._writer is not None:
            self._writer.write(b'{"kind": "stop"}\n')

    async def wait_closed(self) -> None:
        """Wait until all results have come back (bounded)."""
        if self.has_come:
            try:
                async with asyncio.timeout(END_TIMEOUT_S):
                    await self._done.wait()
            except TimeoutError:
                self.failed = self.failed or "what it made did not come back in time"

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        if self.has_come:
            writer.close()
            return
        self.has_come, self._writer = True, writer
        self._server.close()
        output = await to_thread(
            OutputFolder, Path(self._job.folder), self._read_only, self._job.disk
        )
        try:
            await self._hand_in(writer)
            if self._is_stopped:
                self.stop()
            while self.exit is None and not self.failed:
                await self._take(reader, output)
        except TooMuchError:
            self.exit = Exit(code=-9, stopped_by="disk")
        except _BREAKS as exc:
            # It is gone, or speaks nonsense: what it has become is seen from its exit.
            self.failed = self.failed or str(exc)
        finally:
            self.refused = tuple(output.refused)
            writer.close()
            self._done.set()

    async def _hand_in(self, writer: StreamWriter) -> None:
        writer.write(json.dumps(asdict(self._job)).encode() + b"\n")
        if self._job.is_copied:
            for entry in self._entries:
                writer.write(json.dumps(asdict(entry)).encode() + b"\n")
                if entry.kind == "file":
                    writer.write(await to_thread(_content, Path(self._job.folder), entry))
                await writer.drain()
            writer.write(b'{"kind": "end"}\n')
        await writer.drain()

    async def _take(self, reader: StreamReader, output: OutputFolder) -> None:
        line = await reader.readuntil(b"\n")
        message: dict[str, Any] = json.loads(line)  # Any: checked where it is used
        match message["kind"]:
            case "exit":
                reason = str(message["stopped_by"])
                code = int(message["code"])
                self.exit = Exit(code=code, stopped_by=reason if reason in _REASONS else "")
            case "failed":
                self.failed = str(message["reason"])[:500] or "no reason given"
            case kind if not self._job.is_copied:
                raise ValueError(f"no files are expected, and {kind} came")
            case "file":
                size = int(message["size"])
                if not 0 <= size <= self._job.disk:
                    raise TooMuchError
                data = await reader.readexactly(size)
                await to_thread(output.put_file, str(message["path"]), data)
            case "folder":
                await to_thread(output.put_folder, str(message["path"]))
            case "link":
                await to_thread(output.put_link, str(message["path"]), str(message["target"]))
            case "gone":
                await to_thread(output.remove, str(message["path"]))
            case kind:
                raise ValueError(f"{kind} is nothing that can be said")


def _content(folder: Path, entry: Entry) -> bytes:
    """A file as long as it was said to be, whoever has written to it since."""
    with os.fdopen(os.open(folder / entry.path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        data = file.read(entry.size)
    if len(data) != entry.size:
        raise ProvisioningError(f"{folder / entry.path} was changed while it was read")
    return data
