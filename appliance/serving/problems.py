"""What is not ready, and the errors of the engine."""

from typing import NamedTuple

from appliance.core.errors import SetupError


class NotReady(NamedTuple):
    """Something that does not work now."""

    name: str
    """`console practice`, `stopping`."""
    why: str


class UnknownRun(SetupError):
    """There is no run of that id."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"there is no run {run_id}")
