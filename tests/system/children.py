"""Looks into the processes that another one starts, while it runs."""

import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

import psutil

CANARIES = {
    "CANARY_SECRET": "canary-1f2e3d-one",
    "CLOUD_PASSWORD": "canary-1f2e3d-two",
    "AWS_SECRET_ACCESS_KEY": "canary-1f2e3d-three",
    "APPLIANCE_KEY": "canary-1f2e3d-four",
    "VLLM_API_KEY": "canary-1f2e3d-five",
    "PYTHON_KEYRING_PASSWORD": "canary-1f2e3d-six",
    "DOCKER_AUTH_CONFIG": "canary-1f2e3d-seven",
    "CONTAINER_TOKEN": "canary-1f2e3d-eight",
}
"""Variables of ours that no child has a use for; some begin as those do that are handed down."""


class Children:
    """Descendants of a process: their command lines, and the variables that each was given."""

    def __init__(self, pid: int) -> None:
        self.seen: dict[str, dict[str, str]] = {}
        self._root = psutil.Process(pid)
        self._own = self._root.cmdline()
        self._ended = threading.Event()
        self._looking = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        self._looking.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, at: TracebackType | None
    ) -> None:
        self._ended.set()
        self._looking.join()

    def _look(self) -> None:
        while not self._ended.wait(0.01):
            with suppress(psutil.Error):
                for child in self._root.children(recursive=True):
                    with suppress(psutil.Error):  # it ended
                        # Before it becomes its program a child is a copy of who starts it.
                        # Its name first: what is another program by then has its own variables.
                        if (command := child.cmdline()) and command != self._own:
                            self.seen.setdefault(" ".join(command), {}).update(child.environ())

    def of(self, *words: str) -> dict[str, str]:
        """Variables of those whose command lines hold the words; fails where there is none."""
        found = [given for line, given in self.seen.items() if all(w in line for w in words)]
        assert found, f"no child was seen with {words}: {sorted(self.seen)}"
        return {name: value for given in found for name, value in given.items()}

    def with_canaries(self) -> list[str]:
        """Command lines of those that were given one."""
        values = set(CANARIES.values())
        return [line for line, given in self.seen.items() if values & set(given.values())]
