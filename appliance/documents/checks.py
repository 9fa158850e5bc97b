"""Checks of procedures, read from checks files and from comments in documents."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from appliance.core.checks import Checks
from appliance.core.errors import DocumentError, LimitError
from appliance.core.near import meant
from appliance.core.procedure import LeftOut, Procedure
from appliance.documents._blocks import Comment
from appliance.documents._checks_model import ChecksFile, ProcedureChecks, explain, to_checks
from appliance.documents._source import Source
from appliance.documents._text import slug
from appliance.system.yaml import LocatedText, YamlError, read_located

SUFFIX = ".checks.yaml"
"""Suffix of checks files."""
_COMMENT = re.compile(r"\s*checks:[ \t]*(?:\n|\Z)")


def attach_checks(
    procedures: tuple[Procedure, ...],
    source: Source,
    comments: Sequence[Comment] = (),
    checks_dirs: Sequence[Path] = (),
    left_out: Sequence[LeftOut] = (),
) -> tuple[Procedure, ...]:
    """The procedures with their checks: from comments, then the sidecar, then `checks_dirs`.

    Raises:
        DocumentError: a checks file is unreadable or speaks of what is not there.
    """
    checks_by_id: dict[str, Checks] = {}
    for comment in comments:
        match = _COMMENT.match(comment.text)
        if match is not None:
            checks_by_id |= _from_comment(comment, match.end(), procedures, source, left_out)
    for path in checks_files(Path(source.path), checks_dirs):
        checks_by_id |= load_checks(path, procedures, source.path, left_out)
    return tuple(
        replace(p, checks=checks_by_id[p.id]) if p.id in checks_by_id else p for p in procedures
    )


def load_checks(
    path: Path,
    procedures: Sequence[Procedure],
    document: str,
    left_out: Sequence[LeftOut] = (),
) -> Mapping[str, Checks]:
    """The checks of a file, by procedure id."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DocumentError(f"{path}: is not UTF-8 at offset {error.start}") from error
    return read_checks(text, str(path), procedures, document, left_out)


def read_checks(
    text: str,
    file: str,
    procedures: Sequence[Procedure],
    document: str,
    left_out: Sequence[LeftOut] = (),
) -> Mapping[str, Checks]:
    """The checks of a file's text, by procedure id.

    Args:
        text: Text of the file.
        file: Its name, for messages.
        procedures: Procedures of the document.
        document: Its name, for messages.
        left_out: Sections that are not carried out; skipping one is allowed.

    Raises:
        DocumentError: It cannot be read, or speaks of what is not there.
    """
    return _by_procedure(_read_yaml(text, file), procedures, document, left_out)


def checks_files(document: Path, checks_dirs: Sequence[Path] = ()) -> list[Path]:
    """The checks files of a document: next to it and in `checks_dirs`."""
    candidates = [[document.with_suffix(SUFFIX), document.with_name(document.name + SUFFIX)]]
    name = document.stem + SUFFIX
    candidates += [[folder / document.parent.name / name, folder / name] for folder in checks_dirs]
    firsts = (next((p for p in options if p.is_file()), None) for options in candidates)
    return list(dict.fromkeys(p for p in firsts if p is not None))


def _from_comment(
    comment: Comment,
    head: int,
    procedures: Sequence[Procedure],
    source: Source,
    left_out: Sequence[LeftOut],
) -> Mapping[str, Checks]:
    line = source.line_of(comment.start) + comment.text.count("\n", 0, head)
    located = _read_yaml(comment.text[head:], source.path, line - 1 or 0)
    value = located.value
    if isinstance(value, dict) and not set(value) <= {"procedures"} and set(value) & _KEYS:
        return _for_enclosing(located, line, procedures, source.path)
    return _by_procedure(located, procedures, source.path, left_out)


_KEYS = frozenset(ProcedureChecks.model_fields)


