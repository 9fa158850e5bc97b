"""What a command says when it could not run: a sentence for people, and under `--json` a document.

The document is the last line of standard output, so that whoever reads JSON finds it there:
`{"error": {"kind": …, "detail": …, "where": …, "remedy": …, "exit_code": 2}}`. Whatever there is
besides the first error stands under `more`, with the same keys.
"""

import contextlib
import json
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import click

from appliance.core.errors import (
    ApplianceError,
    AttemptError,
    ConfigError,
    DocumentError,
    HinderedError,
    SetupError,
    StoreError,
)
from appliance.core.secrets import without_secrets

_REMEDIES: tuple[tuple[type[ApplianceError], str, str], ...] = (
    (ConfigError, "config", "Correct it; `appliance config example --full` has every setting."),
    (DocumentError, "document", "Correct the document, or leave it out."),
    (SetupError, "setup", "Do what it says; `appliance doctor` looks at all that is needed."),
    (StoreError, "store", "`appliance store check` says how the store is, and what restores it."),
    (HinderedError, "hindered", "Make room or bring the console back, and run it again."),
    (AttemptError, "attempt", "`appliance doctor` looks at consoles, accounts and the browser."),
    (ApplianceError, "appliance", "`appliance doctor` looks at all that is needed."),
)
"""From the narrowest on: what an error is called in JSON, and what to do where it does not say."""
_FAULT = "This is a fault of the program, not yours. `appliance --debug …` shows the trace."


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """An error as it is told."""

    kind: str
    """`usage`, `config`, `document`, `setup`, `store`, `hindered`, a boundary such as `console`,
    `browser` or `model`, or `unexpected`."""
    detail: str
    """What is wrong, with its value; mostly also what to do."""
    where: str
    """File and line of a setting, or the command."""
    remedy: str


def asks_for_json(arguments: Sequence[str]) -> bool:
    """Whether `--json` stands among the options of a command line."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def tell(exc: Exception, *, command: str, as_json: bool, code: int) -> None:
    """Say what was wrong.

    Args:
        exc: The error, or a group of them.
        command: What was run, without its arguments: `appliance finding list`.
        as_json: Whether the document is written, too.
        code: The exit code that follows.
    """
    leaves = _leaves(exc)
    for error in leaves:
        if isinstance(error, click.ClickException):
            error.show()
        elif isinstance(error, ApplianceError):
            click.echo(f"Error: {without_secrets(str(error))}", err=True)
        else:
            click.echo(f"Error: unexpected {_named(error)}\n{_FAULT}", err=True)
    if as_json:
        first, *more = (
            asdict(complaint) for error in leaves for complaint in _complaints(error, command)
        )
        document = {"error": first | {"exit_code": code} | ({"more": more} if more else {})}
        with contextlib.suppress(BrokenPipeError):
            click.echo(json.dumps(document, ensure_ascii=False))


def tell_trace(exc: Exception) -> None:
    """For `--debug`."""
    click.echo(without_secrets("".join(traceback.format_exception(exc))), err=True, nl=False)


def _complaints(error: Exception, command: str) -> Iterator[Complaint]:
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        where = context.command_path if context else command
        detail = without_secrets(error.format_message())
        remedy = f"`{where} --help` says what it takes."
        yield Complaint(kind="usage", detail=detail, where=where, remedy=remedy)
    elif isinstance(error, ApplianceError):
        kind, remedy = next((k, r) for type_, k, r in _REMEDIES if isinstance(error, type_))
        if isinstance(error, AttemptError):
            kind = error.boundary.value
        places = error.problems if isinstance(error, ConfigError) else ()
        for where, detail_text in places or ((command, str(error)),):
            detail = without_secrets(detail_text)
            yield Complaint(kind=kind, detail=detail, where=where, remedy=remedy)
    else:
        yield Complaint(kind="unexpected", detail=_named(error), where=command, remedy=_FAULT)


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {without_secrets(str(error))}"


def _leaves(exc: Exception) -> list[Exception]:
    """The errors inside groups that concurrent work raises, each sentence once."""
    if not isinstance(exc, ExceptionGroup):
        return [exc]
    leaves = [leaf for part in exc.exceptions for leaf in _leaves(part)]
    return list({str(leaf): leaf for leaf in leaves}.values())
