"""Holds what the appliance says of a procedure against its label and the witness."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from appliance.core.verdict import Basis, DivergenceKind, PolicyName, Severity, StepStatus
from appliance.verification import Label as LabelledFinding
from appliance.verification import LabelSource, Signs, fit_of
from tests.zoo.console import Content
from tests.zoo.labels import Label, Must, Untruth

Json = Mapping[str, Any]  # Any: a result as `verify --json` prints it
CARRIED_OUT = ("as_written", "diverged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the witness saw during one procedure: by kind, the names of things."""

    made: frozenset[tuple[str, str]] = frozenset()
    changed: frozenset[tuple[str, str]] = frozenset()
    """Also what was changed back later."""
    gone: frozenset[tuple[str, str]] = frozenset()
    """Also what came back later."""
    left: frozenset[tuple[str, str]] = frozenset()
    """Made, and there at the end."""


def seen_in(samples: Sequence[Content]) -> Seen:
    """From what existed at each look, the first of them before anything was done."""
    before, after = _flat(samples[0]), _flat(samples[-1])
    looks = [_flat(sample) for sample in samples[1:]]
    return Seen(
        made=frozenset(key for look in looks for key in look if key not in before),
        changed=frozenset(
            key for look in looks for key in look if key in before and look[key] != before[key]
        ),
        gone=frozenset(key for look in looks for key in before if key not in look),
        left=frozenset(key for key in after if key not in before),
    )


