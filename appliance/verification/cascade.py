"""Replay, then the text word by word, then a model: each in a clean state, until one decides."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import AttemptError
from appliance.core.result import Finding
from appliance.core.verdict import GoalChannel, PolicyChoice, PolicyName, Severity, Verdict
from appliance.environment.accounts import Lease
from appliance.policy.replay import Recipe, Recipes
from appliance.verification.attempt import locale_of, run_attempt
from appliance.verification.case import Case, JudgedAttempt, PendingAttempt, TierAttempts
from appliance.verification.claims import vanished
from appliance.verification.context import RunContext
from appliance.verification.durations import duration_findings
from appliance.verification.enough import borne_out, is_enough, is_used_up
from appliance.verification.explanations import explanation_findings
from appliance.verification.findings import agreed_findings, confirmed_findings
from appliance.verification.goal.judging import judge_of
from appliance.verification.permission import permission_findings
from appliance.verification.results import agreement, pending_of
from appliance.verification.seats import AttemptSpec
from appliance.verification.verdict import DrawnVerdict, alarming, draw_verdict, is_to_look

ABOUT_THE_TEXT = frozenset((Verdict.VERIFIED, Verdict.DRIFTED, Verdict.BROKEN))
"""Verdicts that say something about the text."""


def tiers_to_try(
    policy: PolicyChoice, *, has_recipe: bool, has_model: bool, needs_model: bool = False
) -> tuple[PolicyName, ...]:
    """The tiers that may be tried, the cheapest first.

    Args:
        policy: The policy that the user requested.
        has_recipe: Whether an earlier verified attempt can be replayed.
        has_model: Whether there is a model to ask.
        needs_model: Whether the literal policy cannot read the text as a procedure.
    """
    is_available = {
        PolicyName.REPLAY: has_recipe,
        PolicyName.LITERAL: not needs_model,
        PolicyName.MODEL: has_model,
    }
    requested = tuple(is_available) if policy == PolicyChoice.AUTO else (PolicyName(policy),)
    return tuple(tier for tier in requested if is_available[tier])


def has_decided(tier_attempts: TierAttempts) -> bool:
    """Whether a more expensive tier has nothing to add.

    A replay can only say that all is as it was. The text read word by word may have been read
    wrong where it was not understood, or led nowhere. Nobody comes after a model.
    """
    match tier_attempts.policy:
        case PolicyName.REPLAY:
            return (
                tier_attempts.drawn.verdict is Verdict.VERIFIED or tier_attempts.pending is not None
            )
        case PolicyName.LITERAL:
            return not tier_attempts.drawn.is_open
        case _:
            return True


def decisive(tiers: Sequence[TierAttempts]) -> TierAttempts:
    """The tier whose verdict stands: a more expensive one without an answer changes nothing.

    Unless the cheaper one knows no more: what a person has to allow or bind is what helps where it
    was kept from going on, and what it saw and was not sure of where it went on.
    """
    last = tiers[-1]
    says_nothing = last.drawn.verdict not in ABOUT_THE_TEXT and last.pending is None
    if last.policy != PolicyName.MODEL or not says_nothing:
        return last
    literal = next(
        (
            tier_attempts
            for tier_attempts in reversed(tiers)
            if tier_attempts.policy == PolicyName.LITERAL
        ),
        last,
    )
    was_prevented = last.drawn.cause is not None and last.drawn.cause.kind in _PREVENTED
    has_more = was_prevented or bool(last.findings)
    return last if has_more and literal.drawn.verdict is Verdict.UNDECIDED else literal


_PREVENTED = frozenset({CauseKind.NOT_TRIED, CauseKind.NOT_ALLOWED})


_NO_RECIPE = Cause(
    CauseKind.POLICY,
    "no verified attempt of this text in this console is kept that could be done again;"
    " verify it once with --policy auto",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cascade:
    """Decides the procedures of one run, tier by tier."""

    context: RunContext
    recipes: Recipes

    async def decide(self, case: Case, lease: Lease) -> TierAttempts:
        """Try tier after tier and return the one whose verdict stands.

        Raises:
            AttemptError: No attempt could be made by which anything could be said.
        """
        recipe = await self._find_recipe(case, lease)
        policy, has_model = self.context.policy, self.context.model is not None
        tiers = tiers_to_try(
            policy,
            has_recipe=recipe is not None,
            has_model=has_model,
            needs_model=case.procedure.needs_model,
        )
        for tier in (PolicyName.BASELINE,) if self.context.baseline else tiers:
            case.tiers.append(await self._try_tier(tier, recipe, case, lease))
            if has_decided(case.tiers[-1]):
                break
        if not case.tiers:
            return TierAttempts(
                policy=None, attempts=(), drawn=DrawnVerdict(Verdict.UNDECIDED, _NO_RECIPE)
            )
        chosen = decisive(case.tiers)
        await self._learn(case, chosen, lease)
        return chosen

    async def attempt_again(self, case: Case, lease: Lease, tier: PolicyName) -> JudgedAttempt:
        """Make one more attempt with a changed text, without learning from it.

        Raises:
            AttemptError: None could be made.
        """
        return await run_attempt(self.context, case, lease, self._spec(tier, None, case, 1))

    async def _try_tier(
        self, tier: PolicyName, recipe: Recipe | None, case: Case, lease: Lease
    ) -> TierAttempts:
        """Make one attempt, and a second from a clean state before blaming the document."""
        clock = self.context.clock
        started_at, attempts = clock.monotonic(), list[JudgedAttempt]()
        max_attempts = 1 if tier == PolicyName.REPLAY else self.context.most_attempts
        if tier == PolicyName.MODEL and (why := await self.context.wait_for_model()):
            cause = Cause(CauseKind.MODEL, why)
            return TierAttempts(
                policy=tier, attempts=(), drawn=DrawnVerdict(Verdict.BLOCKED, cause)
            )
        findings: tuple[Finding, ...] = ()
        pending: PendingAttempt | None = None
        previous: DrawnVerdict | None = None
        try:
            while len(attempts) < max_attempts:
                spec = self._spec(tier, recipe, case, len(attempts) + 1)
                attempts.append(await run_attempt(self.context, case, lease, spec))
                findings = self._with_confidence(
                    _findings(tier, attempts, case), case, tier, attempts[-1]
                )
                is_last = not self.context.console.knows_inventory and is_used_up(
                    attempts[-1],
                    case.done,
                    may_change_again=self.context.settings.agent.sensitive.change == "allow",
                )
                if is_last and len(attempts) == 1:
                    findings = await self._borne_out(tier, case, lease, attempts, findings)
                findings, drawn = self._draw(tier, case, attempts, findings, previous)
                if (
                    previous is not None
                    and not findings
                    and _is_refused_again(previous, drawn, case)
                ):
                    attempts.insert(0, attempts.pop())  # the one that tells something stands last
                    drawn = after_refusal(previous, drawn)
                    break
                if drawn.verdict is Verdict.VERIFIED and tier == PolicyName.LITERAL:
                    drawn = _without_loss(drawn, recipe, case, attempts)
                pending = pending_of(attempts[-1], findings, needs_witness=tier == PolicyName.MODEL)
                drawn = pending.drawn if pending else drawn
                so_far = TierAttempts(
                    policy=tier,
                    attempts=tuple(attempts),
                    drawn=drawn,
                    findings=findings,
                    pending=pending,
                )
                if is_last or is_enough(
                    so_far, case.tiers, can_be_witnessed=self._can_be_witnessed(case)
                ):
                    break
                previous = drawn
        except AttemptError as exc:
            if tier != PolicyName.MODEL and not attempts:
                raise
            drawn, pending = DrawnVerdict(Verdict.BLOCKED, exc.cause), None
        if drawn.verdict not in ABOUT_THE_TEXT:  # a person decides: the unsure ones are for that
            is_unsure = drawn.verdict is Verdict.UNDECIDED
            findings = tuple(f for f in findings if is_unsure and not f.is_sure)
        return TierAttempts(
            policy=tier,
            attempts=tuple(attempts),
            drawn=drawn,
            findings=findings,
            wall_s=clock.monotonic() - started_at,
            pending=pending,
        )

    async def _borne_out(
        self,
        tier: PolicyName,
        case: Case,
        lease: Lease,
        attempts: list[JudgedAttempt],
        findings: tuple[Finding, ...],
    ) -> tuple[Finding, ...]:
        """Of what the only whole attempt saw, what counts.

        What does not by itself is looked for once more: the guard stops a second attempt before
        anything is done again, and what it sees until then was seen twice.
        """
        last = attempts[-1]
        if tier == PolicyName.MODEL:
            findings += self._seen_once(case, last, findings)
        counting = borne_out(findings, last)
        is_settled = len(counting) == len(findings)
        if is_settled or self.context.most_attempts == 1:
            return counting
        try:
            spec = self._spec(tier, None, case, len(attempts) + 1)
            attempts.insert(0, await run_attempt(self.context, case, lease, spec))
        except AttemptError:
            return counting
        seen_twice = self._with_confidence(
            _findings(tier, attempts, case), case, tier, attempts[-1]
        )
        known = {finding.id for finding in counting}
        return (*counting, *(finding for finding in seen_twice if finding.id not in known))

    def _draw(
        self,
        tier: PolicyName,
        case: Case,
        attempts: list[JudgedAttempt],
        findings: tuple[Finding, ...],
        previous: DrawnVerdict | None,
    ) -> tuple[tuple[Finding, ...], DrawnVerdict]:
        """The verdict, with the findings that bear it.

        A model that finds done what its first attempt did says little by its second: then that of
        the first counts, and stands last.
        """
        drawn = _draw_verdict(tier, attempts, findings)
        was_done_before = previous is not None and attempts[-1].task.may_be_done
        if (
            drawn.verdict is not Verdict.UNDECIDED
            or tier != PolicyName.MODEL
            or not was_done_before
        ):
            return findings, drawn
        first = attempts[0]
        agreed = self._with_confidence(_findings(tier, attempts, case), case, tier, first)
        seen_once = self._seen_once(case, first, agreed)
        of_first = agreed + borne_out(seen_once, first, attempts[-1])
        drawn_of_first = _draw_verdict(tier, attempts[:1], of_first)
        if drawn_of_first.verdict not in ABOUT_THE_TEXT:
            return findings, drawn
        attempts.append(attempts.pop(0))
        return of_first, drawn_of_first

    def _seen_once(
        self, case: Case, attempt: JudgedAttempt, known: tuple[Finding, ...]
    ) -> tuple[Finding, ...]:
        """What one attempt of the model noted, beside what is known."""
        noted = confirmed_findings(
            case.document, case.procedure, [attempt.trajectory], [attempt.task.unique]
        )
        known_ids = {finding.id for finding in known}
        noted = self._with_confidence(noted, case, PolicyName.MODEL, attempt)
        return tuple(f for f in noted if f.id not in known_ids and not f.is_cosmetic)

    def _can_be_witnessed(self, case: Case) -> bool:
        """Whether the audit log or judges may say that the goal was reached."""
        checks, has_audit = case.procedure.checks, self.context.console.has_audit
        has_rules = has_audit and bool(checks.expect or checks.forbid)
        return has_rules or judge_of(self.context) is not None

    def _with_confidence(
        self, findings: tuple[Finding, ...], case: Case, tier: PolicyName, last: JudgedAttempt
    ) -> tuple[Finding, ...]:
        """The findings with their confidence, and cosmetic ones rated as the settings say."""
        locale_agreement = agreement(self.context.console, case.procedure, last.trajectory)
        judged = self.context.confidence.judged(findings, tier, last.goal, locale_agreement)
        if not self.context.settings.findings.cosmetic:
            return judged
        return tuple(replace(f, severity=Severity.MISLEADS) if f.is_cosmetic else f for f in judged)

    def _spec(
        self, tier: PolicyName, recipe: Recipe | None, case: Case, number: int
    ) -> AttemptSpec:
        settings = self.context.settings
        handover = case.tiers[-1].handover() if case.tiers else None
        is_model, is_replay = tier == PolicyName.MODEL, tier == PolicyName.REPLAY
        limits = settings.agent if is_model else settings.verification
        return AttemptSpec(
            tier=tier,
            number=number,
            max_seconds=limits.max_seconds,
            recipe=recipe if is_replay else None,
            handover=handover,
            pictures=not is_replay and tier != PolicyName.BASELINE,
        )

    async def _find_recipe(self, case: Case, lease: Lease) -> Recipe | None:
        if self.context.policy not in ("auto", PolicyName.REPLAY):
            return None
        locale = locale_of(self.context, case)
        region = lease.account.settings.region
        return await asyncio.to_thread(self.recipes.fitting, case.procedure, locale, region)

    async def _learn(self, case: Case, chosen: TierAttempts, lease: Lease) -> None:
        """Store a verified attempt as a recipe for replay; forget a recipe that failed."""
        locale, region = locale_of(self.context, case), lease.account.settings.region
        if chosen.policy in (PolicyName.REPLAY, PolicyName.BASELINE):
            return
        if chosen.drawn.verdict is Verdict.BLOCKED:
            return
        last_attempt = chosen.attempts[-1]
        # of a replay the judges are not asked: somebody else has to say that the goal was reached
        has_witness = any(
            c.reached for c in last_attempt.channels if c.channel is not GoalChannel.JUDGES
        )
        is_explained = chosen.drawn.verdict is not Verdict.UNDECIDED  # else it is asked again
        is_verified = chosen.drawn.verdict is Verdict.VERIFIED and len(chosen.attempts) == 1
        is_verified = is_verified and not chosen.findings  # a replay would not tell small things
        if is_verified and has_witness:
            await asyncio.to_thread(
                self.recipes.learn,
                last_attempt.task,
                last_attempt.trajectory.looked(),
                locale=locale,
                tier=last_attempt.trajectory.policy,
                region=region,
            )
        elif case.tiers[0].policy == PolicyName.REPLAY and is_explained:
            await asyncio.to_thread(self.recipes.forget, case.procedure, locale, region)


def _draw_verdict(
    tier: PolicyName, attempts: list[JudgedAttempt], findings: tuple[Finding, ...]
) -> DrawnVerdict:
    last = attempts[-1]
    return draw_verdict(
        last.goal,
        last.trajectory,
        findings,
        needs_witness=tier == PolicyName.MODEL,
        is_to_look=is_to_look(last.task.procedure),
    )


def _is_refused_again(previous: DrawnVerdict, drawn: DrawnVerdict, case: Case) -> bool:
    """Whether an attempt was only prevented from repeating what the previous one had done."""

    def is_refused(verdict: DrawnVerdict) -> bool:
        return verdict.cause is not None and verdict.cause.kind is CauseKind.NOT_TRIED

    is_telling = previous.verdict is Verdict.UNDECIDED and not is_refused(previous)
    return any(case.done) and is_refused(drawn) and is_telling


def after_refusal(previous: DrawnVerdict, refused: DrawnVerdict) -> DrawnVerdict:
    """The verdict when the second attempt was prevented from repeating what the first did.

    What only one has seen is no finding, and without findings its verdict about the text says
    nothing.
    """
    return refused if previous.verdict in ABOUT_THE_TEXT else previous


def _without_loss(
    drawn: DrawnVerdict, recipe: Recipe | None, case: Case, attempts: list[JudgedAttempt]
) -> DrawnVerdict:
    """Withdraw `verified` where an earlier attempt saw what this one did not explain.

    It met something else than the text says, or words that stood on the page when the text was
    verified last were not seen again.
    """
    for earlier in attempts[:-1]:
        if alarm := alarming(earlier.trajectory):
            why = f"step {alarm.step}: {alarm.shown}: an attempt saw it, and the next one did not"
            return DrawnVerdict(Verdict.UNDECIDED, Cause(CauseKind.POLICY, why), is_open=True)
    missing = vanished(case.procedure, recipe, attempts[-1].trajectory) if recipe else None
    if missing is None:
        return drawn
    why = f'"{missing.text}" was seen when it was verified last, and was not seen now'
    cause = Cause(CauseKind.POLICY, f"step {missing.step}: {why}" if missing.step else why)
    return DrawnVerdict(Verdict.UNDECIDED, cause, is_open=True)


def _findings(tier: PolicyName, attempts: list[JudgedAttempt], case: Case) -> tuple[Finding, ...]:
    """Findings that two attempts agree on: of one policy, or of a model and the literal one."""
    whole_attempts = [attempt for attempt in attempts if attempt.is_whole]
    if not whole_attempts or tier in (PolicyName.REPLAY, PolicyName.BASELINE):
        return ()
    trajectories, suffixes = (
        [attempt.trajectory for attempt in whole_attempts],
        [attempt.task.unique for attempt in whole_attempts],
    )
    if tier == PolicyName.LITERAL:
        confirmed = confirmed_findings(
            case.document, case.procedure, trajectories, suffixes, whole_attempts[-1].goal
        )
        finding_arguments = (case.document, case.procedure, whole_attempts)
        finding_sources = (permission_findings, duration_findings, explanation_findings)
        return (
            *confirmed,
            *chain.from_iterable(
                findings_of(*finding_arguments) for findings_of in finding_sources
            ),
        )
    literal_attempts = [
        attempt
        for r in case.tiers
        if r.policy == PolicyName.LITERAL
        for attempt in r.attempts
        if attempt.is_whole
    ]
    return agreed_findings(
        case.document,
        case.procedure,
        trajectories,
        [attempt.trajectory for attempt in literal_attempts],
        [*suffixes, *(attempt.task.unique for attempt in literal_attempts)],
    )
