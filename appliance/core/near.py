"""What was perhaps meant by a word that nobody knows, for the message that says so."""

import difflib
from collections.abc import Iterable

_ALIKE = 0.55
"""Share of letters in common from which on two words may be one with a slip."""


def meant(word: str, known: Iterable[str]) -> str:
    """The known word that is near; empty: none is."""
    return next(iter(difflib.get_close_matches(word, list(known), n=1, cutoff=_ALIKE)), "")


def nearest(word: str, known: Iterable[str], otherwise: str = "there is nothing") -> str:
    """`did you mean …?`, or the list of what there is; `otherwise`: there is nothing."""
    names = sorted(known)
    if near := meant(word, names):
        return f"did you mean {near!r}?"
    return f"there is {', '.join(names)}" if names else otherwise
