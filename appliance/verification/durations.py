"""How long it takes, by the text, and by the clock: only what is said much too long is told.

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
_ANY = rf"\d+(?:\.\d+)?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
_ABOUT = r"(?:about |around |approximately |roughly |at least |more than |over |another )?"
_TIME = (
    rf"{_ABOUT}(?P<n>{_ANY})(?: ?(?:to|or|[-–]) ?(?:{_ANY}))?[ -]"
    r"(?P<unit>second|minute|hour|day|week|month)s?\b"
)
_TIME_ZH = (
    rf"(?:大约|约|大概|至少|超过)?\s*(?P<nzh>{_ANY})\s*(?:[到至~-]\s*(?:{_ANY})\s*)?个?"
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
_TIMES = 10
"""So many times longer than it took, at least, is what is told."""


class _Said(NamedTuple):
    sentence: Sentence
    least_s: float
    is_of_all: bool
    """Whether it is said of the procedure; else of the state that the sentence names."""


def duration_findings(
    document: Document, procedure: Procedure, attempts: Sequence[JudgedAttempt]
) -> Iterator[Finding]:
    """What each attempt saw come true in a fraction of the time that the text says.

    Args:
        document: For the words in the source.
        procedure: Whose sentences are meant.
        attempts: All that ended by themselves.
    """
    if not attempts or not all(attempt.goal.reached for attempt in attempts):
        return
    took_s = max(_took_s(attempt) for attempt in attempts)
    claims = [claims_of(procedure, attempt.trajectory, ()) for attempt in attempts]
    for said in _durations(procedure):
        if said.least_s >= _TIMES * took_s and all(_is_seen(said, procedure, c) for c in claims):
            shown = f"it was over {_within(took_s)}"
            text = f"the whole attempt took {took_s:.0f} s"
            yield _finding(document, procedure, attempts, said.sentence, shown, text)
    for sentence in prose_of(procedure):
        told = [_told_at_once(attempt) for attempt in attempts]
        if told[-1] is not None and all(told) and _DELAYED.search(sentence.text):
            shown = f'the page says "{told[-1].text}"'
            yield _finding(document, procedure, attempts, sentence, shown, told[-1].text)


def _took_s(attempt: JudgedAttempt) -> float:
    """By the clock, from the first look to the last."""
    trajectory = attempt.trajectory
    return trajectory.browser_s + trajectory.waited_s + trajectory.spent.model_s


def _durations(procedure: Procedure) -> Iterator[_Said]:
    for sentence in prose_of(procedure):
        takes = _TAKES.search(sentence.text)
        if takes is not None and _is_procedure(takes, procedure.title):
            yield _Said(sentence, _seconds(takes), is_of_all=True)
        elif after := _AFTER.search(sentence.text):
            yield _Said(sentence, _seconds(after), is_of_all=False)


def _is_procedure(said: re.Match[str], title: str) -> bool:
    """Whether what takes so long is what the text is about: "This", "Restarting"."""
    what = said.group("what")
    if what is None:
        subject = said.group("zh").strip()
        return bool(_THIS_ZH.fullmatch(subject)) or bool(subject and subject in title)
    if not what.casefold().split()[0].endswith("ing"):
        return True
    stem = what.casefold().split()[0].removesuffix("ing")
    others = words(what) - {what.casefold().split()[0]}
    return any(_is_stem(stem, word) for word in words(title)) and others <= words(title) | _ARTICLES


_ARTICLES = frozenset({"a", "an", "the", "your", "its", "this", "it"})


def _is_stem(stem: str, word: str) -> bool:
    return word in (stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem)


def _seconds(said: re.Match[str]) -> float:
    number, unit = said.group("n") or said.group("nzh"), said.group("unit") or said.group("uzh")
    count = _NUMBERS.get(number.casefold())
    return (float(number) if count is None else count) * _SECONDS[unit.casefold()]


def _is_seen(said: _Said, procedure: Procedure, claims: Sequence[Claim]) -> bool:
    """Whether what was to come was seen: the last state that the sentence, or the result, names.

    Those before it may have passed while nobody looked.
    """
    ends = (said.sentence,) if not said.is_of_all else procedure.results
    wholes = {sentence.text for sentence in ends}  # of what nobody read
    states = [
        claim
        for claim in claims
        if claim.kind is ClaimKind.STATE and claim.text not in wholes
        and _is_in(claim, [end.span for end in ends])
    ]  # fmt: skip
    is_true = all(claim.status is not ClaimStatus.CONTRADICTED for claim in states)
    return bool(states) and is_true and states[-1].status is ClaimStatus.CONFIRMED


def _is_in(claim: Claim, spans: Sequence[Span]) -> bool:
    at = Span("", claim.line, claim.column, claim.end_line, claim.end_column)
    return any(overlap(span, at) for span in spans)


def _within(took_s: float) -> str:
    """In steps: the same thing is said each time, whatever else the machine has to do."""
    return next(words for most_s, words in _STEPS if took_s < most_s)


_STEPS = ((60, "within a minute"), (600, "within ten minutes"), (math.inf, "within an hour"))
"""An attempt never takes longer."""


def _told_at_once(attempt: JudgedAttempt) -> TextBlock | None:
    """What a message or dialog of the console says of it."""
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
    seen = Evidence(kind=EvidenceKind.TRAJECTORY, caption="the whole attempt", text=evidence)
    unique = [attempt.task.unique for attempt in attempts]
    return make_finding(document, procedure, divergence, (seen,), unique)
