"""`python -m appliance.practice`: the practice cloud as a child process, for as long as its parent.

Standard input has `PracticeSettings` as a line of JSON, the password among them, and ends with the
parent. The address is printed as a line of JSON as soon as it answers.
"""

import json
import sys
import threading
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.practice.serving import Running, Stop, serve
from appliance.practice.settings import PracticeSettings


def main() -> int:
    """Serve until stopped; 2 when it cannot start."""
    told = json.loads(sys.stdin.buffer.readline())
    paths = {name: Path(told[name]) for name in ("drift", "data_dir") if name in told}
    try:
        serve(PracticeSettings(**told | paths), _ready)
    except SetupError as exc:
        sys.stderr.write(f"Error: {exc}\n")
        return 2
    except KeyboardInterrupt:
        pass
    return 0


def _ready(running: Running, stop: Stop) -> None:
    sys.stdout.write(json.dumps({"url": running.url}) + "\n")
    sys.stdout.flush()
    threading.Thread(target=_wait_for_parent, args=(stop,), daemon=True).start()


def _wait_for_parent(stop: Stop) -> None:
    """Standard input ends when the parent does, however it ends."""
    while sys.stdin.buffer.read(4096):
        continue
    stop()


if __name__ == "__main__":
    sys.exit(main())
