"""Where words go: data to standard output, talk to standard error."""

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
from rich.console import Console

_PIPE_WIDTH = 1000
"""Columns where no terminal bounds them: nothing is wrapped."""

Command = TypeVar("Command", bound=Callable[..., object])


def json_option(command: Command) -> Command:
    """The `--json` that every command has."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def write_json(data: Any) -> None:  # Any: JSON
    """Print data for programs."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def talk(text: str) -> None:
    """Say something to the person at the terminal."""
    click.echo(text, err=True)


def data_console() -> Console:
    """Standard output, for tables: coloured and as wide as a terminal where it is one."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not sys.stdout.isatty():
        console.width = _PIPE_WIDTH
    return console


def talk_console() -> Console:
    """Standard error, for progress."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)
