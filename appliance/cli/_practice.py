"""Practice clouds of our own: child processes, for one run or as long as a server serves."""

import json
import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from appliance.config import AccountSettings, ConsoleSettings, Settings
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.practice.accounts import ACCOUNTS, password_in
from appliance.practice.releases import DOCUMENTATION, releases
from appliance.system.child_environment import Child, child_environment
from appliance.system.files import write_whole
from appliance.system.processes import kill_group

START_TIMEOUT_S = 30.0  # it takes one second; a machine under load takes longer
_STOP_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class Practice:
    """A practice cloud that answers."""

    url: str
    settings: ConsoleSettings
    """Settings of a console that name this cloud and its accounts."""
    pid: int
    """Its process, the head of a group of its own."""


@contextmanager
def start_practice(
    release: str = "",
    drift: Path | None = None,
    data_dir: Path | None = None,
    settle_s: float | None = None,
) -> Iterator[Practice]:
    """Run a practice cloud while the block runs, with a password that only this program knows.

    Args:
        release: The release; empty: the newest.
        drift: Changes to lay over it.
        data_dir: Where it keeps state, audit log and password; None: in memory.
        settle_s: Seconds that a state takes to settle; None: its own default.

    Raises:
        SetupError: It does not start; the message is its own.
    """
    with tempfile.TemporaryDirectory(prefix="appliance-practice-") as folder:
        password = _password_in(data_dir or Path(folder))
        options: dict[str, Json] = {"release": release, "password": password_in(password)}
        options |= {"drift": str(drift.resolve())} if drift else {}
        options |= {"data_dir": str(data_dir.resolve())} if data_dir else {}
        options |= {"settle_s": settle_s} if settle_s is not None else {}
        errors = Path(folder) / "errors"
        with errors.open("wb") as stderr, _child(options, stderr.fileno()) as child:
            url = _address(child, errors)
            yield Practice(url, _settings(url, password), child.pid)


def _password_in(folder: Path) -> Path:
    """The file with the password of all accounts; a cloud that is kept keeps it, too."""
    file = folder / "password"
    if not file.exists() or not file.read_text("utf-8").strip():
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(file, secrets.token_urlsafe(18) + "\n", mode=0o600)
    return file


@contextmanager
def _child(settings: Mapping[str, Json], stderr: int) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(
        [sys.executable, "-m", "appliance.practice"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=child_environment(Child.PYTHON),
        start_new_session=True,  # a group of its own: Ctrl-C is for us, and all of it can be ended
    )
    assert child.stdin is not None  # noqa: S101 - for the type checker: it is a pipe
    try:
        child.stdin.write(json.dumps(settings).encode() + b"\n")
        child.stdin.flush()
        yield child
    finally:
        _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            stream.close()
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGTERM)
    try:
        child.wait(_STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        kill_group(child.pid)
        child.wait()


def _address(child: subprocess.Popen[bytes], errors: Path) -> str:
    """The address that it prints when it answers."""
    assert child.stdout is not None  # noqa: S101 - for the type checker: it is a pipe
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        if select.select([child.stdout], [], [], 0.1)[0]:
            line = child.stdout.readline()
            if line:
                return str(json.loads(line)["url"])
            child.wait(_STOP_TIMEOUT_S)
            break
    complaint = errors.read_text(encoding="utf-8", errors="replace").strip()
    reason = complaint.splitlines()[-1].removeprefix("Error: ") if complaint else "it said nothing"
    raise SetupError(f"the practice cloud does not start: {reason}")


def _settings(url: str, password: Path) -> ConsoleSettings:
    accounts = {
        account.name: AccountSettings(
            username=account.name, password_file=password, role=account.role.value
        )
        for account in ACCOUNTS
    }
    return ConsoleSettings(kind="practice", url=url, accounts=accounts)


@contextmanager
def practice_for(console: ConsoleSettings, data_dir: Path | None) -> Iterator[ConsoleSettings]:
    """A console's settings with the address of a practice cloud that runs while the block does."""
    own = console.model_dump(include={"locale", "hosts"}, exclude_defaults=True)
    own["release"] = "+".join(
        [console.release or releases()[-1], *([console.drift.stem] if console.drift else [])]
    )
    with start_practice(console.release, console.drift, data_dir, console.settle_s) as practice:
        yield practice.settings.model_copy(update=own)


@contextmanager
def with_playgrounds(settings: Settings) -> Iterator[Settings]:
    """The settings with addresses of practice clouds that run while the block does.

    What is in them is kept in the data folder. Where no documentation is named, the one that comes
    with them is.

    Raises:
        SetupError: One does not start.
    """
    missing = [n for n, c in settings.consoles.items() if c.kind == "practice" and not c.url]
    consoles = dict(settings.consoles)
    documentation = settings.documentation
    with ExitStack() as stack:
        for name in missing:
            started = practice_for(consoles[name], settings.data_dir / "practice" / name)
            consoles[name] = stack.enter_context(started)
        if settings.console in missing and not documentation.paths:
            documentation = documentation.model_copy(update={"paths": (DOCUMENTATION,)})
        yield settings.model_copy(update={"consoles": consoles, "documentation": documentation})
