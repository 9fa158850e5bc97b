"""The first screen: what is wrong, what was checked and what was not, side by side."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from appliance.core.claims import Claim, ClaimStatus
from appliance.core.result import Finding, RunResult
from appliance.reports import _wording as wording
from appliance.reports.catalogue import Words
from appliance.reports.sentences import spoken

_LINES = 4
"""Of each part: more are read further down."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A finding in one line."""

    anchor: str
    place: str
    quote: str
    now: str
    """What the console has instead; empty: nothing was suggested."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many statements are alike in something."""

    number: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """The three parts."""

    wrong: tuple[Wrong, ...]
    wrong_more: int
    checked: tuple[Share, ...]
    not_checked: tuple[Share, ...]


def glance(run: RunResult, anchors: Mapping[int, str], words: Words) -> Glance:
    """Of a run.

    Args:
        run: The run.
        anchors: Where its findings stand on the page, by their `id()`.
        words: In which language.
    """
    findings = [f for procedure in run.procedures for f in procedure.findings if f.is_sure]
    findings.sort(key=lambda f: (f.document, f.line, f.column))
    claims = [claim for procedure in run.procedures for claim in procedure.claims]
    open_ones = [claim for claim in claims if claim.status is ClaimStatus.NOT_CHECKED]
    checked_claims = [claim for claim in claims if claim.status is not ClaimStatus.NOT_CHECKED]
    return Glance(
        wrong=tuple(_wrong(f, anchors[id(f)]) for f in findings[:_LINES]),
        wrong_more=max(len(findings) - _LINES, 0),
        checked=_shares((words(f"claim.{claim.kind}") for claim in checked_claims), words),
        not_checked=_shares((_why(claim, words) for claim in open_ones), words),
    )


def _wrong(finding: Finding, anchor: str) -> Wrong:
    return Wrong(
        anchor,
        f"{finding.document}:{finding.line}",
        wording.without_markup(finding.quote),
        wording.without_markup(finding.suggestion or ""),
    )


def _why(claim: Claim, words: Words) -> str:
    """Reasons of which there are as many as labels are one: it was looked for, and not seen."""
    why = claim.reason
    return spoken(why, words.language) if '"' not in why else words("report.glance.not_seen")


def _shares(labels: Iterable[str], words: Words) -> tuple[Share, ...]:
    """The most frequent first, and the rest together."""
    counted = Counter(labels).most_common()
    remainder = sum(number for _, number in counted[_LINES:])
    shares = [Share(number, name) for name, number in counted[:_LINES]]
    return (*shares, Share(remainder, words("report.glance.other"))) if remainder else tuple(shares)
