"""What an account was like before an attempt, kept until its recovery is complete."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from appliance.core.resources import Receipt, ReceiptKind

State = TypeVar("State")


@dataclass(slots=True)
class _CacheEntry(Generic[State]):
    state: State
    unique: str = ""
    """The marker of the attempt that was recovered first since then; empty: none yet."""


@dataclass(slots=True)
class Memory(Generic[State]):
    """By account. One state serves all rounds of one attempt's recovery, and no other attempt."""

    _by_account: dict[str, _CacheEntry[State]] = field(default_factory=dict)

    def keep(self, account: str, state: State) -> None:
        """Remember how things are now."""
        self._by_account[account] = _CacheEntry(state)

    def of(self, account: str, unique: str) -> State | None:
        """How things were before the attempt with this marker; None: nobody remembers."""
        kept = self._by_account.get(account)
        if kept is None or not unique or kept.unique not in ("", unique):
            return None
        kept.unique = unique
        return kept.state

    def settle(self, account: str, unique: str, receipts: list[Receipt]) -> None:
        """Forget it, unless something is left to be done."""
        kept = self._by_account.get(account)
        is_left = any(receipt.deed is ReceiptKind.FAILED for receipt in receipts)
        if kept is not None and kept.unique == unique and not is_left:
            del self._by_account[account]
