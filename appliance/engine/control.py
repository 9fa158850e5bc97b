"""Communication with a running sweep from other processes, by files in the data folder.

The store cannot carry it: one process owns it. A signal could be sent neither into another
container nor by another user, and says too little. So `lock` is held while a sweep runs, by the
kernel, which lets go of it when the process dies; `running.json` says how far it is; and a wish is
written into `wish.json`, which the sweep looks for twice a second.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import cast

from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.engine.status import SweepStatus
from appliance.system.files import try_lock, write_whole

_TRIES, _PAUSE_S = 20, 0.05
"""Retries for the lock, which even a mere look holds for a moment."""


class ControlSignal(StrEnum):
    """A signal to a running sweep."""

    PAUSE = "pause"  # finish what is under way, then stop
    CANCEL = "cancel"  # stop at once, and for ever


@dataclass(frozen=True, slots=True)
class Control:
    """The control files in the folder `sweep` of a data folder."""

    folder: Path

    @classmethod
    def of(cls, data_dir: Path) -> "Control":
        """The one of that data folder."""
        return cls(data_dir / "sweep")

    @contextmanager
    def hold(self, sweep_id: str) -> Iterator[None]:
        """For the process that runs the sweep.

        Raises:
            SetupError: Another one runs.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("a") as lock:
            for _ in range(_TRIES):
                if try_lock(lock):
                    break
                time.sleep(_PAUSE_S)
            else:
                other = self._read("running.json") or {}
                raise SetupError(
                    f"sweep {other.get('id', '')} is running in this data folder: `appliance sweep"
                    " status` shows it, `pause` and `cancel` stop it."
                )
            self._forget()
            self.show({"id": sweep_id, "state": "running", "pid": os.getpid()})
            try:
                yield
            finally:
                self._forget()

    def show(self, status: SweepStatus) -> None:
        """Publish the progress; works even on a full disk, as the file is overwritten in place."""
        try:
            self._write("running.json", status)
        except OSError:
            with (
                suppress(OSError),
                (self.folder / "running.json").open("r+", encoding="utf-8") as known,
            ):
                known.write(_text(status))  # in the room that it has
                known.truncate()

    def wish(self, sweep_id: str) -> ControlSignal | None:
        """The signal waiting for a sweep; None if there is none."""
        wish = self._read("wish.json")
        if not wish or wish.get("sweep") != sweep_id:
            return None
        return ControlSignal(str(wish["wish"]))

    def ask(self, sweep_id: str, wish: ControlSignal) -> None:
        """Leave a signal for a running sweep."""
        self._write("wish.json", {"sweep": sweep_id, "wish": wish.value})

    def running(self) -> SweepStatus | None:
        """How far the sweep is that runs now; None where none does."""
        with suppress(FileNotFoundError), (self.folder / "lock").open() as lock:
            if not try_lock(lock, is_shared=True):
                return cast("SweepStatus | None", self._read("running.json"))  # what `show` wrote
        return None

    def _forget(self) -> None:
        for name in ("running.json", "wish.json"):
            (self.folder / name).unlink(missing_ok=True)

    def _read(self, name: str) -> dict[str, Json] | None:
        with suppress(FileNotFoundError):
            data = json.loads((self.folder / name).read_text("utf-8"))
            return data if isinstance(data, dict) else None
        return None

    def _write(self, name: str, data: Mapping[str, object]) -> None:
        write_whole(self.folder / name, _text(data))


def _text(data: Mapping[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False)
