"""What was done so far, one line per turn, and warnings about repetition."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.page import Change, ChangeKind, Observation, Performed

_MAX_TURNS = 30
"""Turns that are told; of those before, only how many there were."""
_REPETITION_WINDOW = 12
"""Turns among which the same again is looked for."""
_MANY_TIMES = 3
"""So often is too often, whatever came of it: people go round in circles, too."""
_MAX_WAITS = 3
"""Waiting so often in a row helps no more (as phone agents are told, too)."""
_REPEATABLE = (actions.Scroll, actions.Unfold)
_NOTEWORTHY = frozenset({ChangeKind.NOTICE, ChangeKind.DIALOG_OPENED, ChangeKind.DIALOG_CLOSED})


@dataclass(slots=True)
class Turn:
    """One turn, as the prompt shows it."""

    number: int
    step: str
    action: str
    text: str
    on: str
    is_detour: bool
    repetition_key: tuple[str, Action]
    """The page's fingerprint and the action, by which circles are seen."""
    ok: bool | None = None
    error: str = ""
    after: tuple[str, ...] = ()
    view: Observation | None = None
    """The page on which it was chosen, where so many are kept."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """A warning for the next prompt."""

    kind: str
    """`repeated` or `waited`."""
    count: int
    action: str = ""
    on: str = ""


@dataclass(slots=True)
class History:
    """The turns of one attempt."""

    turns: list[Turn] = field(default_factory=list)
    before: Observation | None = None
    """The page on which the newest action was chosen."""

    def add(
        self, view: Observation, action: Action, step: str, *, is_detour: bool, page_limit: int = 1
    ) -> None:
        """Record an action that was chosen.

        Args:
            view: The page on which it was chosen.
            action: The action.
            step: The step that it serves.
            is_detour: Whether the text does not say to do it.
            page_limit: How many of the newest pages a prompt shows, including the next.
        """
        object_text = _element_text(view, action.element)
        if isinstance(action, actions.Drag):
            object_text += f" to {_element_text(view, action.to)}"
        if isinstance(action, actions.ClickAt):
            object_text = f"({action.point[0]:.0f}, {action.point[1]:.0f})"
        self.turns.append(
            Turn(
                number=len(self.turns) + 1,
                step=step,
                action=action.kind.value,
                text=action.argument,
                on=object_text,
                is_detour=is_detour,
                repetition_key=(view.fingerprint, action),
                view=view,
            )
        )
        self.before = view
        for turn in self.turns[: max(0, len(self.turns) - (page_limit - 1))]:
            turn.view = None

    def settle(self, last: Performed | None) -> None:
        """Record the result of the newest action."""
        if not self.turns or last is None:
            return
        turn = self.turns[-1]
        turn.ok, turn.error = last.ok, last.error
        url = self.before.url if self.before is not None else ""
        turn.after = tuple(_outcome_lines(last, url))

    def recent_turns(self) -> tuple[list[Turn], int]:
        """The turns that the prompt shows, and the number of those before them."""
        return self.turns[-_MAX_TURNS:], max(0, len(self.turns) - _MAX_TURNS)

    def unfolded(self, view: Observation) -> Observation | None:
        """The rows that the newest action unfolded, even out of view; None if there are none."""
        last = self.turns[-1] if self.turns else None
        if (
            last is None
            or not isinstance(last.repetition_key[1], actions.Unfold)
            or self.before is None
        ):
            return None
        known_ids, known_texts = (
            {e.id for e in self.before.elements},
            {t.text for t in self.before.texts},
        )
        elements = tuple(e for e in view.elements if e.fold is not None and e.id not in known_ids)
        texts = tuple(t for t in view.texts if t.fold is not None and t.text not in known_texts)
        if not elements and not texts:
            return None
        return replace(view, elements=elements, texts=texts, folds=(), events=(), dialogs=())

    def nudges(self) -> tuple[Nudge, ...]:
        """Warnings, if the newest action was done before on an identical page, and in vain."""
        if not self.turns:
            return ()
        last = self.turns[-1]
        _, action = last.repetition_key
        if isinstance(action, actions.Wait):
            waits = self._consecutive_waits()
            return (Nudge("waited", waits),) if waits >= _MAX_WAITS else ()
        recent = self.turns[-_REPETITION_WINDOW:]
        again = [i for i, turn in enumerate(recent) if turn.repetition_key == last.repetition_key]
        page = last.repetition_key[0]
        was_in_vain = any(recent[i + 1].repetition_key[0] == page for i in again[:-1])
        is_too_often = len(again) >= _MANY_TIMES or (len(again) > 1 and was_in_vain)
        if not is_too_often or isinstance(action, _REPEATABLE):
            return ()
        return (Nudge("repeated", len(again), last.action, last.on),)

    def _consecutive_waits(self) -> int:
        count = 0
        for turn in reversed(self.turns):
            is_same = turn.repetition_key[0] == self.turns[-1].repetition_key[0]
            if not isinstance(turn.repetition_key[1], actions.Wait) or not is_same:
                break
            count += 1
        return count


def _element_text(view: Observation, number: int | None) -> str:
    element = view.element(number) if number is not None else None
    if element is None:
        return ""
    row = f" ({element.row})" if element.row is not None else ""
    return f"{element.role} “{element.name or element.text}”{row}"


def _outcome_lines(last: Performed, url: str) -> Iterator[str]:
    if last.report:
        yield last.report
    yield from (f"{event.kind}: {event.text_on(url)}" for event in last.events[:3])
    yield from (_change_text(change) for change in last.changes if change.kind in _NOTEWORTHY)


def _change_text(change: Change) -> str:
    return f"{change.kind.value.replace('_', ' ')}: {change.text}"
