"""Which documents and procedures are meant."""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from appliance.core.errors import DocumentError, SetupError
from appliance.core.procedure import Document, Procedure
from appliance.documents import load_documents


def read_documents(
    paths: Sequence[Path],
    checks: Sequence[Path],
    warn: Callable[[str], None] = lambda problem: None,
    load: Callable[..., tuple[Document, ...]] = load_documents,
) -> tuple[Document, ...]:
    """The documents of files and folders.

    Args:
        paths: Where they are.
        checks: Folders with NAME.checks.yaml files, where they do not stand beside the documents.
        warn: Told what is odd about them, and which ones of a folder are left out.
        load: `load_documents`, or what does the same in another process.

    Raises:
        DocumentError: One cannot be read, or none has a procedure.
    """
    documents = load(paths, checks, left_out=warn)
    for document in documents:
        for problem in document.problems:
            warn(str(problem))
    if not any(document.procedures for document in documents):
        names = ", ".join(document.path for document in documents[:3])
        more = f" and {len(documents) - 3} more" if len(documents) > 3 else ""
        raise DocumentError(
            f"nothing to verify: no procedure in {names}{more}. A procedure is a heading with"
            " steps in a console below it: a numbered list, bullets or sentences that instruct."
        )
    return documents


def choose(documents: Sequence[Document], patterns: Sequence[str]) -> tuple[Procedure, ...]:
    """The procedures whose id or title matches one of the patterns; all without patterns.

    Raises:
        SetupError: None does.
    """
    procedures = [procedure for document in documents for procedure in document.procedures]
    chosen = tuple(p for p in procedures if not patterns or _matches(p, patterns))
    if not chosen:
        wanted = " or ".join(repr(pattern) for pattern in patterns)
        raise SetupError(
            f"nothing to verify: none of the {len(procedures)} procedures has an id or title that"
            f" matches {wanted}. `appliance procedures DOC` lists them."
        )
    return chosen


def _matches(procedure: Procedure, patterns: Sequence[str]) -> bool:
    names = (procedure.id.casefold(), procedure.title.casefold())
    wanted = [pattern.casefold() for pattern in patterns]
    return any(name == want or fnmatchcase(name, want) for name in names for want in wanted)
