"""What a model may write for one console: which types, how many, and what they cost."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from appliance.config import CoderSettings
from appliance.environment.coder.schema import ProviderSchema, matches
from appliance.environment.modules import Module

_WILD = frozenset("*?[")
_LOOKING = ("practice_item",)
"""Data sources that may always be used: they find what is there, and tell no secrets."""
_HEAD = re.compile(r'^(resource|data) +"([a-z0-9_]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one of a type costs while it is there."""

    per_hour: float
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The limits for one console."""

    schema: ProviderSchema
    """Of the allowed types only."""
    prices: Mapping[str, Price]
    """By type of resource. A type that is not in it has no known price and is refused."""
    max_resources: int
    max_cost_per_hour: float

    @property
    def currency(self) -> str:
        """Of the prices."""
        return next((price.currency for price in self.prices.values() if price.currency), "")


def allowed(modules: Iterable[Module], schema: ProviderSchema, settings: CoderSettings) -> Allowed:
    """What may be written.

    Without `allow`, the types that our modules use. With it, those that it names: one named in
    full whose price no module knows counts as free, since somebody decided on just this one; one
    that only a pattern names is refused.

    Args:
        modules: Those for the console.
        schema: All that its provider knows.
        settings: `environment.coder`.
    """
    used: dict[str, Price] = {}
    looked_up: set[str] = set()
    for module in modules:
        types, data = _types(module)
        looked_up |= data
        price = Price(per_hour=module.cost.per_hour, currency=module.cost.currency)
        for number, name in enumerate(types):
            # What a module costs is the cost of what it is about; the rest of it is in that price,
            # unless a module of its own says more.
            mine = price if number == 0 else Price(per_hour=0.0, currency=price.currency)
            used[name] = max(used.get(name, mine), mine, key=lambda each: each.per_hour)
    patterns = settings.allow or (*used, *looked_up, *_LOOKING)
    chosen = schema.matching(patterns)
    named = {name: Price(per_hour=0.0) for name in settings.allow if not _WILD & set(name)}
    return Allowed(
        schema=chosen,
        prices={n: p for n, p in {**named, **used}.items() if matches(n, patterns)},
        max_resources=settings.max_resources,
        max_cost_per_hour=settings.max_cost_per_hour,
    )


def _types(module: Module) -> tuple[list[str], set[str]]:
    """The types of a module's resources, what it is about first, and of its data sources."""
    text = "\n".join(f.read_text(encoding="utf-8") for f in sorted(module.folder.glob("*.tf")))
    heads: list[tuple[str, str]] = _HEAD.findall(text)
    types = [name for kind, name in heads if kind == "resource"]
    types.sort(key=lambda name: not name.endswith(module.name))
    return types, {name for kind, name in heads if kind == "data"}
