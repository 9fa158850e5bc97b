"""What was perhaps meant by a word that nobody knows, for the message that says so."""

import difflib
from collections.abc import Iterable

_ALIKE = 0.6
"""How alike two words are (`difflib`, 0..1) of which one may be the other with a slip."""


def meant(word: str, known: Iterable[str], alike: float = _ALIKE) -> str:
    """The known word that is near, at least so alike; empty: none is."""
    return next(iter(difflib.get_close_matches(word, list(known), n=1, cutoff=alike)), "")


def nearest(word: str, known: Iterable[str], otherwise: str = "there is nothing") -> str:
    """`did you mean …?`, or the list of what there is; `otherwise`: there is nothing."""
    names = sorted(known)
    if near := meant(word, names, alike=0.5):
        return f"did you mean {near!r}?"
    return f"there is {', '.join(names)}" if names else otherwise
