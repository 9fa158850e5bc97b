"""Page text as a part of a line, and where a page speaks to an assistant."""

from appliance.browser import clean
from appliance.core import fencing
from appliance.core.page import Observation
from appliance.core.secrets import without_secrets

_QUOTED = 160


def line(text: object, limit: int = 200) -> str:
    """Text of others as a part of one line, cut."""
    return fencing.escaped(clean(without_secrets(str(text)), limit))


def addressed(view: Observation) -> str:
    """The first text of the page that speaks to an assistant, quoted; empty: there is none."""
    texts = [t.text for t in view.texts]
    texts += [said for e in view.elements for said in (e.name, e.value, e.description) if said]
    found = fencing.commanded("\n".join(texts))
    return clean(found[0], _QUOTED) if found else ""
