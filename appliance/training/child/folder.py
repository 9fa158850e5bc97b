"""A run's folder, as the trainer's process sees it; of several only the first writes."""

import json
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from appliance.system.files import write_whole

RUN, STATUS, CURVES, ANSWERS = "run.json", "status.json", "curves.jsonl", "answers.jsonl"
CHECKPOINTS, ADAPTER, STOP = "checkpoints", "adapter", "stop"


def is_first() -> bool:
    """Whether this is the process that writes, of those that train together."""
    return _rank() == 0


def share_of(rows: Sequence[Any]) -> Sequence[Any]:
    """Those of this process, of what all of them learn from."""
    count = len(rows) // processes()
    return rows[_rank() * count : (_rank() + 1) * count]


def processes() -> int:
    """How many train together."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def _rank() -> int:
    return int(os.environ.get("RANK", "0"))


class StoppedError(Exception):
    """It was told to stop in the middle of a step, which then counts for nothing."""


class Folder:
    """Reads what is to be done, writes what came of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run: Mapping[str, Any] = json.loads((path / RUN).read_text(encoding="utf-8"))
        self._is_told_to_stop = False
        signal.signal(signal.SIGTERM, self._stop)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Of the training."""
        settings: Mapping[str, Any] = self.run["settings"]
        return settings

    @property
    def adapter(self) -> Path:
        """Where the best adapter goes."""
        return self.path / ADAPTER

    @property
    def last_checkpoint(self) -> Path | None:
        """The newest that is whole; None: there is none."""
        checkpoints = [
            (int(one.name.rpartition("-")[2]), one)
            for one in (self.path / CHECKPOINTS).glob("checkpoint-*")
            if (one / "trainer_state.json").exists()
        ]
        return max(checkpoints)[1] if checkpoints else None

    @property
    def is_to_stop(self) -> bool:
        """Whether it was told to end with a checkpoint."""
        return self._is_told_to_stop or (self.path / STOP).exists()

    def _stop(self, *_: object) -> None:
        self._is_told_to_stop = True

    def say(self, state: str, **more: object) -> None:
        """Write the status file atomically."""
        if not is_first():
            return
        write_whole(self.path / STATUS, json.dumps({"state": state, **more}))

    def add(self, name: str, lines: Sequence[Mapping[str, object]]) -> None:
        """Add lines of JSON to a file."""
        if not is_first():
            return
        with (self.path / name).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    def rewind(self, step: int) -> None:
        """Forget what was written after that step: what is done again is not counted twice."""
        if not is_first():
            return
        for name in (CURVES, ANSWERS):
            file = self.path / name
            if file.exists():
                lines = file.read_text(encoding="utf-8").splitlines()
                kept = [line for line in lines if json.loads(line)["step"] <= step]
                file.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
