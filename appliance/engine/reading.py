"""Which documents and procedures are meant."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from appliance.core.errors import DocumentError, SetupError
from appliance.core.procedure import Document, Procedure
from appliance.documents import load_documents, names_task


def read_documents(
    paths: Sequence[Path],
    checks: Sequence[Path],
    warn: Callable[[str], None] = lambda problem: None,
    load: Callable[..., tuple[Document, ...]] = load_documents,
    *,
    may_be_empty: bool = False,
) -> tuple[Document, ...]:
    """The documents of files and folders.

    Args:
        paths: Where they are.
        checks: Folders with NAME.checks.yaml files, where they do not stand beside the documents.
        warn: Told what is odd about them, and which ones of a folder are left out.
        load: `load_documents`, or what does the same in another process.
        may_be_empty: Whether candidates will do, where none has a procedure.

    Raises:
        DocumentError: One cannot be read, or none has a procedure.
    """
    documents = load(paths, checks, left_out=warn)
    for problem in told_once(problem for one in documents for problem in one.problems):
        warn(problem)
    is_empty = may_be_empty and any(document.candidates for document in documents)
    if not is_empty and not any(document.procedures for document in documents):
        names = ", ".join(document.path for document in documents[:3])
        more = f" and {len(documents) - 3} more" if len(documents) > 3 else ""
        raise DocumentError(
            f"nothing to verify: no procedure in {names}{more}. A procedure is a heading with"
            " steps in a console below it: a numbered list, bullets or sentences that instruct."
        )
    return documents


def told_once(problems: Iterable[str]) -> Iterator[str]:
    """Problems (`FILE:LINE: WORDS`) of the same words as one, with how many more there are."""
    places: dict[str, list[str]] = {}
    for problem in problems:
        places.setdefault(problem.partition(": ")[2], []).append(problem)
    for first, *more in places.values():
        yield f"{first} ({len(more)} more such places)" if more else first


def with_candidates(documents: Sequence[Document], patterns: Sequence[str]) -> tuple[Document, ...]:
    """The documents, with what only a model takes for procedures among theirs.

    Of sections that follow no form, these: those that are asked for; those that name a task; and,
    where there is nothing else, all.
    """
    is_bare = not any(document.procedures for document in documents)

    def is_meant(one: Procedure) -> bool:
        return is_bare or names_task(one) or _matches(one, patterns)

    return tuple(
        replace(
            document,
            procedures=tuple(
                sorted(
                    (*document.procedures, *filter(is_meant, document.candidates)),
                    key=lambda procedure: procedure.span.line,
                )
            ),
        )
        for document in documents
    )


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
