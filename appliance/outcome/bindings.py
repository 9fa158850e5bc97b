"""Bound values in texts: `${name}` stands for the value of that name."""

import difflib
from collections.abc import Mapping

from appliance.core.errors import OutcomeError
from appliance.core.placeholders import fill_in


def expand(text: str, bindings: Mapping[str, str], where: str = "") -> str:
    """Put the bound values into `text`.

    Names are looked up as they stand, then without regard to case and spacing. `$${x}` is a
    plain `${x}`.

    Raises:
        OutcomeError: A name has no value.
    """
    folded = {_fold(name): value for name, value in bindings.items()} if "${" in text else {}

    def value(name: str) -> str:
        if name in bindings:
            return bindings[name]
        if _fold(name) in folded:
            return folded[_fold(name)]
        raise OutcomeError(_undefined_message(name, bindings, where))

    return fill_in(text, value)


def _fold(name: str) -> str:
    return " ".join(name.split()).casefold()


def _undefined_message(name: str, bindings: Mapping[str, str], where: str) -> str:
    close = difflib.get_close_matches(name, bindings, n=1)
    hint = f"did you mean ${{{close[0]}}}?" if close else f"known: {_list_names(bindings)}"
    place = f"{where}: " if where else ""
    return f"{place}no value is bound to ${{{name}}}; {hint}"


def _list_names(bindings: Mapping[str, str]) -> str:
    return ", ".join(sorted(bindings)) or "none"
