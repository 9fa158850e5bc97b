"""The steps of a procedure as they were carried out: what was done in each, with its pictures."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from appliance.core.errors import StoreError
from appliance.core.result import ProcedureResult, StepResult
from appliance.core.verdict import StepStatus
from appliance.store.artifacts import ArtifactStore

_LAST_WORDS = ("complete", "unachievable", "wait")
"""Turns that do nothing to the page."""
_UNSEEN = (StepStatus.SKIPPED, StepStatus.UNREACHED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One action of a step; the frame in its first picture is around what it was done to."""

    action: str
    """As `core.actions.ActionKind`, or `uncheck`; empty: only the step's pictures are kept."""
    role: str
    name: str
    """Of the control; empty: it was done to none."""
    text: str
    """What was typed, chosen or opened."""
    error: str
    """Why it failed or was not allowed; empty: it was done."""
    before: str
    """SHA-256 of the picture; empty: there is none."""
    after: str


def moves(artifacts: ArtifactStore, result: ProcedureResult) -> Mapping[str, tuple[Move, ...]]:
    """What was done in each step, by its index. Blocks."""
    turns = _turns(artifacts, result)
    return {step.index: tuple(_of_step(step, turns)) for step in result.steps}


Turn = dict[str, Any]  # Any: a line of the trajectory, as `verification.trajectory` writes it


def _turns(artifacts: ArtifactStore, result: ProcedureResult) -> list[Turn]:
    if result.trajectory is None:
        return []
    try:
        lines = artifacts.get(result.trajectory).decode("utf-8", "replace").splitlines()
    except StoreError:  # it is past its time
        return []
    return [turn for line in lines if isinstance(turn := json.loads(line), dict)]


def _of_step(step: StepResult, turns: Sequence[Turn]) -> Iterator[Move]:
    after = step.after.sha256 if step.after else ""
    ours = [
        n
        for n, turn in enumerate(turns)
        if turn.get("step") == step.index and turn.get("action") not in _LAST_WORDS
    ]
    for n in ours:
        later = (turn["screenshot"] for turn in turns[n + 1 :] if turn.get("screenshot"))
        yield _move(turns[n], after if n == ours[-1] else next(later, after))
    if not ours and step.status not in _UNSEEN and (step.before or step.after):
        before = step.before.sha256 if step.before and step.before != step.after else ""
        yield Move(action="", role="", name="", text="", error="", before=before, after=after)


def _move(turn: Turn, after: str) -> Move:
    role, _, name = (turn.get("on") or "").partition(" ")
    action, text = str(turn.get("action", "")), str(turn.get("text") or "")
    if action == "check":
        action, text = ("uncheck" if text == "False" else "check"), ""
    return Move(
        action=action,
        role=role,
        name=name,
        text=text,
        error=str(turn.get("refused") or turn.get("error") or ""),
        before=turn.get("screenshot") or "",
        after=after,
    )
