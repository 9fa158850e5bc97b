"""Suggestions for a misspelt word, for error messages."""

import difflib
from collections.abc import Iterable

_ALIKE = 0.6
"""How alike two words are (`difflib`, 0..1) of which one may be the other with a slip."""


def meant(word: str, candidates: Iterable[str], alike: float = _ALIKE) -> str:
    """Return the candidate most like the word, at least `alike`; empty if none is."""
    return next(iter(difflib.get_close_matches(word, list(candidates), n=1, cutoff=alike)), "")


def nearest(word: str, candidates: Iterable[str], otherwise: str = "there is nothing") -> str:
    """`did you mean …?`, or the list of what there is; `otherwise`: there is nothing."""
    names = sorted(candidates)
    if near := meant(word, names, alike=0.5):
        return f"did you mean {near!r}?"
    return f"there is {', '.join(names)}" if names else otherwise
