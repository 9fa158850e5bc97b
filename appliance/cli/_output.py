"""Where output goes: data to standard output, talk to standard error; whose the files are."""

import json
import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from appliance.core.jsonable import to_jsonable

_PIPE_WIDTH = 1000
"""Columns where no terminal bounds them: nothing is wrapped."""

Command = TypeVar("Command", bound=Callable[..., object])


def json_option(command: Command) -> Command:
    """The `--json` that every command has."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def write_json(data: object) -> None:
    """Print data for programs: JSON, or what `to_jsonable` makes it of."""
    click.echo(json.dumps(to_jsonable(data), indent=2, ensure_ascii=False))


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Container[str] = (),
    whole: Container[str] = (),
) -> None:
    """Print rows for people; nothing where there is none.

    Args:
        headings: Of the columns.
        rows: What `rich` prints, or what has a text.
        right: Headings of columns that are aligned to the right: numbers.
        whole: Headings of columns that are not wrapped on a narrow terminal.
    """
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(
            heading, justify="right" if heading in right else "left", no_wrap=heading in whole
        )
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else str(cell) for cell in row))
    if table.rows:
        data_console().print(table)


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


_PRIVATE = 0o077
"""Nothing for the group, nothing for others."""


class _User:
    umask: int | None = None
    """What the program was started with; None: it keeps that."""


def keep_files_private() -> None:
    """From now on, whatever this process and its children make is for the owner alone."""
    _User.umask = os.umask(_PRIVATE)


@contextmanager
def as_the_user_wants() -> Iterator[None]:
    """Files of the block are made for the user, in a place that was named: the shell's umask."""
    if _User.umask is None:
        yield
        return
    before = os.umask(_User.umask)
    try:
        yield
    finally:
        os.umask(before)
