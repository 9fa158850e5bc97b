"""What a model may write for one console: which types, how many, and what they cost."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.config import CoderSettings
from appliance.core.errors import SetupError
from appliance.environment.coder.schema import ProviderSchema
from appliance.environment.modules import JSON_FILE, Module

NAME_IT = "Whoever runs this has to name the type in full in environment.coder.allow."
"""What to do about a type without a price."""
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
    """By type of resource: every one of the schema has one."""
    unpriced: frozenset[str]
    """Types that would be allowed, did anybody know what they cost."""
    max_resources: int
    max_cost_per_hour: float

    @property
    def currency(self) -> str:
        """Of the prices."""
        return next((price.currency for price in self.prices.values() if price.currency), "")


def allowed(modules: Iterable[Module], schema: ProviderSchema, settings: CoderSettings) -> Allowed:
    """What may be written.

    Without `allow`, the types that our modules use. With it, those that it names. Where no module
    knows the price of a type, it has to be named in full: somebody then decided on just this one,
    and it counts as free. One that only a pattern or a module names is refused.
    """
    prices = {n: Price(per_hour=0.0) for n in settings.allow if not _WILD & set(n)}
    used: set[str] = set(_LOOKING)
    for module in modules:
        types, data = _types(module)
        used |= {*types, *data}
        if module.cost.is_known:
            # What a module costs is the price of what it is about; the rest is in that price,
            # unless a module of its own says more.
            mine = Price(per_hour=module.cost.per_hour, currency=module.cost.currency)
            rest = Price(per_hour=0.0, currency=mine.currency)
            for name, price in zip(types, (mine, *[rest] * len(types)), strict=False):
                prices[name] = max(prices.get(name, price), price, key=lambda p: p.per_hour)
    chosen = schema.matching(settings.allow or tuple(used))
    priced = {name: kind for name, kind in chosen.resources.items() if name in prices}
    return Allowed(
        schema=ProviderSchema(resources=priced, data=chosen.data),
        prices={name: prices[name] for name in priced},
        unpriced=frozenset(chosen.resources.keys() - priced.keys()),
        max_resources=settings.max_resources,
        max_cost_per_hour=settings.max_cost_per_hour,
    )


def _types(module: Module) -> tuple[list[str], set[str]]:
    """The types of a module's resources, what it is about first, and of its data sources."""
    heads = [*_heads(module.folder)]
    types = [name for kind, name in heads if kind == "resource"]
    types.sort(key=lambda name: not name.endswith(module.name))
    return types, {name for kind, name in heads if kind == "data"}


def _heads(folder: Path) -> Iterator[tuple[str, str]]:
    """`("resource", "practice_disk")`: of its files, and of the one that a model wrote."""
    for file in sorted(folder.glob("*.tf")):
        yield from _HEAD.findall(file.read_text(encoding="utf-8"))
    if (file := folder / JSON_FILE).is_file():
        try:
            configuration = json.loads(file.read_text(encoding="utf-8"))
            yield from (
                (kind, name)
                for kind in ("resource", "data")
                for name in configuration.get(kind, ())
            )
        except (ValueError, AttributeError, TypeError) as exc:
            raise SetupError(f"{file} is no Terraform: {exc}") from exc
