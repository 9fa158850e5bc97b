"""Select the documents and procedures that a request means."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Protocol, TypeVar

from appliance.core.errors import DocumentError, SetupError
from appliance.core.procedure import Document
from appliance.documents import DocumentOutline, ProcedureOutline, load_documents

D = TypeVar("D", Document, DocumentOutline)


class Named(Protocol):
    """A procedure, or its outline."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def title(self) -> str:
        """Its title."""


P = TypeVar("P", bound=Named, covariant=True)


class Holds(Protocol[P]):
    """A document, or its outline."""

    @property
    def procedures(self) -> tuple[P, ...]:
        """Those in it."""


def read_documents(
    paths: Sequence[Path],
    checks: Sequence[Path],
    warn: Callable[[str], None] = lambda problem: None,
    *,
    may_be_empty: bool = False,
) -> tuple[Document, ...]:
    """The documents of files and folders, whole: for some, and not for thousands.

    Args:
        paths: Where they are.
        checks: Folders with NAME.checks.yaml files, where they do not stand beside the documents.
        warn: Told what is odd about them, and which ones of a folder are left out.
        may_be_empty: Whether candidates will do, where none has a procedure.

    Raises:
        DocumentError: One cannot be read, or none has a procedure.
    """
    documents = load_documents(paths, checks, left_out=warn)
    return checked(documents, warn, may_be_empty=may_be_empty)


def checked(
    documents: tuple[D, ...], warn: Callable[[str], None], *, may_be_empty: bool
) -> tuple[D, ...]:
    """Return the documents if they have something to verify, and warn of their problems.

    Raises:
        DocumentError: None has a procedure.
    """
    for problem in told_once(problem for outline in documents for problem in outline.problems):
        warn(problem)
    is_empty = may_be_empty and any(document.candidates for document in documents)
    if not is_empty and not any(document.procedures for document in documents):
        names = ", ".join(document.path for document in documents[:3])
        more = f" and {len(documents) - 3} more" if len(documents) > 3 else ""
        raise DocumentError(
            f"nothing to verify: no procedure in {names}{more}. A procedure is a heading with"
            " steps in a console below it: a numbered list, bullets or sentences that instruct."
            + _for_a_model(sum(len(document.candidates) for document in documents))
        )
    return documents


def _for_a_model(count: int) -> str:
    if not count:
        return ""
    sections = "one section" if count == 1 else f"{count} sections"
    return f" A model may take {sections} for one: set `model.endpoint`, and verify."


def told_once(problems: Iterable[str]) -> Iterator[str]:
    """Merge problems (`FILE:LINE: WORDS`) with the same words, with a count of the others."""
    places: dict[str, list[str]] = {}
    for problem in problems:
        places.setdefault(problem.partition(": ")[2], []).append(problem)
    for first, *more in places.values():
        yield f"{first} ({len(more)} more such places)" if more else first


def with_candidates(
    documents: Sequence[DocumentOutline], patterns: Sequence[str]
) -> tuple[DocumentOutline, ...]:
    """Add candidates, which only a model takes for procedures, to the documents' procedures.

    Added are candidates that were asked for, those that name a task, and all if there is nothing
    else.
    """
    is_bare = not any(document.procedures for document in documents)

    def is_meant(candidate: ProcedureOutline) -> bool:
        return is_bare or candidate.names_task or _matches(candidate, patterns)

    return tuple(
        replace(
            document,
            procedures=tuple(
                sorted(
                    (*document.procedures, *filter(is_meant, document.candidates)),
                    key=lambda procedure: procedure.line,
                )
            ),
        )
        for document in documents
    )


def choose(documents: Sequence[Holds[P]], patterns: Sequence[str]) -> tuple[P, ...]:
    """The procedures whose id or title matches one of the patterns; all without patterns.

    Raises:
        SetupError: None does.
    """
    procedures = [procedure for document in documents for procedure in document.procedures]
    chosen = tuple(p for p in procedures if not patterns or _matches(p, patterns))
    if not chosen:
        patterns_text = " or ".join(repr(pattern) for pattern in patterns)
        raise SetupError(
            f"nothing to verify: none of the {len(procedures)} procedures has an id or title that"
            f" matches {patterns_text}. `appliance procedures DOC` lists them."
        )
    return chosen


def _matches(procedure: Named, patterns: Sequence[str]) -> bool:
    names = (procedure.id.casefold(), procedure.title.casefold())
    folded_patterns = [pattern.casefold() for pattern in patterns]
    return any(
        name == want or fnmatchcase(name, want) for name in names for want in folded_patterns
    )
