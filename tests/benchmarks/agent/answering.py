"""The model as a process of its own: answers at once, but for the attempt that is to wait.

`python -m tests.benchmarks.agent.answering TURNS SLOW_S` prints its address, and ends with its
standard input.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from appliance.core.errors import SetupError
from appliance.inference.scripted import Offer, ReceivedRequest, ScriptedReply, serving
from appliance.system.child_environment import Child, child_environment
from tests.benchmarks.agent.answers import playing
from tests.benchmarks.agent.form import SLOW, VAGUE, turns

_END_S = 10


@contextmanager
def answering(count: int, slow_s: float) -> Iterator[str]:
    """The address of a model that knows so many turns.

    Raises:
        SetupError: It does not start.
    """
    command = [sys.executable, "-m", __spec__.name, str(count), str(slow_s)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=child_environment(Child.PYTHON),
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            url = child.stdout.readline().strip()
            if not url:
                raise SetupError("The scripted model did not start: see above for why.")
            yield url
        finally:
            child.stdin.close()
            child.wait(_END_S)


def main(count: int, slow_s: float) -> None:
    """Answer until standard input ends."""
    plays = playing(turns(count), vague=VAGUE)

    def answer(asked: ReceivedRequest) -> ScriptedReply:
        delay_s = slow_s if SLOW in asked.text else 0.0
        return ScriptedReply(text=plays(asked), delay_s=delay_s)

    with serving(answer, Offer(takes_images=False)) as model:
        sys.stdout.write(f"{model.url}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
