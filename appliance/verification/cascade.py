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
"""Verdicts that say something of it."""


def line_up(
    policy: PolicyChoice, *, has_recipe: bool, has_model: bool, needs_model: bool = False
) -> tuple[PolicyName, ...]:
    """The tiers that may be tried, the cheapest first.

    Args:
        policy: As it was asked for.
        has_recipe: Whether an earlier verified attempt can be done again.
        has_model: Whether there is a model to ask.
        needs_model: Whether the text is no procedure to the reader of words.
    """
    there = {
        PolicyName.REPLAY: has_recipe,
        PolicyName.LITERAL: not needs_model,
        PolicyName.MODEL: has_model,
    }
    wanted = tuple(there) if policy == PolicyChoice.AUTO else (PolicyName(policy),)
    return tuple(tier for tier in wanted if there[tier])


def has_decided(one: TierAttempts) -> bool:
    """Whether a dearer tier has nothing to add.

    A replay can only say that all is as it was. The text read word by word may have been read
    wrong where it was not understood, or led nowhere. Nobody comes after a model.
    """
    match one.policy:
        case PolicyName.REPLAY:
            return one.drawn.verdict is Verdict.VERIFIED or one.pending is not None
        case PolicyName.LITERAL:
            return not one.drawn.is_open
        case _:
            return True


def decisive(tiers: Sequence[TierAttempts]) -> TierAttempts:
    """The one whose verdict stands: a dearer one that came to no answer changes nothing.

    Unless it was kept from going on, and the cheaper one knows no more: what a person has to allow
    or bind is what helps then.
    """
    last = tiers[-1]
    says_nothing = last.drawn.verdict not in ABOUT_THE_TEXT and last.pending is None
    if last.policy != PolicyName.MODEL or not says_nothing:
        return last
    literal = next((one for one in reversed(tiers) if one.policy == PolicyName.LITERAL), last)
    is_kept = last.drawn.cause is not None and last.drawn.cause.kind in _KEPT_FROM_IT
    return last if is_kept and literal.drawn.verdict is Verdict.UNDECIDED else literal


_KEPT_FROM_IT = frozenset({CauseKind.NOT_TRIED, CauseKind.NOT_ALLOWED})


