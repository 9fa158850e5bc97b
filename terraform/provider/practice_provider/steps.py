"""Which actions, one after the other, bring an item to what is wanted."""

from collections import deque
from collections.abc import Collection, Iterator
from typing import NamedTuple

from practice_provider.spec import Action, Kind


class Step(NamedTuple):
    """An action, and the fields that it has to set."""

    action: Action
    fields: frozenset[str]


class _Place(NamedTuple):
    """Where an item is: its state, and the fields that differ from what is wanted."""

    state: str
    different: frozenset[str]


def steps(
    kind: Kind,
    state: str,
    different: Collection[str],
    emptied: Collection[str] = (),
    goal: str = "",
) -> list[Step] | None:
    """The shortest way to set fields and be in a state; None: there is none.

    Without a goal that is the state of before. Where no way leads back to it (attaching is what
    changes it), the shortest way that sets the fields is taken. Transitions come in where an edit
    is allowed in some states only: an instance is stopped, resized and started.

    Args:
        kind: The type of the item.
        state: The state it is in.
        different: Fields whose values differ from what is wanted.
        emptied: Those of them that shall hold nothing: a transition that clears them will do.
        goal: The state that it shall be in; empty: that of before, or any.
    """
    found: list[Step] | None = None
    for place, way in _ways(kind, _Place(state, frozenset(different)), frozenset(emptied)):
        if place.different:
            continue
        if place.state == (goal or state):
            return way
        found = way if found is None and not goal else found
    return found


def way_to(kind: Kind, state: str, goals: Collection[str]) -> list[Step] | None:
    """The transitions into one of some states, whatever they clear; None: there are none."""
    start = _Place(state, frozenset())
    for place, way in _ways(kind, start, frozenset(field.name for field in kind.fields)):
        if place.state in goals:
            return way
    return None


def _ways(
    kind: Kind, start: _Place, emptied: frozenset[str]
) -> Iterator[tuple[_Place, list[Step]]]:
    """Every place that can be reached, nearest first, and the way there."""
    seen, waiting = {start}, deque([(start, list[Step]())])
    while waiting:
        place, way = waiting.popleft()
        yield place, way
        for action in kind.actions:
            after = _after(action, place, emptied)
            if after is not None and after not in seen:
                seen.add(after)
                waiting.append((after, [*way, Step(action, place.different & action.sets)]))


def _after(action: Action, place: _Place, emptied: frozenset[str]) -> _Place | None:
    if action.sources and place.state not in action.sources:
        return None
    state = action.to or place.state
    if action.sets:
        is_of_use = bool(place.different & action.sets)
        return _Place(state, place.different - action.sets) if is_of_use else None
    cleared = action.clears
    return _Place(state, (place.different - (cleared & emptied)) | (cleared - emptied))
