"""What is to be made for an attempt, in order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from appliance.core.checks import Need
from appliance.core.jsonable import Json
from appliance.environment.modules import Module


@dataclass(frozen=True, slots=True)
class Reference:
    """The output of another block, as the value of an argument."""

    block: str
    output: str = "id"


Argument: TypeAlias = "Json | Reference | tuple[Reference | str, ...]"
"""A tuple: a list of things, those that were there before by their ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One use of a module."""

    label: str
    """Its name in the configuration: `disk_1`."""
    module: Module
    arguments: Mapping[str, Argument]
    need: Need | None = None
    """What asked for it; None: another block needs it, and nobody gave it values."""
    region: str = ""
    """Where it is made; empty: where the account's provider makes things."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcePlan:
    """What is made for an attempt."""

    blocks: tuple[Block, ...] = ()
    """By Terraform, those that others refer to first."""
    shared: tuple[Block, ...] = ()
    """As `blocks`, for those that serve several attempts and may be there already. Their labels
    are the same for every attempt (`shared_network`), and they have no names yet: whoever
    shares them gives them theirs."""
    by_console: tuple[Need, ...] = ()
    """By the console's own API: no module provides them here."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Bindings by word (`disk`, `disk 2`): the label of the block whose name and id they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inferred:
    """A need that the text speaks of, with why we think so."""

    need: Need
    quote: str
    """The words of the document."""
    line: int
    words: tuple[str, ...] = ()
    """What the text calls it, and the fields that it goes into: to be bound to its name."""
