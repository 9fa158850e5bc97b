"""Puts an attempt before the judges: what was done and seen, never what the policy said of it."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from appliance.browser import describe
from appliance.core import actions
from appliance.core.errors import StoreError
from appliance.core.page import Element, Observation, TextKind
from appliance.core.procedure import Procedure
from appliance.core.result import ArtifactRef
from appliance.core.secrets import without_secrets
from appliance.environment.lifecycle import Ready
from appliance.outcome.judges import JudgedCase, JudgedTurn, Judges
from appliance.policy.base import Spent
from appliance.policy.model import procedure_text
from appliance.store.artifacts import ArtifactStore
from appliance.verification.context import RunContext
from appliance.verification.goal.channels import Judge, JudgesVerdict
from appliance.verification.trajectory import Trajectory, Turn

_MOST_WORDS = 20
"""Texts and controls of a dialog that are told."""
_CLAIMS = (actions.Complete, actions.Unachievable, actions.HandOver, actions.RequestResource)
"""Their text is the policy's own word: no evidence."""


def judge_of(context: RunContext) -> Judge | None:
    """Whoever judges attempts; None: there is no model, or nobody is wanted."""
    settings = context.settings.judges
    if context.model is None or settings.count == 0:
        return None
    return _Judging(Judges(context.model, settings), context.store.artifacts)


@dataclass(frozen=True, slots=True)
class _Judging:
    judges: Judges
    artifacts: ArtifactStore

    async def __call__(
        self, procedure: Procedure, ready: Ready, trajectory: Trajectory
    ) -> JudgesVerdict:
        """What they say together."""
        picture = await asyncio.to_thread(self._picture, trajectory.final)
        case = judged_case(procedure, ready.bindings, trajectory, picture)
        judged = await self.judges.judge(case)
        return JudgesVerdict(
            channel=judged.channel,
            spent=Spent(
                model_s=judged.model_s,
                calls=judged.calls,
                tokens_in=judged.tokens_in,
                tokens_out=judged.tokens_out,
            ),
        )

    def _picture(self, ref: ArtifactRef | None) -> bytes | None:
        try:
            return self.artifacts.get(ref) if ref else None
        except StoreError:
            return None


def judged_case(
    procedure: Procedure,
    bindings: Mapping[str, str],
    trajectory: Trajectory,
    picture: bytes | None,
) -> JudgedCase:
    """The attempt as judges see it."""
    final = trajectory.turns[-1].view if trajectory.turns else None
    return JudgedCase(
        title=procedure.title,
        text=procedure_text(replace(procedure, results=())),
        expected=" ".join(sentence.text for sentence in procedure.results),
        bindings=bindings,
        turns=tuple(map(_turn, trajectory.turns)),
        first_text=without_secrets(describe(trajectory.turns[0].view)) if final else "",
        final_text=without_secrets(describe(final)) if final else "",
        final_picture=picture,
        language=procedure.language,
    )


def _turn(turn: Turn) -> JudgedTurn:
    performed = turn.performed
    errors = (t.text for t in turn.view.texts if t.kind is TextKind.ERROR)
    failed = (performed.error,) if performed and performed.error else ()
    return JudgedTurn(
        step=turn.decision.step,
        action=without_secrets(_in_words(turn.view, turn)),
        url=without_secrets(turn.view.url),
        title=without_secrets(turn.view.title),
        notices=tuple(map(without_secrets, _words_shown(turn.view))),
        errors=tuple(map(without_secrets, (*errors, *failed))),
        is_ok=performed is None or performed.ok,
    )


def _words_shown(view: Observation) -> Iterator[str]:
    """What the console says at the time: its notices, and the dialog in front, which closes."""
    yield from (notice.text for notice in view.notices())
    if view.dialogs:
        title = view.dialogs[-1] or ""
        words = [text.text for text in view.texts if text.dialog == title]
        words += [e.name for e in view.elements if e.dialog == title and e.name]
        yield f'dialog "{title}": {" | ".join(words[:_MOST_WORDS])}'


def _in_words(view: Observation, turn: Turn) -> str:
    """`click button "Delete" in row "web-1 | running"`; of a claim, only that it was made."""
    action = turn.decision.action
    kind = action.kind.value.replace("_", " ")
    if isinstance(action, _CLAIMS):
        return kind
    element = view.element(action.element) if action.element is not None else None
    on = _element_in_words(element) if element else ""
    if isinstance(action, actions.Drag) and (target := view.element(action.to)):
        on += f" to{_element_in_words(target)}"
    return f"{kind} {action.argument!r}{on}" if action.argument else f"{kind}{on}"


def _element_in_words(element: Element) -> str:
    row = f' in row "{element.row}"' if element.row is not None else ""
    return f' {element.role} "{element.name or element.text}"{row}'
