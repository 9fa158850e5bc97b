"""Lock-ups that are there, and programs that try to get out of them."""

import json
import sys
from pathlib import Path

import pytest

from appliance.config import SandboxSettings
from appliance.environment.sandbox import SandboxLauncher, survey
from appliance.environment.sandbox.choose import isolation_named

sys.path.insert(0, str(Path(__file__).parent))
from sandbox_programs import python

ENGINES = [pytest.param(name, marks=pytest.mark.image) for name in ("docker", "podman")]
LOCKED = ["bubblewrap", *ENGINES]


def pytest_generate_tests(metafunc):
    """`kind`: each lock-up; `locked`: only those that keep a program from files and addresses."""
    for name, kinds in (
        ("kind", ["process", *LOCKED]),
        ("locked", LOCKED),
        ("engine", ENGINES),
    ):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, kinds)


class Tried:
    """How a program ended, and what it said."""

    def __init__(self, ended, lines, lockup):
        self.exit, self.lines, self.lockup = ended, lines, lockup

    @property
    def said(self):
        """Its last line, which is JSON."""
        assert self.lines, self.exit
        return json.loads(self.lines[-1])


@pytest.fixture
def lock_up(tmp_path):
    """Makes a lock-up of a kind, or skips the test where it does not work here."""

    async def made(kind, *, read_only=(), hosts=(), stop_s=2.0, **limits):
        settings = SandboxSettings(engine=kind, **{"memory_mib": 256, "disk_mib": 32, **limits})
        found = await survey(settings)
        if not found.name:
            pytest.skip(f"{kind}: {dict(found.passed_over)[kind]}")
        return SandboxLauncher(
            isolation_named(kind, settings),
            settings,
            read_only=read_only,
            hosts=frozenset(hosts),
            stop_s=stop_s,
        )

    return made


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture
def attempt(lock_up, folder):
    """Runs a piece of Python locked up."""

    async def tried(kind, text, *arguments, timeout_s=30, environment=(), **how):
        lockup = await lock_up(kind, **how)
        lines = []
        ended = await lockup.run(
            python(text, *arguments),
            folder=folder,
            environment=dict(environment),
            timeout_s=timeout_s,
            on_line=lines.append,
        )
        return Tried(ended, lines, lockup)

    return tried
