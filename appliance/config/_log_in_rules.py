"""What settings of a console's log-in must be true of together."""

from collections.abc import Iterator

from appliance.config._schema import Path
from appliance.config.settings import ConsoleSettings

PASSWORDLESS = frozenset({"state", "certificate"})
"""Ways in for which an account needs no password."""


def contradictions_of_log_in(path: Path, console: ConsoleSettings) -> Iterator[tuple[Path, str]]:
    """Everything that does not fit together, with the path of the value to change."""
    if console.log_in != "form" and console.kind != "generic":
        yield (
            (*path, "log_in"),
            f"`log_in: {console.log_in}` is for consoles of kind generic; this one is"
            f" {console.kind}.",
        )
    elif console.log_in == "steps" and not console.log_in_steps.strip():
        yield (
            (*path, "log_in"),
            "`log_in: steps` needs `log_in_steps`: what to do, one step a line.",
        )
    elif console.log_in != "steps" and console.log_in_steps:
        yield (
            (*path, "log_in_steps"),
            f"`log_in_steps` is for `log_in: steps`; here it is {console.log_in}.",
        )
