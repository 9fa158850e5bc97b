"""Stands inside a sandbox between the appliance and the program that it does not trust.

Started as a program of its own (`python -I -S inside.py DOOR`), with nothing but Python's standard
library. It takes the job and the files through the channel, a unix socket; starts the program; ends
it, and all that it started, at its limits, when told to, and when nobody is behind the channel
any more; and hands the files back. What it says is not believed: the other side checks it.
"""

import ctypes
import json
import os
import resource
import select
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

WATCH_S = 0.05
SNAPSHOT_S = 0.3
"""How often a changed Terraform state is handed out while the program runs."""
LARGEST_STATE = 16 << 20
MOST_FILES = 5_000
LEAST_FREE = 64 << 10
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36


class HostChannel:
    """The connection to the appliance: JSON lines, and after some of them bytes."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._file = self._socket.makefile("rb")

    def next(self) -> dict[str, Any]:  # Any: a message of the appliance's
        """The next message; `EOFError` when the appliance is gone."""
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        message: dict[str, Any] = json.loads(line)  # Any: as above
        return message

    def take(self, size: int) -> bytes:
        """What follows a message."""
        data = self._file.read(size)
        if len(data) < size:
            raise EOFError
        return data

    def say(self, data: bytes = b"", **message: object) -> None:
        """Send a message and what belongs to it."""
        self._socket.sendall(json.dumps(message).encode() + b"\n" + data)

    def waits(self, seconds: float) -> bool:
        """Whether something comes in within a time."""
        return bool(select.select([self._socket], [], [], seconds)[0])

    def is_stop(self) -> bool:
        """What came in: whether to stop politely; `EOFError` when the appliance is gone."""
        return bool(self.next()["kind"] == "stop")


class Files:
    """The working folder: taken in, and what changed handed out."""

    def __init__(self, folder: str, channel: HostChannel) -> None:
        self.folder, self._channel = folder, channel
        self._known: dict[str, tuple[int, ...]] = {}

    def take(self) -> None:
        """Write what comes through the channel until it says `end`."""
        while (entry := self._channel.next())["kind"] != "end":
            path = Path(self.folder, entry["path"])
            path.parent.mkdir(parents=True, exist_ok=True)
            if entry["kind"] == "folder":
                path.mkdir(exist_ok=True)
            elif entry["kind"] == "link":
                path.symlink_to(entry["target"])
            else:
                path.write_bytes(self._channel.take(entry["size"]))
                path.chmod(0o700 if entry["is_program"] else 0o600)
            self._known[entry["path"]] = _stamp(os.lstat(path))

    def hand_out(self) -> None:
        """Send what changed, and the names of what is gone."""
        present = set()
        for path, name in self._walk():
            status = os.lstat(path)
            present.add(name)
            if self._known.get(name) != _stamp(status):
                self._send(path, name, status)
        for name in sorted(self._known.keys() - present, reverse=True):
            self._channel.say(kind="gone", path=name)

    def hand_out_state(self) -> None:
        """Send a Terraform state that changed, when it is whole: it must outlive this place."""
        with os.scandir(self.folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(".tfstate")]
        for name in names:
            path = os.path.join(self.folder, name)  # noqa: PTH118 - read again and again
            with suppress(OSError, ValueError):
                now = os.lstat(path)
                if self._known.get(name) == _stamp(now) or now.st_size > LARGEST_STATE:
                    continue
                json.loads(_read(path))
                self._send(path, name, now)
                self._known[name] = _stamp(now)

    def _walk(self) -> list[tuple[str, str]]:
        paths = []
        for top, folders, files in os.walk(self.folder):
            for name in (*folders, *files):
                path = os.path.join(top, name)  # noqa: PTH118 - os.walk speaks strings
                paths.append((path, os.path.relpath(path, self.folder)))
        return paths

    def _send(self, path: str, name: str, status: os.stat_result) -> None:
        if stat.S_ISLNK(status.st_mode):
            self._channel.say(kind="link", path=name, target=str(Path(path).readlink()))
        elif stat.S_ISDIR(status.st_mode):
            self._channel.say(kind="folder", path=name)
        elif stat.S_ISREG(status.st_mode):
            data = _read(path)
            self._channel.say(data, kind="file", path=name, size=len(data))


def _read(path: str) -> bytes:
    """A regular file's content: no link is followed, no pipe waited for."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        return file.read()


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino)


