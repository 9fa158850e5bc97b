"""Actions that no text needs to mention: closing pop-ups, navigating, submitting a form."""

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.page import Element, Observation
from appliance.core.procedure import InlineRole, Procedure, Step, prose_of
from appliance.language.names import plain
from appliance.policy.literal import puts_off
from appliance.policy.model.witness import Witness, is_navigation, labels_of


def is_incidental(
    view: Observation, action: Action, procedure: Procedure, step: Step, witness: Witness
) -> bool:
    """Whether any reader would do it without being told to.

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
    if is_navigation(element):
        return not _describes_navigation(procedure, witness)
    return element.is_submit and not _names_submit_button(procedure, step, witness)


def _is_named(element: Element, procedure: Procedure) -> bool:
    name = plain(element.name)
    return any(name == plain(label) for step in procedure.walk() for label in labels_of(step))


def _describes_navigation(procedure: Procedure, witness: Witness) -> bool:
    """Whether the text has a menu path, or a label known to be navigation."""
    roles = {inline.role for sentence in prose_of(procedure) for inline in sentence.inlines}
    labels = (label for step in procedure.walk() for label in labels_of(step))
    return InlineRole.MENU_PATH in roles or any(map(witness.knows_navigation, labels))


def _names_submit_button(procedure: Procedure, step: Step, witness: Witness) -> bool:
    """Whether the text names a button from this step on, be it one that is gone."""
    steps = list(procedure.walk())
    later = steps[steps.index(step) :]
    labels = (label for later_step in later for label in labels_of(later_step))
    has_unseen = any(witness.unseen(later_step) for later_step in later)
    return has_unseen or any(map(witness.knows_button, labels))
