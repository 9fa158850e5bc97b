"""What is not ready, and the errors of the engine."""

from typing import NamedTuple, Self

from appliance.core.errors import SetupError
from appliance.engine.plan import Plan


class NotReady(NamedTuple):
    """Something that does not work now."""

    name: str
    """`console practice`, `stopping`."""
    why: str


class UnknownRun(SetupError):
    """There is no run of that id."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"there is no run {run_id}")


class UnknownConsole(SetupError):
    """There is no console of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no console {name}")


class NothingToDo(SetupError):
    """A sweep that is not begun, and that is no fault: nothing is due, or it is paused."""

    plan: Plan | None = None
    """Of what is not due."""

    @classmethod
    def due(cls, plan: Plan) -> Self:
        """Nothing is due."""
        why = f": {plan.left_out[0].why}" if plan.left_out else ""
        error = cls(f"nothing is due: {plan.fresh} verified not long ago{why}.")
        error.plan = plan
        return error


class StoppingError(SetupError):
    """The program is about to end and takes nothing new."""

    def __init__(self) -> None:
        super().__init__("the program is stopping; ask again when it is up")
