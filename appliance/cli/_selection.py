"""Which procedures a command is about."""

from collections.abc import Sequence
from pathlib import Path

import click

from appliance import engine
from appliance.cli._output import talk
from appliance.core.procedure import Document

checks_option = click.option(
    "--checks",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with NAME.checks.yaml files, where they do not stand beside the documents."
    " May be repeated.",
)


def read_documents(paths: Sequence[Path], checks: Sequence[Path]) -> tuple[Document, ...]:
    """The documents, with what is odd about them said; see `engine.read_documents`."""
    return engine.read_documents(paths, checks, warn)


def warn(problem: str) -> None:
    """Say what is odd about a document."""
    talk(f"Warning: {problem}")
