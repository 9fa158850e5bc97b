"""What a sweep may spend: minutes, model tokens, what is made in the cloud."""

from dataclasses import dataclass
from typing import Self

from appliance.config import SweepSettings
from appliance.store.sweeps import Spent


@dataclass(slots=True)
class _Allowance:
    """One kind of spending; a limit of 0 is none."""

    words: str
    limit: float
    spent: float = 0.0


class Budget:
    """What is left while a plan is made."""

    def __init__(self, seconds: _Allowance, tokens: _Allowance, resource_cost: _Allowance) -> None:
        self._seconds = seconds
        self._tokens = tokens
        self._resource_cost = resource_cost

    @classmethod
    def of(cls, settings: SweepSettings, lanes: int) -> Self:
        """That of the settings, for so many procedures under way at a time."""
        minutes, tokens, cost = (
            settings.budget_minutes,
            settings.budget_tokens,
            settings.budget_cost,
        )
        return cls(
            _Allowance(f"the budget of {minutes:g} minutes", minutes * 60 * lanes),
            _Allowance(f"the budget of {tokens} model tokens", tokens),
            _Allowance(f"the budget of {cost:g} for resources", cost),
        )

    def spend(self, spent: Spent) -> str:
        """Take that away; what there was too little of, in words, or nothing."""
        lack = ""
        for purse, amount in (
            (self._seconds, spent.seconds),
            (self._tokens, spent.tokens),
            (self._resource_cost, spent.resource_cost),
        ):
            purse.spent += amount
            if purse.limit and purse.spent > purse.limit and not lack:
                lack = purse.words
        return lack
