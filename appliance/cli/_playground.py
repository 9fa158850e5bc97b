"""Practice clouds that a server starts for consoles without an address, and keeps."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from appliance.cli._practice import start_practice
from appliance.config import Settings
from appliance.practice import DOCUMENTATION


@contextmanager
def with_playgrounds(settings: Settings) -> Iterator[Settings]:
    """The settings with addresses of practice clouds that run while the block does.

    What is in them is kept in the data folder. Where no documentation is named, the one that comes
    with them is.

    Raises:
        SetupError: One does not start.
    """
    missing = [n for n, c in settings.consoles.items() if c.kind == "practice" and not c.url]
    consoles = dict(settings.consoles)
    documentation = settings.documentation
    with ExitStack() as stack:
        for name in missing:
            console = consoles[name]
            started = start_practice(
                console.release, console.drift, settings.data_dir / "practice" / name
            )
            practice = stack.enter_context(started)
            own = console.model_dump(include={"locale", "hosts"}, exclude_defaults=True)
            consoles[name] = practice.settings.model_copy(update=own)
        if settings.console in missing and not documentation.paths:
            documentation = documentation.model_copy(update={"paths": (DOCUMENTATION,)})
        yield settings.model_copy(update={"consoles": consoles, "documentation": documentation})
