"""A page of a list, and how many there are in all."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Paging:
    """Which part of a list is wanted."""

    offset: int = 0
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Paged(Generic[T]):
    """A part of a list."""

    items: tuple[T, ...]
    total: int
    """Of the whole list."""
