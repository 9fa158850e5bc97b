"""Measures what holding statements against the console adds to an attempt's time.

`python -m tests.benchmarks.claims [--json] [DOCUMENT ...]`; everybody starts it as
`scripts/bench-claims`. Two figures, both from above: the time from one decision to the next while
the reader was at a sentence that asks for nothing, and the processor's time in the files that read
and judge statements, from samples of the main thread.
"""

import argparse
import json
import platform
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType

from appliance.cli._local import verification_of, verify_here
from appliance.config import ConsoleSettings, Settings
from appliance.core.page import Observation, Performed
from appliance.documents import load_documents
from appliance.policy.base import Decision, Task
from appliance.policy.literal import LiteralPolicy
from appliance.policy.literal.read.intents import IntentKind
from appliance.practice.releases import DOCUMENTATION, releases
from appliance.verification import cascade

_EVERY_S = 0.005
_STATEMENTS = frozenset(
    {
        IntentKind.EXPECT_OPEN, IntentKind.EXPECT_TEXT, IntentKind.EXPECT_DEFAULT,
        IntentKind.EXPECT_FIELD, IntentKind.INFORM,
    }
)  # fmt: skip
"""Of sentences that say what is shown, and ask for nothing."""
_FILES = (
    *(f"policy/literal/act/{name}.py" for name in ("claims", "columns", "defaults", "limits")),
    *(f"policy/literal/match/{name}.py" for name in ("limits", "standing", "whereabouts")),
    *(f"policy/literal/match/{name}.py" for name in ("columns", "judged", "wizards")),
    *(f"policy/literal/read/{name}.py" for name in ("stated", "leftover", "subjects", "facts")),
    *(f"policy/literal/read/{name}.py" for name in ("marked_facts", "whereabouts")),
    *(f"verification/{name}.py" for name in ("claims", "durations", "explanations", "permission")),
    "core/claims.py",
)
_METHODS = frozenset({"settle", "confirm", "_check", "_stands", "_remarked", "_hold_paths"})
"""Of the session."""
_IDLE = frozenset({"select", "poll"})


@dataclass(slots=True)
class Seconds:
    """What was measured, added up over all attempts."""

    deciding: dict[IntentKind | None, float] = field(default_factory=lambda: defaultdict(float))
    """From a decision to the next, by the instruction that made it."""
    busy: int = 0
    """Samples in which the main thread was at work."""
    in_claims: int = 0


class TimedPolicy(LiteralPolicy):
    """The literal policy; it notes for which instruction each decision was made."""

    seconds = Seconds()

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._since = time.monotonic()
        self._kind: IntentKind | None = None

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """As ever."""
        now = time.monotonic()
        self.seconds.deciding[self._kind] += now - self._since
        decision = await super().choose(view, last)
        upcoming = self._session.upcoming
        self._since, self._kind = now, upcoming[0].kind if upcoming else None
        return decision


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run measured."""

    machine: str
    procedures: int
    attempts_s: float
    """From the first decision of an attempt to its last, all attempts together."""
    statements_s: float
    """Of that, while it was at a statement."""
    statements_share: float
    processor_share: float
    """Of the main thread's work, what is in the statements' files."""


def measure(names: list[str]) -> Figures:
    """Verify these of the bundled documents on the release that they are true of."""
    # the harness lends the cascade a policy that is timed; what it does is the same
    vars(cascade)["LiteralPolicy"] = TimedPolicy
    documents = load_documents([DOCUMENTATION / name for name in names])
    procedures = [procedure for document in documents for procedure in document.procedures]
    over = threading.Event()
    sampler = threading.Thread(target=_sample, args=(threading.get_ident(), over), daemon=True)
    with tempfile.TemporaryDirectory(prefix="bench-claims-") as folder:
        console = ConsoleSettings(kind="practice", release=releases()[0])
        settings = Settings(data_dir=Path(folder), consoles={"practice": console})
        sampler.start()
        run = verify_here(settings, verification_of(settings, documents, procedures))
        over.set()
    sampler.join()
    seconds = TimedPolicy.seconds
    whole = sum(seconds.deciding.values())
    stated = sum(seconds.deciding[kind] for kind in _STATEMENTS)
    return Figures(
        machine=platform.platform(),
        procedures=len(run.procedures),
        attempts_s=round(whole, 2),
        statements_s=round(stated, 2),
        statements_share=round(stated / whole, 4),
        processor_share=round(seconds.in_claims / max(seconds.busy, 1), 4),
    )


def _sample(thread: int, over: threading.Event) -> None:
    seconds = TimedPolicy.seconds
    while not over.wait(_EVERY_S):
        frame = sys._current_frames().get(thread)
        if frame is None or frame.f_code.co_name in _IDLE:
            continue
        seconds.busy += 1
        seconds.in_claims += _is_of_claims(frame)


def _is_of_claims(frame: FrameType | None) -> bool:
    while frame is not None:
        code = frame.f_code
        is_session = code.co_filename.endswith("policy/literal/session.py")
        if code.co_filename.endswith(_FILES) or (is_session and code.co_name in _METHODS):
            return True
        frame = frame.f_back
    return False


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="bench-claims", description=__doc__)
    parser.add_argument("documents", nargs="*", default=["buckets.md", "networks.rst", "disks.md"])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measure(arguments.documents)
    if arguments.json:
        print(json.dumps(asdict(found)))
        return
    print(f"{found.procedures} procedures, {found.attempts_s:.0f} s from first to last decision")
    print(f"at sentences that ask for nothing: {found.statements_s:.1f} s", end=" ")
    print(f"({found.statements_share:.1%})")
    print(f"processor, in the statements' files: {found.processor_share:.1%} of the main thread")


if __name__ == "__main__":
    main()
