"""What no text has to say, and is no detour: pop-ups closed, the way there, the form sent."""

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.page import Element, Observation
from appliance.core.procedure import InlineRole, Procedure, Step, prose_of
from appliance.language.names import plain
from appliance.policy.literal import puts_off
from appliance.policy.model.witness import Witness, is_way, labels_of


def is_incidental(
    view: Observation, action: Action, procedure: Procedure, step: Step, witness: Witness
) -> bool:
    """Whether any reader would do it without being told to.

    Where the text itself says how to get there, or what to send it with, another way is a detour.

    Args:
        view: The page.
        action: What is to be done on it.
        procedure: The text.
        step: Which of its steps it serves.
        witness: Knows what pages have shown.
    """
    element = view.element(action.element) if action.element is not None else None
    if element is None or not isinstance(action, actions.Click | actions.Hover):
        return False
    if puts_off(element, view):
        return not _is_named(element, procedure)
    if is_way(element):
        return not _tells_way(procedure, witness)
    return element.is_submit and not _tells_sending(procedure, step, witness)


def _is_named(element: Element, procedure: Procedure) -> bool:
    name = plain(element.name)
    return any(name == plain(label) for step in procedure.walk() for label in labels_of(step))


def _tells_way(procedure: Procedure, witness: Witness) -> bool:
    """Whether a menu path stands in the text, or a label that leads through the console."""
    roles = {inline.role for sentence in prose_of(procedure) for inline in sentence.inlines}
    labels = (label for step in procedure.walk() for label in labels_of(step))
    return InlineRole.MENU_PATH in roles or any(map(witness.knows_way, labels))


def _tells_sending(procedure: Procedure, step: Step, witness: Witness) -> bool:
    """Whether a button stands in the text from this step on: one that is gone is one, too."""
    steps = list(procedure.walk())
    later = steps[steps.index(step) :]
    labels = (label for each in later for label in labels_of(each))
    is_gone = any(witness.unseen(each) for each in later)
    return is_gone or any(map(witness.knows_button, labels))
