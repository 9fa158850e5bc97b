"""`appliance verify`: the main job."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli._app import CLEAN, Invocation, pass_invocation
from appliance.cli._options import (
    NarrowingOptions,
    ReportOptions,
    Selection,
    ServerOptions,
    collect_options,
    narrowing_options,
    report_options,
    selection_options,
    server_options,
)
from appliance.cli._output import json_option, talk
from appliance.cli._remote import named_server, server_of
from appliance.cli._summary import counted
from appliance.core.errors import SetupError
from appliance.core.procedure import Document, text_hash

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.cli._verification import Verification

_LOOK_EVERY_S = 0.5

_Files = frozenset[tuple[str, int, int]]


def watch(job: "Verification", documents: Sequence[Document]) -> None:
    """Have procedures verified whenever their text or checks change, until Ctrl-C.

    Args:
        job: What is asked for.
        documents: As they were when it was carried out.
    """
    docs, checks = job.selection.docs, job.selection.checks
    file_states: _Files = frozenset()
    known_hashes = _hashes(documents)
    talk("Watching the documents; Ctrl-C ends it.")
    with suppress(KeyboardInterrupt):
        while True:
            try:
                file_states = _next(docs, checks, file_states)
                documents = job.read()
                hashes = _hashes(documents)
                selected = job.choose(documents)
                changed = [
                    procedure
                    for procedure in selected
                    if known_hashes.get(procedure.id) != hashes[procedure.id]
                ]
                known_hashes = hashes
                if changed:
                    job.of(changed).carry_out(documents, changed)
            except SetupError as error:  # half written, or a mistake: it is mended next
                talk(f"Error: {error}")
    talk("Stopped watching.")


def _next(docs: Sequence[Path], checks: Sequence[Path], states: _Files) -> _Files:
    """The files when they differ from those, and nobody writes any more."""
    previous = states
    while (current := _files(docs, checks)) == states or current != previous:
        previous = current
        time.sleep(_LOOK_EVERY_S)
    return current


def _files(docs: Sequence[Path], checks: Sequence[Path]) -> _Files:
    return frozenset(_states(docs, checks))


def _states(docs: Sequence[Path], checks: Sequence[Path]) -> Iterator[tuple[str, int, int]]:
    from appliance.documents import checks_files, document_files

    with suppress(SetupError):  # one is gone: it is told when it is read
        for document in document_files(docs):
            for file in (document, *checks_files(document, checks)):
                with suppress(OSError):
                    state = file.stat()
                    yield str(file), state.st_mtime_ns, state.st_size


def _hashes(documents: Sequence[Document]) -> dict[str, str]:
    return {
        procedure.id: text_hash(procedure)
        for document in documents
        for procedure in document.procedures
    }


@click.command("verify")
@selection_options("Only procedures whose id or title matches. May be repeated.")
@narrowing_options
@server_options
@report_options
@json_option
@pass_invocation
@collect_options(Selection, NarrowingOptions, ServerOptions, ReportOptions)
def command(
    invocation: Invocation,
    selection: Selection,
    narrowing: NarrowingOptions,
    where: ServerOptions,
    options: ReportOptions,
) -> int:
    """Carry out the procedures of DOC... in a console, and report which sentences are untrue.

    DOC is a Markdown, reStructuredText, HTML, AsciiDoc, DocBook or DITA file, or a folder of them.
    Without settings, a practice cloud is started for the run.
    """
    from appliance.cli._narrowing import narrowed
    from appliance.cli._verification import Verification
    from appliance.verification import check_policy

    is_ours = selection.console and not named_server(where.server)
    settings = invocation.settings({"console": selection.console} if is_ours else {})
    server = server_of(settings, where.server, where.key_file)
    if narrowing.watches and not where.waits:
        raise SetupError("--watch waits for each result: leave --no-wait out.")
    if server is None:
        check_policy(selection.policy, settings.model)
    verification = Verification(settings, selection, options, server)
    documents = verification.read()
    procedures = verification.choose(documents)
    chosen = narrowed(documents, procedures, verification, narrowing)
    left_out = len(procedures) - len(chosen)
    if left_out:
        talk(f"Left out: {counted(left_out, 'procedure')} of {len(procedures)}.")
    job = verification.of(chosen) if left_out else verification
    if not where.waits:
        return job.begin(documents, chosen) if chosen else job.tell_nothing()
    code = job.carry_out(documents, chosen) if chosen else job.tell_nothing()
    if narrowing.watches:
        watch(verification, documents)
        return CLEAN
    return code
