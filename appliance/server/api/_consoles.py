"""Which console a request is about."""

from typing import Annotated, TypeAlias

from litestar.params import QueryParameter

from appliance.server.parts import Service
from appliance.server.problems import Problem

OfConsole: TypeAlias = Annotated[
    str | None,
    QueryParameter(
        name="console",
        max_length=200,
        description="Name of a console in the settings; without it, the default one.",
    ),
]


def console_of(service: Service, requested: str | None) -> str:
    """Its name.

    Raises:
        Problem: 404: there is none of that name.
    """
    name = requested or service.settings.console
    if name not in service.settings.consoles:
        known = ", ".join(service.settings.consoles)
        raise Problem(
            404, f"There is no console {name!r}; there are {known}.", title="Unknown console"
        )
    return name
