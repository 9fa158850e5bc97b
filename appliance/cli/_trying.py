"""What `appliance init` tries for real, before it writes settings down."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from appliance.config import BrowserSettings, ConsoleSettings
from appliance.consoles import Console, open_console, password_of
from appliance.core.errors import ApplianceError, ConsoleError
from appliance.engine.reading import read_documents

_BROWSER = BrowserSettings(pool_size=1, spare_pages=0)


def answers(name: str, settings: ConsoleSettings) -> str:
    """Whether the log-in page answers, and the audit log can be read; what is wrong, or nothing."""
    return _try(name, settings, lambda console: console.check())


def lets_in(name: str, settings: ConsoleSettings) -> str:
    """Whether the first account can log in, in a browser; what is wrong, or nothing."""

    async def log_in(console: Console) -> None:
        health = await console.health(console.accounts(None)[0])
        if not health.can_log_in:
            raise ConsoleError(health.problem)

    return _try(name, settings, log_in)


def password_problem(settings: ConsoleSettings) -> str:
    """Why the password of an account is not there; empty: it is."""
    for name, account in settings.accounts.items():
        try:
            password_of(name, account)
        except ApplianceError as exc:
            return str(exc)
    return ""


def count_procedures(paths: Sequence[Path]) -> int:
    """How many procedures documents have.

    Raises:
        DocumentError: One cannot be read, or none has a procedure.
    """
    return sum(len(document.procedures) for document in read_documents(paths, ()))


def _try(name: str, settings: ConsoleSettings, deed: Callable[[Console], Awaitable[None]]) -> str:
    async def work() -> None:
        console = open_console(name, settings, browser=_BROWSER)
        try:
            await deed(console)
        finally:
            await console.close()

    try:
        asyncio.run(work())
    except ApplianceError as exc:
        return str(exc)
    return ""
