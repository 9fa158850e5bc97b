"""Findings of which somebody knows whether they are true."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from appliance.core.verdict import Basis, DivergenceKind, PolicyName, Severity
from appliance.store.incident import Confirmation
from appliance.store.incidents import DecidedFinding
from appliance.verification.confidence.logistic import Prior, Row
from appliance.verification.confidence.signs import Signs, history_of


class LabelSource(StrEnum):
    """Who knows."""

    DRIFT = "drift"  # `appliance bench drift`
    INVENTED = "invented"  # `appliance bench invented`
    ZOO = "zoo"  # `scripts/zoo check`: consoles without an adapter, labelled by hand
    TRIAGE = "triage"  # people who looked


class Label(BaseModel):
    """Findings with the same signs in one document, and how many of them are true."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    signs: Signs
    document: str
    """Name of the file that they are about."""
    source: LabelSource
    true: int
    false: int


def triage_labels(decided: Sequence[DecidedFinding], adapted: Container[str]) -> Iterator[Label]:
    """What people said of findings; what they said of the others of a kind is a sign of each.

    Args:
        decided: The findings.
        adapted: Names of the consoles that an adapter knows.
    """
    counts = Counter(
        (decision.console, decision.finding.kind, decision.is_true) for decision in decided
    )
    for decision in decided:
        finding = decision.finding
        others = Confirmation(
            counts[decision.console, finding.kind, True] - decision.is_true,
            counts[decision.console, finding.kind, False] - (not decision.is_true),
        )
        yield Label(
            signs=Signs.of_result(
                finding, decision.result, history_of(others), is_adapted=decision.console in adapted
            ),
            document=Path(finding.document).name,
            source=LabelSource.TRIAGE,
            true=int(decision.is_true),
            false=int(not decision.is_true),
        )


class LabelCount(NamedTuple):
    """How many of a kind there are."""

    name: str
    true: int
    false: int


def together(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Like ones as one, in an order that does not depend on that of the labels."""
    counts = defaultdict[tuple[Signs, str, LabelSource], list[int]](lambda: [0, 0])
    for label in labels:
        count = counts[label.signs, label.document, label.source]
        count[0] += label.true
        count[1] += label.false
    return tuple(
        sorted(
            (
                Label(signs=signs, document=document, source=source, true=true, false=false)
                for (signs, document, source), (true, false) in counts.items()
            ),
            key=lambda label: (label.document, label.source, label.signs.model_dump_json()),
        )
    )


def counts_by_kind(labels: Iterable[Label]) -> tuple[LabelCount, ...]:
    """Of every kind that there is, also those of which nobody knows anything."""
    true, false = Counter[DivergenceKind](), Counter[DivergenceKind]()
    for label in labels:
        true[label.signs.kind] += label.true
        false[label.signs.kind] += label.false
    return tuple(LabelCount(kind, true[kind], false[kind]) for kind in DivergenceKind)


_ALWAYS = Prior(1.5, 1.5)
"""Of findings in general: four of five are true, and it may well be otherwise."""
_WIDE = Prior(0.0, 1.0)
_BASES = {Basis.QUOTED: Prior(-5.0, 1.0), Basis.GUESS: Prior(-1.0, 1.0), Basis.TOLD: Prior(-0.5, 1)}
"""What is less than measured is less believed until labels say otherwise: a model's quote alone,
what only resembles the words, a model's word without anything on the page."""
_UNADAPTED, _FIT = Prior(-1.0, 1.0), Prior(1.5, 1.0)
"""Without an adapter: of 32 findings on seven consoles that nobody had looked at before they were
measured, 6 were true; a procedure of which nothing else went as written is to be doubted most."""
_TOLD = Prior(0.5, 0.5)
"""What people said of others of the kind is believed by half before it has proved to be so."""


def names() -> tuple[str, ...]:
    """What each number of `encoded` stands for."""
    return tuple(name for name, _ in _signs())


def priors() -> list[Prior]:
    """What is believed of the weight of each."""
    return [prior for _, prior in _signs()]


def encoded(signs: Signs) -> list[float]:
    """The signs as numbers."""
    # A model that reached the goal has understood the text, however little of it is true.
    is_understood = signs.policy is PolicyName.MODEL and signs.goal == "reached"
    numbers = {
        "always": 1.0,
        f"basis={signs.basis}": 1.0,
        f"kind={signs.kind}": 1.0,
        f"severity={signs.severity}": 1.0,
        f"policy={signs.policy}": 1.0,
        f"goal={signs.goal}": 1.0,
        "picture": float(signs.has_picture),
        "suggestion": float(signs.has_suggestion),
        "history": signs.history,
        "unadapted": float(not signs.is_adapted),
        "fit": 0.0 if is_understood else signs.fit,
    }
    return [numbers.get(name, 0.0) for name in names()]


_POLICIES = (PolicyName.REPLAY, PolicyName.LITERAL, PolicyName.MODEL)
"""Those whose findings are shown to anybody."""


@cache
def _signs() -> tuple[tuple[str, Prior], ...]:
    of_signs = [("always", _ALWAYS)]
    of_signs += [(f"basis={basis}", _BASES.get(basis, _WIDE)) for basis in Basis]
    of_signs += [(f"kind={kind}", _WIDE) for kind in DivergenceKind]
    of_signs += [(f"severity={severity}", Prior(0.0, 0.5)) for severity in Severity]
    of_signs += [(f"policy={policy}", Prior(0.0, 0.5)) for policy in _POLICIES]
    of_signs += [
        (f"goal={goal}", Prior(0.0, 0.5)) for goal in ("reached", "not_reached", "unknown")
    ]
    return (
        *of_signs,
        ("picture", Prior(0.0, 0.5)),
        ("suggestion", Prior(0.0, 0.5)),
        ("history", _TOLD),
        ("unadapted", _UNADAPTED),
        ("fit", _FIT),
    )


_MORE = 0.5


def rows_of(labels: Sequence[Label]) -> list[Row]:
    """The labels as numbers, as though a half true and a half false more were known of each kind.

    False ones are rare, and in some kinds there is none: without those halves (the rule of
    Krichevsky and Trofimov, 1981) a kind of which three true ones are known would be taken for
    certain. They are spread over the kind's labels.
    """
    counts = {label.name: label.true + label.false for label in counts_by_kind(labels)}
    rows = defaultdict[tuple[float, ...], list[float]](lambda: [0.0, 0.0])
    for label in labels:
        more = _MORE * (label.true + label.false) / counts[label.signs.kind]
        row = rows[tuple(encoded(label.signs))]
        row[0] += label.true + more
        row[1] += label.false + more
    return [Row(signs, true, false) for signs, (true, false) in sorted(rows.items())]