def _for_enclosing(
    located: LocatedText, line: int, procedures: Sequence[Procedure], document: str
) -> Mapping[str, Checks]:
    """A comment without `procedures:` belongs to the procedure it stands in or just before."""
    sure = [p for p in procedures if not p.needs_model]
    owner = next((p for p in sure if line <= p.span.end_line), sure[-1] if sure else None)
    if owner is None:
        raise DocumentError(
            f"{document}:{line}: checks, but there is no procedure in this document"
        )
    try:
        model = ProcedureChecks.model_validate(located.value)
    except ValidationError as error:
        raise DocumentError(explain(error, located)) from error
    return {owner.id: to_checks(model, located, ())}


def _by_procedure(
    located: LocatedText,
    procedures: Sequence[Procedure],
    document: str,
    left_out: Sequence[LeftOut],
) -> Mapping[str, Checks]:
    if located.value is None:
        return {}
    try:
        model = ChecksFile.model_validate(located.value)
    except ValidationError as error:
        raise DocumentError(explain(error, located)) from error
    checks_by_id: dict[str, Checks] = {}
    for key, entry in model.procedures.items():
        place = located.place(("procedures", key))
        if _is_named(key, left_out) and not procedures_named(key, procedures):
            if entry.skip:
                continue
            raise DocumentError(
                f"{place.file}:{place.line}: {key!r} is left out of {document}: nothing is done in"
                " a console there, so that it can only be skipped"
            )
        procedure = _procedure_for_key(key, procedures, document, f"{place.file}:{place.line}")
        if procedure.id in checks_by_id:
            raise DocumentError(
                f"{place.file}:{place.line}: {procedure.id} has checks already above"
            )
        checks_by_id[procedure.id] = to_checks(entry, located, ("procedures", key))
    return checks_by_id


def _procedure_for_key(
    key: str, procedures: Sequence[Procedure], document: str, where: str
) -> Procedure:
    """The procedure that a key of a checks file names; `DocumentError` if there is not just one."""
    matching = procedures_named(key, procedures)
    if len(matching) == 1:
        return matching[0]
    if matching:
        ids = ", ".join(p.id for p in matching)
        raise DocumentError(f"{where}: {key!r} names several procedures: write one of {ids}")
    sure = [p for p in procedures if not p.needs_model]
    names = {p.id.rsplit("/", 1)[-1]: p for p in sure} | {p.id: p for p in sure}
    if suggestion := meant(key, names, alike=0.4):
        raise DocumentError(
            f"{where}: no procedure {key!r} in {document}; did you mean {suggestion!r}?"
        )
    known_keys = ", ".join(p.id.rsplit("/", 1)[-1] for p in sure) or "none"
    raise DocumentError(f"{where}: no procedure {key!r} in {document}; it has: {known_keys}")


def procedures_named(key: str, procedures: Sequence[Procedure]) -> list[Procedure]:
    """The procedures that a key may name; those only a model can read if no other fits."""
    return _matching(key, [p for p in procedures if not p.needs_model]) or _matching(
        key, procedures
    )


def _is_named(key: str, left_out: Sequence[LeftOut]) -> bool:
    return any(slug(section.title) == slug(key) for section in left_out)


def _matching(key: str, procedures: Sequence[Procedure]) -> list[Procedure]:
    """Match by whole id, else by the end of the id or by title."""
    by_id = [p for p in procedures if p.id == key]
    return by_id or [
        p
        for p in procedures
        if p.id.rsplit("/", 1)[-1] == key or p.id.endswith("/" + key) or slug(p.title) == slug(key)
    ]


def _read_yaml(text: str, file: str, lines_before: int = 0) -> LocatedText:
    """Read one YAML document that starts after `lines_before` lines of a file.

    Raises:
        DocumentError: It is no YAML, or has a key twice.
        LimitError: It refers to its own parts, or is too large.
    """
    try:
        return read_located(text, file, lines_before)
    except YamlError as error:
        kind = LimitError if error.is_limit else DocumentError
        raise kind(f"{file}:{error.line}:{error.column}: {error.says}") from error
