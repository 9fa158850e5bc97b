"""Holds a run's result against labels made by hand."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Json = Mapping[str, Any]
_UNATTEMPTED = ("unreached",)


@dataclass
class Row:
    """What is said of one procedure."""

    id: str
    verdict: str
    steps: int
    attempted: int
    skipped: int
    audit: bool | None
    """What the audit log says; None where it was not asked or cannot tell."""
    blocked_by: str | None
    acceptable: list[str]
    found: list[str] = field(default_factory=list)
    """Labelled untruths that were found, as `line quote`."""
    missed: list[str] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)
    """Findings without a label: to be looked at by hand."""

    @property
    def ran_through(self) -> bool:
        """Whether every step was attempted, and there was something to attempt."""
        return self.verdict != "blocked" and self.skipped < self.steps == self.attempted


def score(result: Json, labels: Json) -> dict[str, Any]:
    """Rows and totals."""
    rows = [_row(p, labels["procedures"].get(_short(p["id"]), {})) for p in result["procedures"]]
    labelled = labels["procedures"].items()
    examples = {key for key, label in labelled if label.get("acceptable_verdicts")}
    return {
        "totals": _totals(rows, examples, labels),
        "procedures": [asdict(row) | {"ran_through": row.ran_through} for row in rows],
    }


def _totals(rows: Sequence[Row], examples: set[str], labels: Json) -> dict[str, Any]:
    judged = [row for row in rows if _short(row.id) in examples]
    sure = _sure_untruths(labels, {_short(row.id) for row in judged})
    found = {(_short(row.id), text) for row in judged for text in row.found}
    return {
        "procedures": len(rows),
        "verdicts": dict(Counter(row.verdict for row in rows)),
        "ran_through": sum(row.ran_through for row in rows),
        "verified_with_audit": sum(r.verdict == "verified" and r.audit is True for r in rows),
        "findings": sum(len(row.found) + len(row.unlabelled) for row in rows),
        "findings_labelled": sum(len(row.found) for row in rows),
        "findings_unlabelled": sum(len(row.unlabelled) for row in rows),
        "examples": len(judged),
        "examples_right": sum(row.verdict in row.acceptable for row in judged),
        "example_untruths": sum(len(row.found) + len(row.missed) for row in judged),
        "example_untruths_found": len(found),
        "example_untruths_sure": len(sure),
        "example_untruths_sure_found": len(sure & found),
    }


def _sure_untruths(labels: Json, keys: set[str]) -> set[tuple[str, str]]:
    return {
        (key, _named(untruth))
        for key in keys
        for untruth in labels["procedures"][key]["untruths"]
        if not untruth.get("disputable")
    }


def _row(procedure: Json, label: Json) -> Row:
    steps = procedure["steps"]
    audit = [c["reached"] for c in procedure["goal"]["channels"] if c["channel"] == "audit"]
    row = Row(
        id=procedure["id"],
        verdict=procedure["verdict"],
        steps=len(steps),
        attempted=sum(step["status"] not in _UNATTEMPTED for step in steps),
        skipped=sum(step["status"] == "skipped" for step in steps),
        audit=audit[0] if audit else None,
        blocked_by=procedure.get("blocked_by"),
        acceptable=list(label.get("acceptable_verdicts", [])),
    )
    left = list(label.get("untruths", []))
    for finding in procedure["findings"]:
        untruth = next((u for u in left if _is_about(finding, u)), None)
        if untruth is None:
            row.unlabelled.append(
                f"{finding['line']} {finding['kind']}: {finding['quote']} -> {finding['shown']}"
            )
        else:
            left.remove(untruth)
            row.found.append(_named(untruth))
    row.missed = [_named(untruth) for untruth in left]
    return row


def _is_about(finding: Json, untruth: Json) -> bool:
    """On the same line, and with the same words, or some of them and of the same kind."""
    if finding["line"] != untruth["line"]:
        return False
    ours, theirs = _words(finding["quote"]), _words(untruth["quote"])
    if not ours or not theirs or " ".join(ours) == " ".join(theirs):
        return True
    return set(ours) <= set(theirs) or set(theirs) <= set(ours)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r":\w+:", " ", text.casefold()))


def _named(untruth: Json) -> str:
    return f"{untruth['line']} {untruth['quote']}"


def _short(procedure_id: str) -> str:
    """The id from its `user/` or `admin/` on."""
    match = re.search(r"(?:^|/)((?:user|admin)/.*)$", procedure_id)
    return match.group(1) if match else procedure_id
