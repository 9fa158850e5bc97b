"""The practice cloud in a process of its own, for tests that end, kill or time it."""

import json
import subprocess
import sys

from appliance.system.child_environment import Child, child_environment


def practice_cloud(*, stderr: int | None = None, **settings: object) -> subprocess.Popen[str]:
    """Starts it with these `PracticeSettings`; it prints its address as a line of JSON."""
    process = subprocess.Popen(
        [sys.executable, "-m", "appliance.practice"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env=child_environment(Child.PYTHON),
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(settings) + "\n")
    process.stdin.flush()
    return process
