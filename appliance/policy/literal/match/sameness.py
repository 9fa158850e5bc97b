"""Whether a page is as it was."""

from appliance.core.page import Observation


def is_unchanged(before: Observation, now: Observation) -> bool:
    """Whether a reader sees no difference, in the address neither."""
    return _seen(before) == _seen(now)


def _seen(view: Observation) -> tuple[object, ...]:
    elements = [(e.role, e.name, e.value, e.states) for e in view.elements]
    return view.url.rstrip("#"), view.title, view.dialogs, elements, [t.text for t in view.texts]
