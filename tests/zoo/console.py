"""What a console of the zoo is: how to install, start and fill it, and who says what is in it.

Each is one module of `train/` or `held_out/` that has a `CONSOLE`, with its labels beside it.
"""

import importlib
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Half = Literal["train", "held-out"]
FOLDERS: Mapping[Half, str] = {"train": "train", "held-out": "held_out"}
HERE = Path(__file__).parent

Content = Mapping[str, Mapping[str, str]]
"""What exists: by kind of thing, each thing's name and its state as a string."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """The vendor's own documentation, at one commit of a public repository."""

    repository: str
    commit: str
    documents: tuple[str, ...]
    """Files and folders that are given to `appliance verify`, as a user would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The console itself, at one commit of a public repository, where no package has it."""

    repository: str
    commit: str
    parts: tuple[str, ...]
    """Files and folders that it needs to run; tests and build tools stay away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A program that runs while the console is up."""

    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a console is installed, where its data are, and the ports that it may take."""

    installed: Path
    data: Path
    ports: tuple[int, ...]

    @property
    def url(self) -> str:
        """The address; the first port is the console's."""
        return f"http://127.0.0.1:{self.ports[0]}"

    def program(self, name: str) -> str:
        """A program of its virtual environment."""
        return str(self.installed / "venv" / "bin" / name)

    def run(self, *command: str, env: Mapping[str, str], tries: int = 1) -> str:
        """Carries a command out in the data folder, and gives what it printed."""
        for _ in range(tries):
            done = subprocess.run(
                command,
                cwd=self.data,
                env=dict(env),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
            )
            if done.returncode == 0:
                return done.stdout
            time.sleep(0.5)
        said = (done.stdout + done.stderr)[-2000:]
        raise ZooError(f"{' '.join(command)[:200]} ended with {done.returncode}:\n{said}")

    @contextmanager
    def serving(self, services: Sequence[Service]) -> Iterator[None]:
        """Programs that run meanwhile, for making the data."""
        started = [
            subprocess.Popen(
                service.command,
                cwd=self.data,
                env=dict(service.env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for service in services
        ]
        try:
            yield
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """A console of the zoo."""

    name: str
    title: str
    half: Half
    guide: Guide
    username: str
    password: str
    debian: tuple[str, ...] = ()
    """Packages of Debian, unpacked under the installation (`usr/…`) and never installed."""
    program: Program | None = None
    """Of a repository, checked out under the installation (`program/`)."""
    ready: str
    """Path that answers 200 when it can be used."""
    path: str = ""
    """Of its address, where its root is another page, such as the site that it manages."""
    start_timeout_s: float = 120
    make: Callable[[Place], None] = lambda _: None
    """Its empty data, with the account; called once, before it starts."""
    services: Callable[[Place], Sequence[Service]]
    fill: Callable[[Place], None]
    """Small content, by its own API or command; called once, while it runs."""
    witness: Callable[[Place], Content]
    """What exists now, by its API or database; log-in tables and sessions left out."""


class ZooError(Exception):
    """Something that a person has to mend: a sentence."""


def consoles() -> tuple[Console, ...]:
    """All of the zoo, by half and name."""
    return tuple(console for half in FOLDERS for console in _in(half))


def console_called(name: str) -> Console:
    """One of the zoo."""
    found = [console for console in consoles() if console.name == name]
    if not found:
        known = ", ".join(console.name for console in consoles())
        raise ZooError(f"There is no console called {name}; there are {known}.")
    return found[0]


def module_path(console: Console) -> Path:
    """The module that says what it is."""
    return HERE / FOLDERS[console.half] / f"{console.name}.py"


def pins_path(console: Console) -> Path:
    """The packages from PyPI, for a virtual environment of its own, or from npm; each pinned."""
    folder = HERE / FOLDERS[console.half]
    from_npm = folder / f"{console.name}.packages.txt"
    return from_npm if from_npm.is_file() else folder / f"{console.name}.requirements.txt"


def labels_path(console: Console) -> Path:
    """The file of its labels."""
    return HERE / FOLDERS[console.half] / f"{console.name}.labels.yaml"


def _in(half: Half) -> Iterator[Console]:
    for path in sorted((HERE / FOLDERS[half]).glob("[!_]*.py")):
        module = importlib.import_module(f"tests.zoo.{FOLDERS[half]}.{path.stem}")
        console = module.CONSOLE
        if not isinstance(console, Console) or console.half != half:
            raise ZooError(f"{path} has no CONSOLE of {half}.")
        yield console
