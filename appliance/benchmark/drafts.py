"""Texts of tasks: a procedure as written, with other values, in other words, or several as one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from appliance.core.checks import Checks, Comparison, Constraint, EventRule, Need
from appliance.core.procedure import Document, Procedure

_MARKDOWN = "markdown"
_NUMBER = re.compile(r"^(\s*)\d+([.)])")
"""Of a step, in Markdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A document with the one procedure of it that is meant."""

    name: str
    """File name of the document."""
    text: str
    key: str
    """What its checks file calls the procedure."""
    rest: str
    """The procedure's id behind the folder; `*`: it is the only one."""
    procedure: Procedure
    """With the task's checks; its steps are those of the first source."""


def as_written(document: Document, procedure: Procedure) -> Draft:
    """The procedure as it stands in its document."""
    return _draft(document, procedure, document.lines, procedure.checks)


def vary(
    document: Document,
    procedure: Procedure,
    replacements: Mapping[str, str],
    where: Mapping[str, str],
) -> Draft | str:
    """Replace words of its lines and values of its first rule, or say why that is impossible.

    Args:
        document: Where it stands.
        procedure: With its checks.
        replacements: Each must be there once, as a whole word; what stands in its place.
        where: New values of conditions, by their path.
    """
    first_line, last_line = procedure.span.line - 1, procedure.span.end_line
    text = "\n".join(document.lines[first_line:last_line])
    spans = []
    for old, new in replacements.items():
        places = [match.span() for match in re.finditer(_word_pattern(old), text)]
        if len(places) != 1:
            return f"{old!r} is {len(places)} times in {procedure.id}: it must be there once"
        spans.append((*places[0], new))
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    lines = (*document.lines[:first_line], *text.split("\n"), *document.lines[last_line:])
    checks = _with_values(procedure, where)
    return checks if isinstance(checks, str) else _draft(document, procedure, lines, checks)


def retell(
    document: Document,
    procedure: Procedure,
    title: str,
    sentences: Sequence[str],
    where: Mapping[str, str],
) -> Draft | str:
    """Write the same goal in other words, as Markdown, or say why that is impossible.

    Args:
        document: Where the procedure stands.
        procedure: With its checks.
        title: Of the new text.
        sentences: Its steps.
        where: New values of conditions of the first rule, by their path.
    """
    checks = _with_values(procedure, where)
    if isinstance(checks, str):
        return checks
    steps = [f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1)]
    return _standalone_draft(document, procedure, title, steps, checks)


def chain(
    sources: Sequence[tuple[Document, Procedure]], same_names: Mapping[str, str]
) -> Draft | str:
    """The steps of several procedures of one Markdown document as one; or why that cannot be.

    Args:
        sources: The procedures with their document, in order.
        same_names: Names in later procedures that mean what an earlier one made.
    """
    document = sources[0][0]
    if any(other is not document for other, _ in sources) or document.format != _MARKDOWN:
        return "only procedures of one Markdown document can be chained"
    procedures = [procedure for _, procedure in sources]
    merged = _merge_checks(
        [
            _rename_targets(procedure.checks, same_names) if index else procedure.checks
            for index, procedure in enumerate(procedures)
        ]
    )
    if isinstance(merged, str):
        return merged
    is_chinese = procedures[0].language == "zh"
    title = ("，然后" if is_chinese else ", then ").join(
        procedure.title
        if is_chinese or not index
        else procedure.title[:1].lower() + procedure.title[1:]
        for index, procedure in enumerate(procedures)
    )
    return _standalone_draft(
        document, procedures[0], title, list(_steps(document, procedures)), merged
    )


def _standalone_draft(
    document: Document, procedure: Procedure, title: str, steps: Sequence[str], checks: Checks
) -> Draft:
    """A Markdown document with nothing else in it."""
    return Draft(
        name=Path(document.path).with_suffix(".md").name,
        text="\n".join([f"# {document.title}", "", f"## {title}", "", *steps, ""]),
        key=title,
        rest="*",
        procedure=replace(procedure, checks=checks),
    )