class Watch:
    """Looks after the running program."""

    def __init__(
        self, job: dict[str, Any], channel: HostChannel, files: Files
    ) -> None:  # Any: the job
        self._job, self._channel, self._files = job, channel, files
        self._spent = 0.0
        self._snapshot_at = 0.0

    def until_the_end(self, child: int) -> tuple[int, str]:
        """Its exit status, and the limit that it ran into."""
        deadline = time.monotonic() + self._job["timeout_s"]
        why, kill_at = "", float("inf")
        while (code := _reap(child)) is None:
            if self._has_come():
                kill_at = min(kill_at, self._ask(child))
            if time.monotonic() > deadline and not why:
                why, kill_at = "time", min(kill_at, self._ask(child))
            if limit := self._limit_reached():
                end_all()
                return -signal.SIGKILL, limit
            if time.monotonic() > kill_at:
                end_all()
                return -signal.SIGKILL, why
            if self._job["is_copied"] and time.monotonic() > self._snapshot_at:
                self._files.hand_out_state()
                self._snapshot_at = time.monotonic() + SNAPSHOT_S
        if code and not why:
            why = self._limit_reached() or self._last_limit(code)
        return code, why

    def _has_come(self) -> bool:
        return self._channel.waits(WATCH_S) and self._channel.is_stop()

    def _ask(self, child: int) -> float:
        """Ask it to stop; until when it may take. Its own children it must stop itself."""
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGINT)
        return time.monotonic() + float(self._job["stop_s"])

    def _limit_reached(self) -> str:
        job = self._job
        if job["has_cgroup"]:
            if _event_count("memory", "oom_kill"):
                return "memory"
            if _event_count("pids", "max"):
                return "processes"
        else:
            memory, processes = _usage()
            if processes >= job["processes"]:
                return "processes"
            if memory > job["memory"]:
                return "memory"
        return "disk" if self._is_disk_full() else ""

    def _is_disk_full(self) -> bool:
        if self._job["is_copied"]:  # a file system of its own: it cannot grow, but have many files
            has = os.statvfs(self._files.folder)
            return has.f_files - has.f_ffree > MOST_FILES
        size, count = 0, 0
        for top, _, names in os.walk(self._files.folder):
            for name in names:
                count += 1
                with suppress(OSError):
                    size += os.lstat(os.path.join(top, name)).st_blocks * 512  # noqa: PTH118
        return size >= self._job["disk"] or count > MOST_FILES

    def _last_limit(self, code: int) -> str:
        """What made it fail, where a limit refused something and did not end it."""
        if code == -signal.SIGXFSZ:
            return "disk"
        if code == -signal.SIGXCPU:
            return "time"
        if self._job["is_copied"]:
            has = os.statvfs(self._files.folder)
            if has.f_bavail * has.f_frsize < LEAST_FREE:
                return "disk"
        return ""


def _event_count(group: str, event: str) -> int:
    """An event of our control group, of either version."""
    for path in (
        f"/sys/fs/cgroup/{group}.events",
        f"/sys/fs/cgroup/{group}/{group}.events",
        f"/sys/fs/cgroup/{group}/{group}.oom_control",
    ):
        with suppress(OSError):
            for line in Path(path).read_text().splitlines():
                name, _, number = line.partition(" ")
                if name == event:
                    return int(number)
    return 0


def _usage() -> tuple[int, int]:
    """Bytes of memory and number of threads of all that descends from us."""
    memory = threads = 0
    for fields in _descendants().values():
        kib = sum(int(fields.get(name, "0 kB").split()[0]) for name in ("RssAnon", "RssShmem"))
        memory += kib << 10
        threads += int(fields.get("Threads", "1"))
    return memory, threads


