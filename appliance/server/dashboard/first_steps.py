"""What the overview offers to who has just begun: commands, in the order in which they help."""

import shlex
from dataclasses import dataclass

from appliance.config import Settings

_ANY = "docs/"


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A command, and what it is for."""

    key: str
    """Of the catalogue, below `first.`."""
    command: str


def has_own_console(settings: Settings) -> bool:
    """Whether there is one besides practice clouds."""
    return any(console.kind != "practice" for console in settings.consoles.values())


def first_steps(settings: Settings, *, has_run: bool) -> tuple[FirstStep, ...]:
    """None as soon as something was verified on a console of one's own."""
    is_own = has_own_console(settings)
    if is_own and has_run:
        return ()
    paths = settings.documentation.paths if is_own else ()
    docs = shlex.quote(str(paths[0])) if paths else _ANY
    looking = (
        FirstStep("doctor", "appliance doctor"),
        FirstStep("procedures", f"appliance procedures {docs}"),
        FirstStep("verify", f"appliance verify {docs}"),
    )
    if is_own:
        return looking
    return (
        FirstStep("init", "appliance init"),
        *looking,
        FirstStep("serve", "appliance serve"),
    )
