"""The steps of a wizard, where the page names them: "1 Basics, 2 Condition, 3 Review"."""

import re

from appliance.core.page import Observation, TextKind
from appliance.language.names import same

_NUMBERED = re.compile(
    r"(?:step |第)?(?P<number>\d{1,2})(?:\s*步)?(?:[.:)、：]|\s)\s*(?P<name>\S.*)", re.I
)
_FEWEST = 2


def wizard_steps(view: Observation) -> tuple[str, ...]:
    """The names that the page counts up, from the first; empty where it is no wizard."""
    texts = [t.text.strip() for t in view.texts if t.row is None]
    found: list[str] = []
    for text, behind in zip(texts, [*texts[1:], ""], strict=True):
        counted = _NUMBERED.fullmatch(text)
        number, name = (counted["number"], counted["name"]) if counted else (text, behind)
        if number == str(len(found) + 1) and name and not name.isdecimal():
            found.append(name)
    return tuple(found) if len(found) >= _FEWEST else ()


def current_step(view: Observation) -> str | None:
    """The step that is open: its name stands over its fields."""
    headings = [t.text for t in view.texts if t.kind is TextKind.HEADING]
    open_ones = [name for name in wizard_steps(view) if any(same(name, h) for h in headings)]
    return open_ones[0] if len(open_ones) == 1 else None