def _descendants() -> dict[int, dict[str, str]]:
    """What /proc says about our children, and theirs, by process number."""
    parents: dict[int, dict[str, str]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - many, and often
        if name.isdecimal():
            with suppress(OSError):
                lines = Path("/proc", name, "status").read_text(errors="replace").splitlines()
                parents[int(name)] = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    ours = {os.getpid()}
    grew = True
    while grew:
        more = {
            pid for pid, fields in parents.items() if int(fields.get("PPid", "0")) in ours
        } - ours
        grew = bool(more)
        ours |= more
    return {pid: parents[pid] for pid in ours if pid in parents and pid != os.getpid()}


def _reap(child: int) -> int | None:
    """The exit status of the program once it ended; what it left behind is buried on the way."""
    try:
        while (status := os.waitpid(-1, os.WNOHANG))[0]:
            if status[0] == child:
                return os.waitstatus_to_exitcode(status[1])
    except ChildProcessError:  # nobody knows
        return -signal.SIGKILL
    return None


def end_all() -> None:
    """Kill everything that descends from us, until nothing is left."""
    for _ in range(1000):
        if os.getpid() == 1:  # of a namespace of our own: at one stroke
            with suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        remaining = [
            pid for pid, fields in _descendants().items() if not fields["State"].startswith("Z")
        ]
        for pid in remaining:
            # A group is killed at one stroke: a fork bomb cannot outrun that.
            with suppress(OSError):
                if (group := os.getpgid(pid)) != os.getpgid(0):
                    os.killpg(group, signal.SIGKILL)
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not remaining:
            return
        time.sleep(0.005)


def _limit(job: dict[str, Any]) -> None:  # Any: the job
    """In the program's own process, before it begins.

    Not the address space: Go reserves more of it than there is. Data is what is really writable.
    """
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: job["disk"],
        resource.RLIMIT_DATA: 2 * job["memory"],  # each process; _used() bounds their sum
        resource.RLIMIT_CPU: int(job["timeout_s"] * (os.cpu_count() or 1)) + 1,
        resource.RLIMIT_NOFILE: 1024,
    }
    if not job["has_cgroup"]:
        limits[resource.RLIMIT_NPROC] = job["processes"] + _neighbours()
    for what, most in limits.items():
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def _neighbours() -> int:
    """Threads that this user has already; that limit counts them too."""
    count = 0
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if path.stat().st_uid == os.getuid():
                count += len(os.listdir(path / "task"))  # noqa: PTH208 - only counted
    return count


def _start_forwarding(job: dict[str, Any], socket_folder: Path) -> None:  # Any: the job
    """Listen on the addresses of the provider's API, and pass on to the appliance's proxy."""
    if not job["listen"]:
        return
    listen = [f"{address}={target}" for address, target in job["listen"]]
    program = [
        sys.executable,
        "-I",
        "-S",
        str(socket_folder / "forward.py"),
        str(socket_folder / "egress.sock"),
    ]
    # Not in our way when it waits for nothing: it is killed with the rest.
    started = subprocess.Popen(
        [*program, *listen], stdout=subprocess.PIPE, env={"PATH": os.defpath}
    )
    if started.stdout is None or started.stdout.readline() != b"ready\n":
        raise OSError("the way to the provider's API could not be opened")


def main() -> None:
    """Do the one job that comes through the channel."""
    # Asked to stop through the channel only: whoever started us may be sent an interrupt as well.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.getpid() != 1:
        _step_aside()
    # Whoever runs beside us as the same user may neither read nor trace this process.
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    channel = HostChannel(sys.argv[1])
    try:
        job = channel.next()
        files = Files(job["folder"], channel)
        if job["is_copied"]:
            files.take()
        _start_forwarding(job, Path(sys.argv[1]).parent)
        started = subprocess.Popen(  # kept: one that is let go of takes the exit status with it
            job["command"],
            cwd=job["folder"],
            env=job["environment"],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: _begin(job),
        )
        child = started.pid
        # Short of memory, the kernel takes the program and not us.
        with suppress(OSError):
            Path(f"/proc/{child}/oom_score_adj").write_text("1000")
        code, why = Watch(job, channel, files).until_the_end(child)
        end_all()
        if job["is_copied"]:
            files.hand_out()
        channel.say(kind="exit", code=code, stopped_by=why)
    except (OSError, subprocess.SubprocessError) as exc:
        end_all()
        with suppress(OSError):
            channel.say(kind="failed", reason=str(exc))
    except EOFError:
        end_all()
    sys.stdout.flush()
    os._exit(0)


def _step_aside() -> None:
    """Without a namespace, go on in another group: ours is killed at once with the appliance.

    Then nobody would be left to end a program that has a group of its own.
    """
    if pid := os.fork():
        os.waitpid(pid, 0)
        os._exit(0)
    os.setsid()


def _begin(job: dict[str, Any]) -> None:  # Any: the job
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _limit(job)


if __name__ == "__main__":
    main()
