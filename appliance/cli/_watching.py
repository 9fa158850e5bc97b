"""Again, whenever a document or its checks change.

Polled: folders of containers and networks tell no events.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from appliance.cli._output import talk
from appliance.cli._verification import Verification
from appliance.core.errors import SetupError
from appliance.core.procedure import Document, text_hash
from appliance.documents import checks_files, document_files

_LOOK_EVERY_S = 0.5

_Files = frozenset[tuple[str, int, int]]


def watch(job: Verification, documents: Sequence[Document]) -> None:
    """Have procedures verified whenever their text or checks change, until Ctrl-C.

    Args:
        job: What is asked for.
        documents: As they were when it was carried out.
    """
    docs, checks = job.selection.docs, job.selection.checks
    seen: _Files = frozenset()
    known = _hashes(documents)
    talk("Watching the documents; Ctrl-C ends it.")
    with suppress(KeyboardInterrupt):
        while True:
            try:
                seen = _next(docs, checks, seen)
                documents = job.read()
                now = _hashes(documents)
                meant = job.choose(documents)
                changed = [one for one in meant if known.get(one.id) != now[one.id]]
                known = now
                if changed:
                    job.of(changed).carry_out(documents, changed)
            except SetupError as error:  # half written, or a mistake: it is mended next
                talk(f"Error: {error}")
    talk("Stopped watching.")


def _next(docs: Sequence[Path], checks: Sequence[Path], seen: _Files) -> _Files:
    """The files when they differ from those, and nobody writes any more."""
    before = seen
    while (now := _files(docs, checks)) == seen or now != before:
        before = now
        time.sleep(_LOOK_EVERY_S)
    return now


def _files(docs: Sequence[Path], checks: Sequence[Path]) -> _Files:
    return frozenset(_states(docs, checks))


def _states(docs: Sequence[Path], checks: Sequence[Path]) -> Iterator[tuple[str, int, int]]:
    with suppress(SetupError):  # one is gone: it is told when it is read
        for document in document_files(docs):
            for file in (document, *checks_files(document, checks)):
                with suppress(OSError):
                    state = file.stat()
                    yield str(file), state.st_mtime_ns, state.st_size


def _hashes(documents: Sequence[Document]) -> dict[str, str]:
    return {one.id: text_hash(one) for document in documents for one in document.procedures}