_NO_RECIPE = Cause(
    CauseKind.POLICY,
    "no verified attempt of this text in this console is kept that could be done again;"
    " verify it once with --policy auto",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cascade:
    """Of one run."""

    context: RunContext
    recipes: Recipes

    async def decide(self, case: Case, lease: Lease) -> TierAttempts:
        """Tier after tier; the one whose verdict stands.

        Raises:
            AttemptError: No attempt could be made by which anything could be said.
        """
        recipe = await self._recipe(case, lease)
        policy, has_model = self.context.policy, self.context.model is not None
        tiers = line_up(
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
        """One attempt more of a changed text, of which nothing is learnt.

        Raises:
            AttemptError: None could be made.
        """
        return await run_attempt(self.context, case, lease, self._spec(tier, None, case, 1))

    async def _try_tier(
        self, tier: PolicyName, recipe: Recipe | None, case: Case, lease: Lease
    ) -> TierAttempts:
        """One attempt; a second in a clean state before anything is said against the document."""
        clock = self.context.clock
        began, attempts = clock.monotonic(), list[JudgedAttempt]()
        most = 1 if tier == PolicyName.REPLAY else self.context.most_attempts
        if tier == PolicyName.MODEL and (why := await self.context.wait_for_model()):
            away = Cause(CauseKind.MODEL, why)
            return TierAttempts(policy=tier, attempts=(), drawn=DrawnVerdict(Verdict.BLOCKED, away))
        findings: tuple[Finding, ...] = ()
        pending: PendingAttempt | None = None
        before: DrawnVerdict | None = None
        try:
            while len(attempts) < most:
                spec = self._spec(tier, recipe, case, len(attempts) + 1)
                attempts.append(await run_attempt(self.context, case, lease, spec))
                findings = self._judged(_findings(tier, attempts, case), case, tier, attempts[-1])
                is_last = not self.context.console.knows_inventory and is_used_up(
                    attempts[-1], case.done
                )
                if is_last and len(attempts) == 1:
                    findings = borne_out(findings, attempts[-1])
                drawn = _draw(tier, attempts, findings)
                if before is not None and not findings and _is_refused_again(before, drawn, case):
                    attempts.insert(0, attempts.pop())  # the one that tells something stands last
                    drawn = after_refusal(before, drawn)
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
                before = drawn
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
            wall_s=clock.monotonic() - began,
            pending=pending,
        )

    def _can_be_witnessed(self, case: Case) -> bool:
        """Whether the audit log or judges may say that the goal was reached."""
        checks, has_audit = case.procedure.checks, self.context.console.has_audit
        has_rules = has_audit and bool(checks.expect or checks.forbid)
        return has_rules or judge_of(self.context) is not None

    def _judged(
        self, findings: tuple[Finding, ...], case: Case, tier: PolicyName, last: JudgedAttempt
    ) -> tuple[Finding, ...]:
        """With how sure they are, and trifles as the settings want them."""
        fit = agreement(self.context.console, case.procedure, last.trajectory)
        judged = self.context.confidence.judged(findings, tier, last.goal, fit)
        if not self.context.settings.findings.cosmetic:
            return judged
        return tuple(replace(f, severity=Severity.MISLEADS) if f.is_cosmetic else f for f in judged)

    def _spec(
        self, tier: PolicyName, recipe: Recipe | None, case: Case, number: int
    ) -> AttemptSpec:
        settings = self.context.settings
        handover = case.tiers[-1].handover() if case.tiers else None
        is_model, is_replay = tier == PolicyName.MODEL, tier == PolicyName.REPLAY
        of = settings.agent if is_model else settings.verification
        return AttemptSpec(
            tier=tier,
            number=number,
            max_seconds=of.max_seconds,
            recipe=recipe if is_replay else None,
            handover=handover,
            pictures=not is_replay and tier != PolicyName.BASELINE,
        )

    async def _recipe(self, case: Case, lease: Lease) -> Recipe | None:
        if self.context.policy not in ("auto", PolicyName.REPLAY):
            return None
        locale = locale_of(self.context, case)
        region = lease.account.settings.region
        return await asyncio.to_thread(self.recipes.fitting, case.procedure, locale, region)

    async def _learn(self, case: Case, chosen: TierAttempts, lease: Lease) -> None:
        """Keep what was verified so that it can be done again; forget what failed."""
        locale, region = locale_of(self.context, case), lease.account.settings.region
        if chosen.policy in (PolicyName.REPLAY, PolicyName.BASELINE):
            return
        if chosen.drawn.verdict is Verdict.BLOCKED:
            return
        last = chosen.attempts[-1]
        # of a replay the judges are not asked: somebody else has to say that the goal was reached
        has_witness = any(c.reached for c in last.channels if c.channel is not GoalChannel.JUDGES)
        is_explained = chosen.drawn.verdict is not Verdict.UNDECIDED  # else it is asked again
        is_verified = chosen.drawn.verdict is Verdict.VERIFIED and len(chosen.attempts) == 1
        is_verified = is_verified and not chosen.findings  # a replay would not tell small things
        if is_verified and has_witness:
            await asyncio.to_thread(
                self.recipes.learn,
                last.task,
                last.trajectory.looked(),
                locale=locale,
                tier=last.trajectory.policy,
                region=region,
            )
        elif case.tiers[0].policy == PolicyName.REPLAY and is_explained:
            await asyncio.to_thread(self.recipes.forget, case.procedure, locale, region)


def _draw(
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


def _is_refused_again(before: DrawnVerdict, drawn: DrawnVerdict, case: Case) -> bool:
    """Whether an attempt was only kept from doing again what the one before it had done."""

    def is_refused(one: DrawnVerdict) -> bool:
        return one.cause is not None and one.cause.kind is CauseKind.NOT_TRIED

    is_telling = before.verdict is Verdict.UNDECIDED and not is_refused(before)
    return any(case.done) and is_refused(drawn) and is_telling


def after_refusal(before: DrawnVerdict, refused: DrawnVerdict) -> DrawnVerdict:
    """What stands where the second attempt was kept from doing again what the first has done.

    What only one has seen is no finding, and without findings its verdict about the text says
    nothing.
    """
    return refused if before.verdict in ABOUT_THE_TEXT else before


def _without_loss(
    drawn: DrawnVerdict, recipe: Recipe | None, case: Case, attempts: list[JudgedAttempt]
) -> DrawnVerdict:
    """Not verified where an earlier attempt saw what this one did not explain.

    It met something else than the text says, or words that stood on the page when the text was
    verified last were not seen again.
    """
    for earlier in attempts[:-1]:
        if noted := alarming(earlier.trajectory):
            why = f"step {noted.step}: {noted.shown}: an attempt saw it, and the next one did not"
            return DrawnVerdict(Verdict.UNDECIDED, Cause(CauseKind.POLICY, why), is_open=True)
    gone = vanished(case.procedure, recipe, attempts[-1].trajectory) if recipe else None
    if gone is None:
        return drawn
    why = f'"{gone.text}" was seen when it was verified last, and was not seen now'
    cause = Cause(CauseKind.POLICY, f"step {gone.step}: {why}" if gone.step else why)
    return DrawnVerdict(Verdict.UNDECIDED, cause, is_open=True)


def _findings(tier: PolicyName, attempts: list[JudgedAttempt], case: Case) -> tuple[Finding, ...]:
    """What two attempts saw: both of a reader, or one of a model and the word-by-word reader."""
    whole = [t for t in attempts if t.is_whole]
    if not whole or tier in (PolicyName.REPLAY, PolicyName.BASELINE):
        return ()
    trajectories, unique = [t.trajectory for t in whole], [t.task.unique for t in whole]
    if tier == PolicyName.LITERAL:
        seen = confirmed_findings(
            case.document, case.procedure, trajectories, unique, whole[-1].goal
        )
        about = (case.document, case.procedure, whole)
        told = (permission_findings, duration_findings, explanation_findings)
        return (*seen, *chain.from_iterable(findings_of(*about) for findings_of in told))
    others = [
        t for r in case.tiers if r.policy == PolicyName.LITERAL for t in r.attempts if t.is_whole
    ]
    return agreed_findings(
        case.document,
        case.procedure,
        trajectories,
        [t.trajectory for t in others],
        [*unique, *(t.task.unique for t in others)],
    )