def _with_values(procedure: Procedure, where: Mapping[str, str]) -> Checks | str:
    """The checks with other values in the first rule."""
    rule, *others = procedure.checks.expect
    if not where:
        return procedure.checks
    if not isinstance(rule, EventRule):
        return f"the first rule of {procedure.id} has alternatives: its values cannot be varied"
    known_paths = {
        condition.path for condition in rule.where if condition.comparison is Comparison.EQUALS
    }
    if unknown := set(where) - known_paths:
        return f"the first rule of {procedure.id} has no value at {sorted(unknown)[0]!r}"
    conditions = tuple(
        replace(condition, expected=(where[condition.path],))
        if condition.path in where
        else condition
        for condition in rule.where
    )
    return replace(procedure.checks, expect=(replace(rule, where=conditions), *others))


def _draft(document: Document, procedure: Procedure, lines: Sequence[str], checks: Checks) -> Draft:
    return Draft(
        name=Path(document.path).name,
        text="\n".join((*lines, "")),
        key=procedure.id.rsplit("/", 1)[-1],
        rest=procedure.id.partition("/")[2],
        procedure=replace(procedure, checks=checks),
    )


def _word_pattern(word: str) -> str:
    """A pattern for the word that is not a part of a longer one."""
    return rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])"


def _steps(document: Document, procedures: Sequence[Procedure]) -> Iterator[str]:
    """Their lines, numbered through."""
    starts = [
        (step.span.line, end)
        for procedure in procedures
        for step, end in zip(procedure.steps, _ends(procedure), strict=True)
    ]
    for number, (first, last) in enumerate(starts, 1):
        lines = document.lines[first - 1 : last]
        yield _NUMBER.sub(rf"\g<1>{number}\g<2>", lines[0])
        yield from lines[1:]


def _ends(procedure: Procedure) -> list[int]:
    """The last line of each step: a step goes on until the next one begins."""
    following = [step.span.line - 1 for step in procedure.steps[1:]]
    return [*following, procedure.steps[-1].span.end_line]


def _merge_checks(checks: Sequence[Checks]) -> Checks | str:
    bindings: dict[str, str] = {}
    for part in checks:
        for name, value in part.bindings.items():
            if bindings.setdefault(name, value) != value:
                return f"{name!r} stands for {bindings[name]!r} and for {value!r}"
    if len({part.account for part in checks}) > 1:
        return "the procedures want different accounts"
    needs: list[Need] = []
    existing_names: set[str] = set()
    for part in checks:
        needs += [need for need in part.needs if need.values.get("name") not in existing_names]
        existing_names |= {
            *part.bindings.values(),
            *(need.values.get("name", "") for need in part.needs),
        }
    expected_events = {rule.event for part in checks for rule in part.expected()}
    forbidden = (rule for part in checks for rule in part.forbid)
    return Checks(
        expect=tuple(rule for part in checks for rule in part.expect),
        # what one of them must not do at all another may be about
        forbid=tuple(rule for rule in forbidden if rule.where or rule.event not in expected_events),
        bindings=bindings,
        needs=tuple(needs),
        account=checks[0].account,
    )


def _rename_targets(checks: Checks, same_names: Mapping[str, str]) -> Checks:
    """With other names before `${unique}`."""

    def renamed(text: str) -> str:
        for old, name in same_names.items():
            text = re.sub(rf"\b{re.escape(old)}(?=[-_ ]\$\{{unique\}})", name, text)
        return text

    def rename_rule(rule: EventRule) -> EventRule:
        return replace(rule, where=tuple(map(rename_condition, rule.where)))

    def rename_condition(constraint: Constraint) -> Constraint:
        return replace(constraint, expected=tuple(map(renamed, constraint.expected)))

    return replace(
        checks,
        bindings={name: renamed(value) for name, value in checks.bindings.items()},
        needs=tuple(
            replace(n, values={k: renamed(v) for k, v in n.values.items()}) for n in checks.needs
        ),
        expect=tuple(
            rename_rule(one) if isinstance(one, EventRule) else one for one in checks.expect
        ),
        forbid=tuple(map(rename_rule, checks.forbid)),
    )
