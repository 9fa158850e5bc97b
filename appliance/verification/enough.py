"""Whether another attempt of the same tier could change its verdict: else it is not made."""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from appliance.core.actions import Type
from appliance.core.causes import CauseKind
from appliance.core.harm import Harm, HarmfulAction
from appliance.core.procedure import Procedure
from appliance.core.result import Finding
from appliance.core.source import Span
from appliance.core.verdict import Basis, DivergenceKind, PolicyName, StepStatus, Verdict
from appliance.language.names import plain
from appliance.policy.literal import IntentKind, read_procedure
from appliance.verification.case import JudgedAttempt, TierAttempts
from appliance.verification.guard.text import ProcedureText
from appliance.verification.trajectory import StopReason, Trajectory
from appliance.verification.verdict import DrawnVerdict, is_witnessed

_REFUSED = frozenset({CauseKind.PERSON, CauseKind.NOT_ALLOWED})
"""Nobody came, or it was refused: the same is not asked again."""
_USED_INSTEAD = frozenset({Basis.NEARLY, Basis.ALIKE, Basis.PLACE, Basis.ELSEWHERE})
"""Something else than the text says was used, and not only missed."""
_DONE_BESIDES = (DivergenceKind.MISSING_STEP, Basis.REQUIRED)
"""The console asked for more than the text says, and was given it."""


def is_enough(
    tier: TierAttempts, earlier: Sequence[TierAttempts], *, can_be_witnessed: bool
) -> bool:
    """Whether another attempt would change nothing.

    Args:
        tier: What was done so far.
        earlier: The tiers before, whose sightings count for a model.
        can_be_witnessed: Whether there is an audit rule or a judge to say that a goal was reached.
    """
    last, drawn = tier.attempts[-1], tier.drawn
    is_clean = not any(last.trajectory.divergences())
    if drawn.verdict is Verdict.VERIFIED or (tier.pending is not None and is_clean):
        return True
    if drawn.cause is not None and drawn.cause.kind in _REFUSED:
        return True
    noted = set(_sightings(last.trajectory))
    has_sighting = bool(noted or tier.findings)
    if tier.policy == PolicyName.MODEL:
        others = (t.trajectory for one in earlier for t in one.attempts)
        has_sighting = has_sighting or any(any(_sightings(other)) for other in others)
        is_hopeless = not can_be_witnessed and not has_sighting
        is_agreed = bool(tier.findings) and len(noted) <= len(tier.findings)
        return is_hopeless or is_agreed or _is_spent(last.trajectory)
    return _is_read_alike(last, drawn, has_sighting=has_sighting)


def is_used_up(
    attempt: JudgedAttempt,
    harmful_actions: Iterable[HarmfulAction],
    *,
    may_change_again: bool = False,
) -> bool:
    """Whether what it was given is there no more, or must not be done to it twice.

    Args:
        attempt: Of a console that makes nothing anew, so that there is no second try.
        harmful_actions: What attempts did that hurts.
        may_change_again: Whether what was changed may be changed again, as in a sandbox.
    """
    if may_change_again:
        harmful_actions = (done for done in harmful_actions if done.harm is not Harm.CHANGE)
    bound_values = {plain(value) for value in attempt.task.bindings.values()}
    given_names = bound_values | _existing_names(attempt)
    # what has no things yet was paid for, or is somebody who may log in now
    is_done = any(not action.things or action.things & given_names for action in harmful_actions)
    return is_done or _has_renamed(attempt, bound_values)


def _existing_names(attempt: JudgedAttempt) -> set[str]:
    """What the text calls by name and nobody typed, so that it was there: that of a sandbox."""
    actions_done = (turn.decision.action for turn in attempt.trajectory.turns)
    typed = [plain(action.text) for action in actions_done if isinstance(action, Type)]
    names = ProcedureText(attempt.task.procedure).thing_names(marked=False)
    return {n for n in names if not any(n in text or text in n for text in typed if text)}


def _has_renamed(attempt: JudgedAttempt, bound_values: AbstractSet[str]) -> bool:
    """Whether a thing that it was given has another name now: nobody finds it by the old one."""
    return bool(attempt.goal.reached) and any(
        isinstance(typed := turn.decision.action, Type)
        and (field := turn.view.element(typed.element)) is not None
        and plain(field.value or "") in bound_values
        and plain(typed.text) not in bound_values
        for turn in attempt.trajectory.turns
    )


def borne_out(
    findings: Sequence[Finding], attempt: JudgedAttempt, later: JudgedAttempt | None = None
) -> tuple[Finding, ...]:
    """Of what one attempt saw that cannot be made twice, what counts as if two had.

    What stood there instead was used, and somebody other than the pages' own words says that the
    goal was reached by it; and no later attempt saw the step as it is written.
    """
    as_written = later.trajectory.statuses(StepStatus.AS_WRITTEN) if later else ()
    contradicted = {report.step for report in as_written}
    if not (attempt.goal.reached and is_witnessed(attempt.goal)):
        return ()
    return tuple(
        finding
        for finding in findings
        if finding.step not in contradicted
        if _was_used(finding, attempt.trajectory) or (finding.kind, finding.basis) == _DONE_BESIDES
    )


def _was_used(finding: Finding, trajectory: Trajectory) -> bool:
    if finding.basis is Basis.TOLD_SEEN:
        return finding.kind is DivergenceKind.RENAMED_LABEL and _acted_on(finding, trajectory)
    is_named = finding.suggestion or finding.kind is DivergenceKind.MOVED_CONTROL
    return bool(is_named) and finding.basis in _USED_INSTEAD


def _acted_on(finding: Finding, trajectory: Trajectory) -> bool:
    """Whether the control was acted on in that step by whose name the text would be true."""
    names = (
        plain(turn.element.name or turn.element.text)
        for turn in trajectory.turns
        if turn.decision.step == finding.step and turn.element and turn.performed
        if turn.performed.ok
    )
    suggestion = finding.suggestion or ""
    return any(_names(suggestion, n) and not _names(finding.quote, n) for n in names if n)


def _names(text: str, name: str) -> bool:
    """Whether a text has a name as words of its own; Chinese puts nothing between words."""
    pattern = rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)
    return re.search(pattern, plain(text)) is not None


def _sightings(trajectory: Trajectory) -> Iterator[Span]:
    """Where it saw something that becomes a finding when it is seen again."""
    return (d.span for _, d in trajectory.divergences() if d.basis is not Basis.DOUBTFUL)


def _is_spent(trajectory: Trajectory) -> bool:
    """Whether the model is away, or would use up its tokens again."""
    problem = trajectory.problem
    is_away = problem is not None and problem.kind is CauseKind.MODEL
    return is_away or trajectory.stop is StopReason.BUDGET


def _is_read_alike(last: JudgedAttempt, drawn: DrawnVerdict, *, has_sighting: bool) -> bool:
    """Whether the reader of words would leave out or be refused the same, whatever pages show."""
    if drawn.verdict is not Verdict.UNDECIDED:
        return False
    if drawn.cause is not None and drawn.cause.kind is CauseKind.NOT_TRIED:
        return True
    left_out = {r.step for r in last.trajectory.statuses(StepStatus.SKIPPED) if r.is_open}
    return not has_sighting and not left_out.isdisjoint(_unclear(last.task.procedure))


def _unclear(procedure: Procedure) -> frozenset[str]:
    """The steps with words that the reader does not understand."""
    intents = read_procedure(procedure)
    return frozenset(i.step for i in intents if i.kind is IntentKind.UNCLEAR)
