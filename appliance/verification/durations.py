"""Compares durations in the text with the clock; only gross overstatements become findings.

An attempt is over within seconds or minutes, and what it saw come true has not taken longer. How
long it takes elsewhere nobody knows: a text that is right within a factor of ten is left alone.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from appliance.core.claims import Claim, ClaimKind, ClaimStatus
from appliance.core.page import TextBlock, TextKind
from appliance.core.procedure import Document, Procedure, Sentence, prose_of
from appliance.core.result import Evidence, Finding
from appliance.core.source import Span, overlap
from appliance.core.verdict import Basis, DivergenceKind, EvidenceKind, Severity
from appliance.language.names import words
from appliance.policy.base import Divergence
from appliance.verification.case import JudgedAttempt
from appliance.verification.claims import claims_of
from appliance.verification.findings import make_finding

_SECONDS = {
    "second": 1, "秒": 1, "minute": 60, "分钟": 60, "hour": 3600, "小时": 3600, "day": 86400,
    "天": 86400, "日": 86400, "week": 604800, "周": 604800, "month": 2592000, "个月": 2592000,
}  # fmt: skip
_NUMBERS = {
    "half a": 0.5, "half an": 0.5, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "fifteen": 15,
    "twenty": 20, "thirty": 30, "forty": 40, "sixty": 60, "ninety": 90, "a few": 3, "several": 3,
    "半": 0.5, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8,
    "九": 9, "十": 10, "二十": 20, "三十": 30, "几": 3, "数": 3,
}  # fmt: skip
_NUMBER = rf"\d+(?:\.\d+)?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
_ABOUT = r"(?:about |around |approximately |roughly |at least |more than |over |another )?"
_TIME = (
    rf"{_ABOUT}(?P<n>{_NUMBER})(?: ?(?:to|or|[-–]) ?(?:{_NUMBER}))?[ -]"
    r"(?P<unit>second|minute|hour|day|week|month)s?\b"
)
_TIME_ZH = (
    rf"(?:大约|约|大概|至少|超过)?\s*(?P<nzh>{_NUMBER})\s*(?:[到至~-]\s*(?:{_NUMBER})\s*)?个?"
    r"(?P<uzh>秒|分钟|小时|天|日|周|个月)"
)
_TAKES = re.compile(
    r"^\W*(?P<what>this|it|the (?:operation|process|action|change|task|procedure)"
    r"|[a-z]+ing\b[^,;.]*?)"
    rf" (?:takes|needs) {_TIME}"
    rf"|^\W*(?P<zh>[^，；。]{{0,12}}?)(?:大约|约|大概|一般)?需要?(?:耗时|花费|等待)?{_TIME_ZH}",
    re.IGNORECASE,
)
_AFTER = re.compile(rf"\b(?:after|in) {_TIME}|{_TIME_ZH}(?:之?后|左右)", re.IGNORECASE)
_THIS_ZH = re.compile(r"(?:该|此|本|这一|整个)?(?:操作|过程|任务|变更|修改)")
_DELAYED = re.compile(
    rf"\b(?:takes?|comes? into) effect (?:only )?"
    rf"(?:after {_TIME}|(?:on )?the (?:next|following) day|tomorrow)"
    rf"|(?:次日|第二天|隔天|{_TIME_ZH}后)(?:才)?生效",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"\b(?:takes?|comes? into|in) (?:effect|force) (?:at once|immediately|instantly|right away)"
    r"|\b(?:at once|immediately|instantly)\b[^.;]*\b(?:in|into) (?:effect|force)\b"
    r"|\bappl(?:y|ies|ied) (?:[a-z]+ ){0,4}(?:at once|immediately|instantly)"
    r"|(?:立即|即时|马上|立刻)生效",
    re.IGNORECASE,
)
_MIN_FACTOR = 10
"""A stated duration is reported if it is at least this many times the measured one."""
_BOUNDS = ((60, "within a minute"), (600, "within ten minutes"), (math.inf, "within an hour"))
"""Coarse bounds in seconds, so that a finding reads the same however busy the machine is."""


class _StatedDuration(NamedTuple):
    sentence: Sentence
    least_s: float
    is_of_all: bool
    """Whether it is about the whole procedure, and not a state that the sentence names."""


def duration_findings(
    document: Document, procedure: Procedure, attempts: Sequence[JudgedAttempt]
) -> Iterator[Finding]:
    """Findings for what every attempt completed in a fraction of the stated time.

    Args:
        document: For the words in the source.
        procedure: Whose sentences are meant.
        attempts: All that ended by themselves.
    """
    if not attempts or not all(attempt.goal.reached for attempt in attempts):
        return
    took_s = max(_took_s(attempt) for attempt in attempts)
    bound_s, within = next(step for step in _BOUNDS if took_s < step[0])
    least_s = max(_MIN_FACTOR * took_s, 2 * bound_s)
    overstated = [duration for duration in _durations(procedure) if duration.least_s >= least_s]
    claims = [claims_of(procedure, attempt.trajectory, ()) for attempt in attempts if overstated]
    for duration in overstated:
        if all(_is_confirmed(duration, procedure, attempt_claims) for attempt_claims in claims):
            shown = f"it was over {within}"
            text = f"the whole attempt took {took_s:.0f} s"
            yield _finding(document, procedure, attempts, duration.sentence, shown, text)
    for sentence in prose_of(procedure):
        notices = [_immediate_effect_notice(attempt) for attempt in attempts]
        if notices[-1] is not None and all(notices) and _DELAYED.search(sentence.text):
            shown = f'the page says "{notices[-1].text}"'
            yield _finding(document, procedure, attempts, sentence, shown, notices[-1].text)


def _took_s(attempt: JudgedAttempt) -> float:
    """Seconds from the first observation to the last."""
    trajectory = attempt.trajectory
    return trajectory.browser_s + trajectory.waited_s + trajectory.spent.model_s


def _durations(procedure: Procedure) -> Iterator[_StatedDuration]:
    for sentence in prose_of(procedure):
        takes = _TAKES.search(sentence.text)
        if takes is not None and _is_procedure(takes, procedure.title):
            yield _StatedDuration(sentence, _seconds(takes), is_of_all=True)
        elif after := _AFTER.search(sentence.text):
            yield _StatedDuration(sentence, _seconds(after), is_of_all=False)


def _is_procedure(match: re.Match[str], title: str) -> bool:
    """Whether the subject is the procedure itself: "This", "Restarting"."""
    subject_en = match.group("what")
    if subject_en is None:
        subject = match.group("zh").strip()
        return bool(_THIS_ZH.fullmatch(subject)) or bool(subject and subject in title)
    if not subject_en.casefold().split()[0].endswith("ing"):
        return True
    stem = subject_en.casefold().split()[0].removesuffix("ing")
    others = words(subject_en) - {subject_en.casefold().split()[0]}
    return any(_is_stem(stem, word) for word in words(title)) and others <= words(title) | _ARTICLES


_ARTICLES = frozenset({"a", "an", "the", "your", "its", "this", "it"})


def _is_stem(stem: str, word: str) -> bool:
    return word in (stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem)


def _seconds(match: re.Match[str]) -> float:
    number, unit = match.group("n") or match.group("nzh"), match.group("unit") or match.group("uzh")
    count = _NUMBERS.get(number.casefold())
    return (float(number) if count is None else count) * _SECONDS[unit.casefold()]


def _is_confirmed(duration: _StatedDuration, procedure: Procedure, claims: Sequence[Claim]) -> bool:
    """Whether the expected outcome was seen: the last state in the sentence or the results.

    Those before it may have passed while nobody looked.
    """
    result_sentences = (duration.sentence,) if not duration.is_of_all else procedure.results
    sentence_texts = {sentence.text for sentence in result_sentences}  # of what nobody read
    states = [
        claim
        for claim in claims
        if claim.kind is ClaimKind.STATE and claim.text not in sentence_texts
        and _overlaps_any(claim, [end.span for end in result_sentences])
    ]  # fmt: skip
    is_uncontradicted = all(claim.status is not ClaimStatus.CONTRADICTED for claim in states)
    return bool(states) and is_uncontradicted and states[-1].status is ClaimStatus.CONFIRMED


def _overlaps_any(claim: Claim, spans: Sequence[Span]) -> bool:
    claim_span = Span("", claim.line, claim.column, claim.end_line, claim.end_column)
    return any(overlap(span, claim_span) for span in spans)


def _immediate_effect_notice(attempt: JudgedAttempt) -> TextBlock | None:
    """The latest notice or dialog text that says a change takes effect at once."""
    return next(
        (
            text
            for turn in reversed(attempt.trajectory.turns)
            for text in turn.view.texts
            if (text.kind is TextKind.NOTICE or text.dialog is not None)
            and _AT_ONCE.search(text.text)
        ),
        None,
    )


def _finding(
    document: Document,
    procedure: Procedure,
    attempts: Sequence[JudgedAttempt],
    sentence: Sentence,
    shown: str,
    evidence: str,
) -> Finding:
    divergence = Divergence(
        kind=DivergenceKind.WRONG_RESULT,
        severity=Severity.MISLEADS,
        basis=Basis.READ,
        span=sentence.span,
        quote=sentence.text,
        shown=shown,
    )
    trajectory_evidence = Evidence(
        kind=EvidenceKind.TRAJECTORY, caption="the whole attempt", text=evidence
    )
    unique = [attempt.task.unique for attempt in attempts]
    return make_finding(document, procedure, divergence, (trajectory_evidence,), unique)
