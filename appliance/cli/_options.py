"""Options of commands, collected: a command with many takes them as one frozen dataclass."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args

import click

from appliance.cli._output import talk
from appliance.core.procedure import Document
from appliance.core.verdict import PolicyChoice
from appliance.reports import FILE_NAMES, Language

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.engine.request import RunKind, RunRequest

Command = TypeVar("Command", bound=Callable[..., object])

base_option = click.option(
    "--base",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of weights. [model.weights]",
)


def collect_options(*classes: type) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Hand a command's options over as instances of these dataclasses, in that order.

    Options are told apart by the names of the fields; others are passed on as they are.
    """

    def decorate(command: Callable[..., object]) -> Callable[..., object]:
        @wraps(command)
        def with_objects(*args: object, **options: object) -> object:
            instances = [
                cls(**{field.name: options.pop(field.name) for field in fields(cls)})
                for cls in classes
            ]
            return command(*args, *instances, **options)

        return with_objects

    return decorate


def options(*of_command: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator; `--help` has them in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(of_command):
            command = option(command)
        return command

    return decorate


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is to be verified, and how."""

    docs: tuple[Path, ...]
    console: str | None
    checks: tuple[Path, ...] = ()
    patterns: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    policy: PolicyChoice = PolicyChoice.AUTO
    tries_patches: bool | None = None

    def request(self, kind: "RunKind", console: str) -> "RunRequest":
        """What the engine is asked."""
        from appliance.engine.request import RunRequest

        return RunRequest(
            kind=kind,
            console=console,
            documents=self.docs,
            checks=self.checks,
            patterns=self.patterns,
            values=self.values,
            policy=self.policy,
            tries_patches=self.tries_patches,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """What is done with the results."""

    out: Path | None
    formats: tuple[str, ...]
    language: Language | None
    strict: bool
    as_json: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """Who carries it out."""

    server: str | None
    key_file: Path | None
    waits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrowingOptions:
    """Which of the procedures."""

    changed_since: str | None
    is_last_failed: bool
    watches: bool


def _formats(ctx: click.Context, param: click.Parameter, text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    unknown = [repr(name) for name in names if name not in FILE_NAMES]
    if unknown or not names:
        given_names = ", ".join(unknown) or "nothing"
        raise click.BadParameter(
            f"choose among {', '.join(FILE_NAMES)}; got {given_names}.", ctx, param
        )
    return names


def _language(ctx: click.Context, param: click.Parameter, name: str) -> Language | None:
    return next((language for language in get_args(Language) if language == name), None)


def _values(ctx: click.Context, param: click.Parameter, pairs: Sequence[str]) -> dict[str, str]:
    values = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"expected name=value, got {pair!r}.", ctx, param)
        values[name.strip()] = value
    return values


docs_argument = click.argument(
    "docs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DOC..."
)
checks_option = click.option(
    "--checks",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with NAME.checks.yaml files, where they do not stand beside the documents."
    " May be repeated.",
)
values_option = click.option(
    "--set",
    "values",
    multiple=True,
    callback=_values,
    metavar="NAME=VALUE",
    help="A value for what the text leaves open. May be repeated.",
)


def selection_options(procedure_help: str) -> Callable[[Command], Command]:
    """The options of `Selection`."""
    return options(
        docs_argument,
        click.option(
            "--console", metavar="NAME", help="Console of the settings to verify against."
        ),
        checks_option,
        click.option("--procedure", "patterns", multiple=True, metavar="GLOB", help=procedure_help),
        click.option(
            "--policy",
            type=click.Choice([choice.value for choice in PolicyChoice]),
            callback=lambda _context, _option, name: PolicyChoice(name),
            default=PolicyChoice.AUTO.value,
            show_default=True,
            help="What chooses the actions: an earlier verified attempt again, the text read"
            " word by word, or a model; `auto` takes the cheapest that can decide.",
        ),
        values_option,
        click.option(
            "--try-patches/--no-try-patches",
            "tries_patches",
            default=None,
            help="Carry a procedure that is not true out once more with the suggested texts in"
            " it; only what verifies then is in the patch. By default as the setting"
            " verification.try_patches says.",
        ),
    )


report_options = options(
    click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Folder for the reports [default: reports/RUN in the data folder]",
    ),
    click.option(
        "--language",
        type=click.Choice(["auto", *get_args(Language)]),
        default="auto",
        show_default=True,
        callback=_language,
        help="Language of the HTML report; `auto` takes that of most procedures.",
    ),
    click.option(
        "--format",
        "formats",
        callback=_formats,
        default="html,json",
        show_default=True,
        metavar="LIST",
        help=f"Reports to write, separated by commas: {', '.join(FILE_NAMES)}.",
    ),
    click.option(
        "--strict",
        is_flag=True,
        help="Exit with 1 on blocked and undecided procedures too.",
    ),
)
"""The options of `ReportOptions`, but for `--json`."""


server_options = options(
    click.option(
        "--server",
        metavar="URL",
        help="Have a server do it, with its own consoles: the documents are handed in, and the"
        " results come back here [default: APPLIANCE_SERVER]",
    ),
    click.option(
        "--key-file",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="File with the server's key on its first line [default: APPLIANCE_KEY]",
    ),
    click.option(
        "--wait/--no-wait",
        "waits",
        default=True,
        help="With --server: print the run's id, and do not wait for its end.",
    ),
)
"""The options of `ServerOptions`."""


narrowing_options = options(
    click.option(
        "--changed-since",
        metavar="REF",
        help="Only procedures in whose lines, checks or shared parts of the document something"
        " has changed since a commit or branch of git.",
    ),
    click.option(
        "--last-failed",
        "is_last_failed",
        is_flag=True,
        help="Only procedures that were not verified the last time, or never.",
    ),
    click.option(
        "--watch",
        "watches",
        is_flag=True,
        help="Verify again what changes whenever a document does, until Ctrl-C.",
    ),
)
"""The options of `NarrowingOptions`."""


def read_documents(
    paths: Sequence[Path], checks: Sequence[Path], *, may_be_empty: bool = False
) -> tuple[Document, ...]:
    """The documents, with what is odd about them said; see `engine.reading`."""
    from appliance.engine import reading

    return reading.read_documents(paths, checks, warn, may_be_empty=may_be_empty)


def warn(problem: str) -> None:
    """Say what is odd about a document."""
    talk(f"Warning: {problem}")
