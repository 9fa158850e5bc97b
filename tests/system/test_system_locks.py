"""Locks of files: one holder alone or several together, and none that is dead."""

import subprocess
import sys
from pathlib import Path

from appliance.system.files import try_lock, unlock

HOLDER = """
import sys
from appliance.system.files import try_lock
file = open(sys.argv[1])
print(try_lock(file), flush=True)
sys.stdin.read()
"""


def test_one_alone_or_several_together(tmp_path: Path):
    path = tmp_path / "lock"
    path.touch()
    with path.open() as one, path.open() as other:
        assert try_lock(one, is_shared=True)
        assert try_lock(other.fileno(), is_shared=True)
        assert not try_lock(other)
        unlock(one)
        assert try_lock(other)
        assert not try_lock(one, is_shared=True)
    with path.open() as one:
        assert try_lock(one)


def test_a_holder_that_is_killed_holds_nothing(tmp_path: Path):
    path = tmp_path / "lock"
    path.touch()
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        with path.open() as file:
            assert not try_lock(file)
            holder.kill()
            holder.wait()
            assert try_lock(file)
