"""What was done so far: a line a turn, and what goes round in circles."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.page import Change, ChangeKind, Observation, Performed

_TOLD = 30
"""Turns that are told; of those before, only how many there were."""
_AROUND = 12
"""Turns among which the same again is looked for."""
_WAITS = 3
"""Waiting so often in a row helps no more (as phone agents are told, too)."""
_AGAIN_AND_AGAIN = (actions.Scroll, actions.Unfold)
_NEWS = frozenset({ChangeKind.NOTICE, ChangeKind.DIALOG_OPENED, ChangeKind.DIALOG_CLOSED})


@dataclass(slots=True)
class Done:
    """One turn, as the prompt tells it."""

    number: int
    step: str
    action: str
    text: str
    on: str
    is_detour: bool
    same: tuple[str, Action]
    """The page's fingerprint and the action, by which circles are seen."""
    ok: bool | None = None
    error: str = ""
    after: tuple[str, ...] = ()
    view: Observation | None = None
    """The page on which it was chosen, where so many are kept."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """A word of warning for the next prompt."""

    kind: str
    """`repeated` or `waited`."""
    count: int
    action: str = ""
    on: str = ""


@dataclass(slots=True)
class History:
    """The turns of one attempt."""

    turns: list[Done] = field(default_factory=list)
    before: Observation | None = None
    """The page on which the newest action was chosen."""

    def add(
        self, view: Observation, action: Action, step: str, *, is_detour: bool, kept: int = 1
    ) -> None:
        """Keep an action that was chosen.

        Args:
            view: The page on which it was.
            action: What was chosen.
            step: Which step it serves.
            is_detour: Whether the text does not say to do it.
            kept: How many of the newest pages a prompt tells, with the one to come.
        """
        on = _words(view, action.element)
        if isinstance(action, actions.Drag):
            on += f" to {_words(view, action.to)}"
        if isinstance(action, actions.ClickAt):
            on = f"({action.point[0]:.0f}, {action.point[1]:.0f})"
        self.turns.append(
            Done(
                number=len(self.turns) + 1,
                step=step,
                action=action.kind.value,
                text=action.argument,
                on=on,
                is_detour=is_detour,
                same=(view.fingerprint, action),
                view=view,
            )
        )
        self.before = view
        for done in self.turns[: max(0, len(self.turns) - (kept - 1))]:
            done.view = None

    def settle(self, last: Performed | None) -> None:
        """Keep what came of the newest action."""
        if not self.turns or last is None:
            return
        done = self.turns[-1]
        done.ok, done.error = last.ok, last.error
        done.after = tuple(_news(last))

    def told(self) -> tuple[list[Done], int]:
        """The turns that the prompt tells, and how many came before them."""
        return self.turns[-_TOLD:], max(0, len(self.turns) - _TOLD)

    def unfolded(self, view: Observation) -> Observation | None:
        """The rows that the newest action brought in, wherever they are; None: it brought none."""
        last = self.turns[-1] if self.turns else None
        if last is None or not isinstance(last.same[1], actions.Unfold) or self.before is None:
            return None
        known, said = {e.id for e in self.before.elements}, {t.text for t in self.before.texts}
        elements = tuple(e for e in view.elements if e.fold is not None and e.id not in known)
        texts = tuple(t for t in view.texts if t.fold is not None and t.text not in said)
        if not elements and not texts:
            return None
        return replace(view, elements=elements, texts=texts, folds=(), events=(), dialogs=())

    def nudges(self) -> tuple[Nudge, ...]:
        """What to say of an action that was done on the very same page before."""
        if not self.turns:
            return ()
        last = self.turns[-1]
        _, action = last.same
        if isinstance(action, actions.Wait):
            waits = self._waits()
            return (Nudge("waited", waits),) if waits >= _WAITS else ()
        count = sum(done.same == last.same for done in self.turns[-_AROUND:])
        if count < 2 or isinstance(action, _AGAIN_AND_AGAIN):
            return ()
        return (Nudge("repeated", count, last.action, last.on),)

    def _waits(self) -> int:
        count = 0
        for done in reversed(self.turns):
            is_same = done.same[0] == self.turns[-1].same[0]
            if not isinstance(done.same[1], actions.Wait) or not is_same:
                break
            count += 1
        return count


def _words(view: Observation, number: int | None) -> str:
    element = view.element(number) if number is not None else None
    if element is None:
        return ""
    row = f" ({element.row})" if element.row is not None else ""
    return f"{element.role} “{element.name or element.text}”{row}"


def _news(last: Performed) -> Iterator[str]:
    if last.report:
        yield last.report
    yield from (f"{event.kind}: {event.text}" for event in last.events[:3])
    yield from (_said(change) for change in last.changes if change.kind in _NEWS)


def _said(change: Change) -> str:
    return f"{change.kind.value.replace('_', ' ')}: {change.text}"
