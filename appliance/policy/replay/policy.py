"""Does what a recipe says while every page is what it was; at the first difference it ends."""

from dataclasses import replace

from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.page import Element, Observation, Performed
from appliance.core.verdict import PolicyName
from appliance.policy.base import Decision, Task
from appliance.policy.replay.recipe import Move, Recipe, Stage
from appliance.policy.replay.skeleton import Skeleton, describe_line, skeleton
from appliance.policy.replay.target import Target, find
from appliance.policy.replay.wording import Wording

_FIRST_WAIT_S = 0.2
_LONGEST_WAIT_S = 1.0
_QUIET_S = 2.0
"""How long a page that differs may still become the one that is known, where nobody waited."""


class ReplayPolicy:
    """Says `as_written`, or gives up and says why. It finds nothing: the next tier decides."""

    name = PolicyName.REPLAY

    def __init__(self, task: Task, recipe: Recipe) -> None:
        self._recipe = recipe
        self._patience_s = task.patience_s
        self._wording = Wording(task)
        self._at = 0
        """The stage that comes next."""
        self._waited_s = 0.0
        self._since = _Since()
        self._known_notices: set[str] = set()

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """The next action on the page as it is now; UNACHIEVABLE where it is another page."""
        if self._at == 0 and bindings_of(self._wording) != self._recipe.bindings:
            return self._end("other values are bound than when it was verified")
        if last is not None and not last.ok:
            return self._end(f"what was done before could not be done again: {last.error}")
        stage = self._recipe.stages[self._at]
        shown = skeleton(view, self._wording)
        self._since.take_in(shown)
        if view.is_busy:
            why: str | None = "the page does not come to rest"
        else:
            why = self._difference(stage, shown)
        move = stage.move
        target, to = self._found(move.target, view), self._found(move.to, view)
        if why is None and ((move.target and not target) or (move.to and not to)):
            why = "what was used then is not there or not ready, or there are several"
        if why is not None:
            return self._wait(stage, why)
        self._known_notices |= self._since.notices
        self._at, self._waited_s, self._since = self._at + 1, 0.0, _Since()
        return self._do(move, target, to)

    def _difference(self, stage: Stage, shown: Skeleton) -> str | None:
        """What is another thing than it was; None: nothing is."""
        if shown.lines != stage.page:
            return _first_difference(stage.page, shown.lines)
        if row := next((row for row in stage.rows if not row.is_in(shown.rows)), None):
            return (
                f"the row of {' and '.join(row.things)} does not show {row.more_than(shown.rows)}"
            )
        if missing := set(stage.notices) - self._since.notices:
            return f"the message {describe_line(min(missing))} did not come"
        soon = self._recipe.stages[self._at + 1].notices if not stage.move.is_last else ()
        if extra := shown.notices - self._known_notices - {*stage.notices, *soon}:
            return f"the message {describe_line(min(extra))} came"
        if self._since.events != set(stage.events):
            return "what happened to the page is not what happened then"
        if missing := set(stage.seen) - self._since.seen:
            return f'"{min(missing)}" was not shown'
        return None

    def _do(self, move: Move, target: Element | None, to: Element | None) -> Decision:
        fill = self._wording.fill
        return Decision(
            action=actions.build(
                move.kind,
                element=target.id if target else None,
                argument=str(move.checked) if move.kind is ActionKind.CHECK else fill(move.text),
                to=to.id if to else None,
            ),
            step=move.step,
            thought=fill(move.thought),
            reports=tuple(replace(r, note=fill(r.note)) for r in move.reports),
            checks=tuple(replace(c, reason=fill(c.reason)) for c in move.checks),
        )

    def _found(self, target: Target | None, view: Observation) -> Element | None:
        if target is None:
            return None
        element = find(target, view, self._wording)
        return None if element is None or "disabled" in element.states else element

    def _wait(self, stage: Stage, why: str) -> Decision:
        """A state may settle, a part be drawn late: look again, for as long as was needed then."""
        bound_s = min(self._patience_s, _QUIET_S + 2 * stage.waited_s)
        if self._waited_s >= bound_s:
            return self._end(why)
        seconds = min(_LONGEST_WAIT_S, max(_FIRST_WAIT_S, self._waited_s))
        self._waited_s += seconds
        return Decision(
            action=actions.Wait(seconds),
            step=stage.move.step,
            thought=f"wait for the page as it was: {why}",
        )

    def _end(self, why: str) -> Decision:
        stage = self._recipe.stages[min(self._at, len(self._recipe.stages) - 1)]
        return Decision(
            action=actions.Unachievable(why=f"step {stage.move.step}: {why}"),
            step=stage.move.step,
            thought="this is not what was verified: it has to be read anew",
        )


class _Since:
    """What was shown since the last move."""

    def __init__(self) -> None:
        self.notices: set[str] = set()
        self.events: set[str] = set()
        self.seen: set[str] = set()

    def take_in(self, shown: Skeleton) -> None:
        """One more look."""
        self.notices |= shown.notices
        self.events |= shown.events
        self.seen |= shown.seen


def bindings_of(wording: Wording) -> tuple[tuple[str, str, str], ...]:
    """What is bound, without what differs from attempt to attempt."""
    return tuple((name, one.form, one.same_as) for name, one in wording.bindings.items())


def _first_difference(then: tuple[str, ...], now: tuple[str, ...]) -> str:
    gone = [line for line in then if line not in now]
    come = [line for line in now if line not in then]
    if gone and come:
        shown, before = describe_line(come[0], gone[0]), describe_line(gone[0], come[0])
        return f"the page shows {shown} where it showed {before}"
    if gone:
        return f"the page does not show {describe_line(gone[0])} any more"
    if come:
        return f"the page shows {describe_line(come[0])} besides"
    return "the page shows the same things in another order"
