"""The `appliance` command: finds sub-commands, turns errors into sentences and exit codes."""

import asyncio
import importlib
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import structlog

from appliance import __version__
from appliance.cli._errors import asks_for_json, tell, tell_trace
from appliance.cli._output import keep_files_private
from appliance.cli._times import name_zone, use_zone
from appliance.config import Loaded, Settings, load
from appliance.core.build import commit
from appliance.core.near import meant
from appliance.core.secrets import without_secrets

CLEAN = 0
FINDINGS = 1
COULD_NOT_RUN = 2
"""Exit codes of our own."""
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143
"""Exit codes as a shell gives them to programs that a signal ended."""

COMMANDS = {
    "init": "Ask for console, log-in and documentation, try them, and write config.yaml.",
    "verify": "Carry out documented procedures in a console and report what is untrue.",
    "sweep": "Verify all that is due, the most urgent first, over many nights if need be.",
    "serve": "Serve REST and dashboard, and run sweeps on a schedule.",
    "procedures": "List what would be verified, with file and line.",
    "lint": "Hold documents against what attempts saw of the console: in seconds, no browser.",
    "label": "List what a console calls things, as attempts saw it.",
    "checks": "Propose, explain and try the rules that audit logs are held against.",
    "observe": "Look at a page of a console as the appliance sees it.",
    "finding": "List findings, show their evidence, and triage them.",
    "run": "List earlier runs and show their results.",
    "question": "List the questions that attempts ask people, and answer them.",
    "schedule": "List the scheduled jobs, and run one now.",
    "webhook": "List webhooks and what was sent, and send a test.",
    "notification": "List the mailboxes and chats that are told what happened, and send a test.",
    "key": "Make, list and revoke the keys of the server.",
    "activity": "List who did what, who was refused, and who came with a wrong key.",
    "account": "List the accounts of a console, check them, and say which may be used.",
    "login": "Try the log-in to a console, or record the one that a person does.",
    "resource": "List what was made in a cloud, make something by hand, and clean up.",
    "store": "Look after the stored results: check, back up, restore, export, prune.",
    "model": "Look at the model that is served on this machine, and try it.",
    "train": "Fine-tune the agent's model on this console: collect, train, promote.",
    "practice": "Run the practice cloud, a small console to try things on.",
    "bench": "Measure how well untrue sentences are found, and how steadily.",
    "config": "Show and check the settings.",
    "doctor": "Check that this machine has what it needs.",
}
"""Sub-commands with their one-line help. Each is `appliance.cli.NAME:command`, imported on use."""


@dataclass(slots=True)
class Invocation:
    """The options that were given before the sub-command."""

    config: Path | None = None
    is_debug: bool = False

    def load(self, overrides: Mapping[str, object] | None = None) -> Loaded:
        """The settings with their origins; `ConfigError` where they are wrong.

        Of the overrides, what is None was not given.
        """
        flags = {path: value for path, value in (overrides or {}).items() if value is not None}
        loaded = load(self.config, os.environ, flags)
        use_zone(loaded.settings.sweep.time_zone)
        return loaded

    def settings(self, overrides: Mapping[str, object] | None = None) -> Settings:
        """The settings; `ConfigError` where they are wrong."""
        return self.load(overrides).settings


pass_invocation = click.make_pass_decorator(Invocation, ensure=True)


def _command_in(module: str) -> click.Command:
    command: click.Command = importlib.import_module(f"appliance.cli.{module}").command
    return command


class Noun(click.Group):
    """A group of commands, whose help says the first sentence of each in full.

    Those of `later` stand in modules of their own, which take long to import.
    """

    def __init__(
        self, name: str, *, later: Sequence[str] = (), **more: Any
    ) -> None:  # Any: as click has them
        super().__init__(name, **more)
        self._later = later

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self._later])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._later:
            return _command_in(f"_{cmd_name}")
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [
            (name, command.get_short_help_str(limit=1000))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class _Commands(click.Group):
    """Imports a sub-command's module when it is used, so that `--help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command_in(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and (near := meant(args[0], COMMANDS)):
            ctx.fail(f"No such command '{args[0]}'. Did you mean '{near}'?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings file [default: ./config.yaml or /etc/appliance/config.yaml, where there is one]",
)
@click.option("--debug", is_flag=True, help="Say more, and show the trace of unexpected errors.")
@click.version_option(
    __version__, message=f"%(prog)s %(version)s (commit {commit()})", prog_name="appliance"
)
@pass_invocation
def app(invocation: Invocation, config: Path | None, debug: bool) -> None:
    """Carry out what a cloud console's documentation says, and report what is no longer true.

    Standard output is data, standard error is talk. Exit codes: 0 no findings, 1 findings,
    2 could not run.
    """
    invocation.config = config
    invocation.is_debug = debug
    if debug:
        _set_up_logs(logging.DEBUG)


def main() -> None:
    """Entry point of the `appliance` program."""
    keep_files_private()
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str], command: click.Command = app) -> int:
    """Run a command line; the exit code. No exception leaves this function."""
    invocation = Invocation()
    _set_up_logs(logging.WARNING)
    try:
        result = command.main(list(arguments), "appliance", standalone_mode=False, obj=invocation)
        sys.stdout.flush()
        name_zone()
        return result if isinstance(result, int) else CLEAN
    except (KeyboardInterrupt, click.Abort):
        click.echo("Stopped.", err=True)
        return INTERRUPTED
    except asyncio.CancelledError:  # what a command that runs a loop makes of SIGTERM
        click.echo("Stopped.", err=True)
        return TERMINATED
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - the interpreter flushes it at exit
        return BROKEN_PIPE
    except Exception as exc:  # noqa: BLE001 - the outermost place: a sentence instead of a trace
        tell(
            exc,
            command=_path(arguments, command),
            as_json=asks_for_json(arguments),
            code=COULD_NOT_RUN,
        )
        if invocation.is_debug and not isinstance(exc, click.ClickException):
            tell_trace(exc)
        return COULD_NOT_RUN


def _path(arguments: Sequence[str], command: click.Command) -> str:
    """`appliance finding list` of a command line, as far as there are such commands."""
    path = ["appliance"]
    for argument in arguments:
        if not isinstance(command, click.Group):
            break
        subcommand = (
            None
            if argument.startswith("-")
            else command.get_command(click.Context(command), argument)
        )
        if subcommand is not None:
            path.append(argument)
            command = subcommand
    return " ".join(path)


class _SecretFilter(logging.Formatter):
    """What libraries log, without secrets: asyncio tells of errors that nobody looked at."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


def _set_up_logs(level: int) -> None:
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_SecretFilter())
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
            lambda _logger, _method, line: without_secrets(str(line)),
        ],
    )
