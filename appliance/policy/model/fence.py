"""Escapes page text for a line of a prompt, and finds text that addresses an assistant."""

from appliance.browser import clean
from appliance.core import fencing
from appliance.core.page import Observation
from appliance.core.secrets import without_secrets

_QUOTED = 160


def line(text: object, limit: int = 200) -> str:
    """Untrusted text as a part of one line, escaped and cut."""
    return fencing.escaped(clean(without_secrets(str(text)), limit))


def text_to_assistant(view: Observation) -> str:
    """The first text of the page that addresses an assistant, quoted; empty if there is none."""
    texts = [t.text for t in view.texts]
    texts += [text for e in view.elements for text in (e.name, e.value, e.description) if text]
    commands = fencing.commanded("\n".join(texts))
    return clean(commands[0], _QUOTED) if commands else ""
