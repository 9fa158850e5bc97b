"""What all rules of the product data look at."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from appliance.practice._tree import nearest
from appliance.practice.catalogue import Located

SPECIAL = frozenset({"state", "created", "id", "region"})
"""Columns and detail lines that every item has."""


class Surroundings(NamedTuple):
    """What is around a resource."""

    kinds: Mapping[str, Located]
    permissions: set[str]


def unknown(where: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    """A sentence for each name that is not known, with the nearest one that is."""
    known = list(known)
    for name in names:
        if name not in known:
            yield f"{where}: there is no {name!r}; {nearest(name, known)}"
