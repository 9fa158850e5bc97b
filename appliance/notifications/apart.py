"""One message, sent by a process of its own: apprise takes a proxy from the environment only.

Run as a program, this is that process.
"""

import pickle
import subprocess
import sys

from appliance.core.errors import SetupError
from appliance.notifications.notice import Notice
from appliance.notifications.picture import Picture
from appliance.notifications.rendering import Rendered
from appliance.system.child_environment import Child, child_environment
from appliance.system.network.network import Network

_TIMEOUT_S = 55.0


def send_apart(
    network: Network, url: str, notice: Notice, rendered: Rendered, picture: Picture | None
) -> str:
    """Send it by the network's proxy; what was wrong, empty: nothing. Blocks."""
    message = pickle.dumps((url, notice, rendered, picture, network.bundle()))
    try:
        ended = subprocess.run(
            [sys.executable, "-m", __name__],
            input=message,
            env=child_environment(Child.PYTHON, network.variables()),
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not done after {_TIMEOUT_S:g} seconds"
    except SetupError as exc:  # the proxy's password
        return str(exc)
    if ended.returncode:
        return f"the process that sends it ended with {ended.returncode}"
    return ended.stdout.decode()


def _main() -> None:
    from appliance.notifications.sending import send_once

    message = pickle.load(sys.stdin.buffer)  # noqa: S301 - our own parent wrote it
    sys.stdout.write(send_once(*message))


if __name__ == "__main__":
    _main()