def _flat(content: Content) -> dict[tuple[str, str], str]:
    return {(kind, name): state for kind, of in content.items() for name, state in of.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What came of one labelled procedure."""

    document: str
    line: int
    title: str
    acceptable: tuple[str, ...]
    verdict: str
    """Empty where the appliance found no such procedure."""
    is_right: bool
    """The right verdict, for the right reason."""
    why: str
    """What the appliance itself says of why it came to nothing."""
    steps: int
    steps_done: int
    found: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    """Misleading sentences that were not found; not those on which careful people differ."""
    false: tuple[str, ...] = ()
    wrongly_touched: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    witness: bool | None = None
    """Whether the witness saw what must happen; None where it can't tell."""
    is_true: bool
    """Whether nothing in it is untrue."""
    took_s: float = 0.0


def row_of(label: Label, result: Json | None, seen: Seen, took_s: float = 0.0) -> Row:
    """Scores one procedure."""
    findings = list(result["findings"]) if result else []
    found, false, missed = _sorted(findings, label.untrue)
    witness = all(_was_seen(must, seen) for must in label.must) if label.must else None
    verdict = result["verdict"] if result else ""
    allowed = {(kind, name) for each in label.touches for kind, name in each.items()}
    named = {(m.changed or m.gone, m.name) for m in label.must if m.changed or m.gone}
    touched = {
        key
        for key in seen.changed | seen.gone
        if key not in allowed and key not in named and (key[0], "") not in named
    }
    is_right = verdict in label.verdicts and not false and not touched
    if any(u.must_be_found for u in label.untrue):
        is_right = is_right and any(_is_about(f, u) for f in findings for u in label.untrue)
    if verdict in ("verified", "drifted"):
        is_right = is_right and witness is not False
    steps = result["steps"] if result else []
    done = sum(step["status"] in CARRIED_OUT for step in steps)
    return Row(
        document=label.document,
        line=label.line,
        title=label.title,
        acceptable=tuple(label.verdicts),
        verdict=verdict,
        is_right=is_right,
        why=_why(result),
        steps=label.steps,
        steps_done=min(done, label.steps),
        found=found,
        missed=missed,
        false=false,
        wrongly_touched=_names(touched),
        left=_names(seen.left),
        witness=witness,
        is_true=not label.untrue,
        took_s=round(took_s, 1),
    )


def _sorted(
    findings: Iterable[Json], untrue: Sequence[Untruth]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    found, false, left = [], [], list(untrue)
    for finding in findings:
        said = f"{finding['line']} {finding['kind']}: {finding['quote']} -> {finding['shown']}"
        if any(_is_about(finding, each) for each in untrue):
            found.append(said)
            left = [each for each in left if not _is_about(finding, each)]
        else:
            false.append(said)
    missed = [f"{each.line} {each.quote}" for each in left if each.must_be_found]
    return tuple(found), tuple(false), tuple(missed)


def labels_in(label: Label, result: Json) -> Iterator[LabelledFinding]:
    """Its findings with whether they are true, for `appliance finding calibrate`."""
    goals = {True: "reached", False: "not_reached", None: "unknown"}
    for finding in result["findings"]:
        is_true = any(_is_about(finding, each) for each in label.untrue)
        yield LabelledFinding(
            signs=Signs(
                basis=Basis(finding["basis"]),
                kind=DivergenceKind(finding["kind"]),
                severity=Severity(finding["severity"]),
                policy=PolicyName(result["decided_by"] or "literal"),
                goal=goals[result["goal"]["reached"]],
                has_picture=any(each["kind"] == "before" for each in finding["evidence"]),
                has_suggestion=finding["suggestion"] is not None,
                is_adapted=False,
                fit=fit_of(StepStatus(step["status"]) for step in result["steps"]),
            ),
            document=label.document,
            source=LabelSource.ZOO,
            true=int(is_true),
            false=int(not is_true),
        )


def _is_about(finding: Json, untruth: Untruth) -> bool:
    """On the same line, of a kind that fits, and with words in common."""
    if finding["line"] != untruth.line or finding["kind"] not in untruth.kinds:
        return False
    ours, theirs = _words(untruth.quote), _words(finding["quote"])
    return not ours or not theirs or ours <= theirs or theirs <= ours


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", re.sub(r":\w+:", " ", text.casefold())))


def _was_seen(must: Must, seen: Seen) -> bool:
    for kind, keys in (
        (must.made, seen.made),
        (must.changed, seen.changed),
        (must.gone, seen.gone),
    ):
        if kind:
            names = [name for other, name in keys if other == kind]
            made = must.made and any(name.startswith(f"{must.name}-") for name in names)
            return bool(made) or (must.name in names if must.name else bool(names))
    return False


def _names(keys: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(sorted(f"{kind} {name}" for kind, name in keys))


def _why(result: Json | None) -> str:
    """One line, in the appliance's own words."""
    if result is None:
        return "it found no such procedure"
    notes = [
        f"step {step['index']} {step['status']}{': ' + step['note'] if step['note'] else ''}"
        for step in result["steps"]
        if step["status"] not in CARRIED_OUT
    ]
    reasons = (result.get("blocked_by") or "", *notes[:2])
    return "; ".join(reason.splitlines()[0] for reason in reasons if reason)


@dataclass(slots=True, kw_only=True)
class Totals:
    """Sums over rows."""

    procedures: int = 0
    right: int = 0
    steps: int = 0
    steps_done: int = 0
    findings: int = 0
    findings_false: int = 0
    false_on_true: int = 0
    """False findings on procedures in which nothing is untrue."""
    untrue: int = 0
    """Misleading sentences on which careful people agree."""
    untrue_found: int = 0
    left: int = 0
    wrongly_touched: int = 0
    cannot: int = 0
    took_s: float = 0.0
    verdicts: dict[str, int] = field(default_factory=dict)

    def add(self, row: Row, untrue: int) -> None:
        """One more."""
        self.procedures += 1
        self.right += row.is_right
        self.steps += row.steps
        self.steps_done += row.steps_done
        self.findings += len(row.found) + len(row.false)
        self.findings_false += len(row.false)
        self.false_on_true += len(row.false) if row.is_true else 0
        self.untrue += untrue
        self.untrue_found += untrue - len(row.missed)
        self.left += len(row.left)
        self.wrongly_touched += len(row.wrongly_touched)
        self.took_s = round(self.took_s + row.took_s, 1)
        self.verdicts[row.verdict or "not found"] = (
            self.verdicts.get(row.verdict or "not found", 0) + 1
        )


def sum_of(totals: Iterable[Totals]) -> Totals:
    """All together."""
    whole = Totals()
    for each in totals:
        for one in fields(Totals):
            value = getattr(each, one.name)
            if isinstance(value, dict):
                for key, number in value.items():
                    whole.verdicts[key] = whole.verdicts.get(key, 0) + number
            else:
                setattr(whole, one.name, getattr(whole, one.name) + value)
    return whole
