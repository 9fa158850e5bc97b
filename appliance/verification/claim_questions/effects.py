"""What answers make of claims, and of the text: a model's word is less than what was measured."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from appliance.core.claims import Claim, ClaimKind, ClaimStatus
from appliance.core.procedure import Document, Procedure
from appliance.core.result import Evidence, Finding
from appliance.core.source import Span, overlap
from appliance.core.verdict import Basis, DivergenceKind, EvidenceKind, Severity, Verdict
from appliance.policy.base import Divergence
from appliance.verification.case import JudgedAttempt, TierAttempts
from appliance.verification.claim_questions.answers import AnswerWord, ClaimAnswer, ClaimAnswers
from appliance.verification.findings import make_finding
from appliance.verification.verdict import DrawnVerdict

_KINDS = {
    ClaimKind.OPTION: DivergenceKind.CHANGED_OPTION,
    ClaimKind.DEFAULT: DivergenceKind.CHANGED_DEFAULT,
    ClaimKind.MENU_PATH: DivergenceKind.MOVED_CONTROL,
    ClaimKind.PLACE: DivergenceKind.MOVED_CONTROL,
    ClaimKind.POSITION: DivergenceKind.MOVED_CONTROL,
    ClaimKind.PERMISSION: DivergenceKind.PERMISSION,
}


def answered(
    claims: Sequence[Claim], answers: Mapping[int, ClaimAnswer], findings: Iterable[Finding]
) -> tuple[Claim, ...]:
    """The claims with what a model says of those that nobody could check.

    Confirmed ones say by which words. A contradicted one is contradicted where its finding is sure
    enough to count; else it stays what it was, with the words that speak against it.

    Args:
        claims: As they were measured.
        answers: By position of the claim.
        findings: Of the procedure, those made of answers among them.
    """
    sure = [_span_of(f) for f in findings if f.basis is Basis.QUOTED and f.is_alarming]
    return tuple(
        _apply_answer(claim, answers[n], sure) if n in answers else claim
        for n, claim in enumerate(claims)
    )


def _apply_answer(claim: Claim, answer: ClaimAnswer, sure: Sequence[Span]) -> Claim:
    if claim.status is not ClaimStatus.NOT_CHECKED:
        return claim
    if answer.said is AnswerWord.CONFIRMED:
        return replace(claim, status=ClaimStatus.CONFIRMED, reason="", quote=answer.quote)
    if any(overlap(_span_of(claim), span) for span in sure):
        return replace(claim, status=ClaimStatus.CONTRADICTED, reason="")
    return replace(claim, reason=f'a model reads otherwise on the page: "{answer.quote}"')


def _span_of(item: Claim | Finding) -> Span:
    return Span("", item.line, item.column, item.end_line, item.end_column)


def findings_of(
    document: Document,
    procedure: Procedure,
    claims: Sequence[Claim],
    answers: Mapping[int, ClaimAnswer],
    attempt: JudgedAttempt,
) -> tuple[Finding, ...]:
    """One for each claim that an answer contradicts; how sure they are is not said here.

    Args:
        document: Where the claims stand.
        procedure: Whose they are.
        claims: All of them.
        answers: By position of the claim.
        attempt: Whose pages they are held against.
    """
    return tuple(
        make_finding(
            document,
            procedure,
            _divergence(document, claims[number], answer),
            _evidence(attempt, answer),
            [attempt.task.unique],
        )
        for number, answer in sorted(answers.items())
        if answer.said is AnswerWord.CONTRADICTED
    )


def with_answers(
    chosen: TierAttempts, asked: ClaimAnswers, told: Sequence[Finding]
) -> TierAttempts:
    """What stands with answers: the verdict is another one only by a finding that counts.

    Args:
        chosen: As it was measured.
        asked: What a model says.
        told: The findings that are made of it, with how sure they are.
    """
    drawn = chosen.drawn
    if drawn.verdict is Verdict.VERIFIED and any(f.is_alarming for f in told):
        drawn = DrawnVerdict(Verdict.DRIFTED)
    findings = sorted((*chosen.findings, *told), key=lambda f: (f.line, f.column))
    return replace(chosen, drawn=drawn, asked=asked, findings=tuple(findings))


def _divergence(document: Document, claim: Claim, answer: ClaimAnswer) -> Divergence:
    return Divergence(
        kind=_KINDS.get(claim.kind, DivergenceKind.WRONG_RESULT),
        severity=Severity.MISLEADS,
        basis=Basis.QUOTED,
        span=Span(document.path, claim.line, claim.column, claim.end_line, claim.end_column),
        quote=claim.text,
        shown=f'the page says "{answer.quote}"',
        step=claim.step,
    )


def _evidence(attempt: JudgedAttempt, answer: ClaimAnswer) -> tuple[Evidence, ...]:
    turn = attempt.trajectory.turns[answer.turn]
    evidence = Evidence(
        kind=EvidenceKind.TRAJECTORY, caption=f"turn {answer.turn}", text=answer.quote
    )
    if turn.before is None:
        return (evidence,)
    caption = turn.view.title or turn.view.url
    return (Evidence(kind=EvidenceKind.BEFORE, caption=caption, artifact=turn.before), evidence)
