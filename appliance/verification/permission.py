"""Who may do it, by the text, and who did it: the backend's own log says that it was done."""

import re
from collections.abc import Iterator, Sequence

from appliance.core.procedure import Document, Note, Procedure, Sentence, prose_of
from appliance.core.result import Evidence, Finding
from appliance.core.verdict import Basis, DivergenceKind, EvidenceKind, GoalChannel, Severity
from appliance.language.names import words
from appliance.policy.base import Divergence
from appliance.verification.case import JudgedAttempt
from appliance.verification.findings import make_finding

_FEW = (
    r"\W*only (?:the |an? )?(?:[a-z]+ )?(?:administrators?|admins?|owners?|root)(?: of the [a-z]+)?"
    r" (?:can|may|(?:is|are) (?:allowed|able|permitted) to) "
)
_FEW_ZH = (
    r"\W*(?:只有|仅)[\u4e00-\u9fff]{0,6}(?:管理员|所有者|主账号|主账户)"
    r"(?:才|方)?(?:可以?|能够?|有权)"
)
_ONLY = re.compile(
    rf"{_FEW}(?P<what>[^,;.]+?)\W*$|{_FEW_ZH}(?P<zh>[^，；。,;]+?)\W*$", re.IGNORECASE
)
_THIS = re.compile(
    rf"{_FEW}(?:do (?:this|so)|perform this (?:operation|task|procedure|action))\W*$"
    r"|\W*(?:ordinary |other |normal )?(?:members|users)(?: of the [a-z]+)?"
    r" (?:cannot|can't|may not) do (?:this|so)\b"
    r"|(?:"
    + _FEW_ZH
    + r"|\W*普通(?:成员|用户)(?:无法|不能|不可以?|无权))(?:执行|进行)(?:此|该|这一)操作",
    re.IGNORECASE,
)
"""Of what the text is about."""
_PRIVILEGED = re.compile(r"admin|owner|root|super|manager|管理|所有者|主账号", re.IGNORECASE)
_ARTICLES = frozenset({"a", "an", "the", "your", "its", "of", "s"})


def permission_findings(
    document: Document, procedure: Procedure, attempts: Sequence[JudgedAttempt]
) -> Iterator[Finding]:
    """Where the text leaves to few what a lesser account did each time, by the audit log.

    Args:
        document: For the words in the source.
        procedure: What was done is what its title says: the sentence must be of nothing else.
        attempts: All that ended by themselves.
    """
    roles = [attempt.account.settings.role for attempt in attempts if _is_logged(attempt)]
    is_lesser = all(role and not _PRIVILEGED.search(role) for role in roles)
    if not roles or len(roles) < len(attempts) or not is_lesser:
        return
    last = attempts[-1]
    about = list(_about_the_procedure(procedure))
    for sentence in prose_of(procedure):
        if _is_of(sentence, procedure.title, is_about=sentence in about):
            divergence = Divergence(
                kind=DivergenceKind.PERMISSION,
                severity=Severity.MISLEADS,
                basis=Basis.READ,
                span=sentence.span,
                quote=sentence.text,
                shown=f'an account with the role "{roles[-1]}" did it',
                suggestion=None,
                step="",
            )
            logged = "; ".join(c.reason for c in last.channels if c.channel is GoalChannel.AUDIT)
            evidence = Evidence(kind=EvidenceKind.AUDIT, caption="the audit log", text=logged)
            unique = [attempt.task.unique for attempt in attempts]
            yield make_finding(document, procedure, divergence, (evidence,), unique)


def _is_logged(attempt: JudgedAttempt) -> bool:
    return any(c.channel is GoalChannel.AUDIT and c.reached for c in attempt.channels)


def _about_the_procedure(procedure: Procedure) -> Iterator[Sentence]:
    """The sentences in which "this" is what the procedure does.

    It means what the sentence before is about: nothing that may be done besides, or instead.
    """
    notes = [part for step in procedure.walk() for part in step.body if isinstance(part, Note)]
    steps = [
        [part for part in step.body if isinstance(part, Sentence)] for step in procedure.walk()
    ]
    around = (procedure.introduction, procedure.results, procedure.remarks)
    for text in (*around, *(note.sentences for note in notes), *steps):
        for before, sentence in zip((None, *text), text, strict=False):
            if before is None or not _BESIDES.search(before.text):
                yield sentence


_BESIDES = re.compile(
    r"\b(?:can|could|may|might|also|if|unless|when|whenever|instead|another|other|optional(?:ly)?)\b"
    r"|^\W*to\b|可以|也可|还可|如果|如需|若|其他|另外|也能",
    re.IGNORECASE,
)


def _is_of(sentence: Sentence, title: str, *, is_about: bool) -> bool:
    """Whether it says of the very thing that the title names who alone may do it."""
    if is_about and _THIS.match(sentence.text):
        return True
    only = _ONLY.match(sentence.text)
    return only is not None and _named(only.group("what") or only.group("zh")) == _named(title)


def _named(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in words(text) - _ARTICLES)
