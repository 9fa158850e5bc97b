"""Restores an account to its state before an attempt."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.consoles import Account, Console, Trace
from appliance.core.blocking import in_thread
from appliance.core.clock import Clock
from appliance.core.errors import AttemptError, HinderedError
from appliance.core.resources import Inventory, Lifetime, Phase, Receipt, ReceiptKind
from appliance.environment.accounts import AccountPool
from appliance.environment.obstacles import Obstacles
from appliance.environment.provisioning import Notes, Provisioner
from appliance.store.store import Store

CLEAN_UP = "clean-up"
"""Who puts an account into quarantine when something is left in it."""
ROUNDS = 3
"""What was made by hand may hang on what was provisioned and the reverse: each round frees some."""
_PAUSE_S = 1.0


@dataclass(frozen=True, slots=True)
class Recovery:
    """Deletes what an attempt made, destroys what was made for it, and checks for leftovers."""

    console: Console
    provisioner: Provisioner
    store: Store
    pool: AccountPool
    clock: Clock
    obstacles: Obstacles

    async def finish(
        self,
        lifetime: Lifetime,
        over: Phase,
        *,
        gives_back: bool = False,
        seen: tuple[Receipt, ...] | None = None,
    ) -> str:
        """Restore the account and keep how that ended; what is left, with why.

        The account is in quarantine when something is left.

        With `gives_back`, the account leaves the quarantine of an earlier clean-up when nothing is
        left. `seen` is what the console's own lists showed of the attempt, where somebody looked.

        Raises:
            HinderedError: It cannot be done now, and that is not the account's fault: later.
            StoreError: It is done, and could not be written down: done again, it does no harm.
        """
        notes = Notes()
        try:
            account = self.console.accounts(lifetime.account)[0]
            problem = await self._restore(lifetime, account, notes, seen)
        except AttemptError as exc:
            problem = str(exc)
        if problem:
            await self.obstacles.require_clear()
        if notes.failed:
            raise notes.failed
        if problem:
            reason = f"could not remove {problem}"
            await self.pool.quarantine(lifetime.account, reason, by=CLEAN_UP)
        elif gives_back:
            await self._give_back(lifetime.account)
        phase = Phase.FAILED if problem else over
        now = self.clock.now()
        await in_thread(self.store.attempts.enter, lifetime.id, phase, problem=problem, at=now)
        return problem

    async def _give_back(self, account: str) -> None:
        """Release the account from the quarantine of an earlier clean-up."""
        by = {row.name: row.quarantined_by for row in self.pool.list()}
        if by.get(account) == CLEAN_UP:
            await self.pool.release(account)

    async def _restore(
        self,
        lifetime: Lifetime,
        account: Account,
        notes: Notes,
        seen: tuple[Receipt, ...] | None,
    ) -> str:
        """Clean up in up to three rounds; return a sentence on what is left, or an empty text."""
        problem = ""
        for number in range(ROUNDS):
            if number:
                await asyncio.sleep(number * _PAUSE_S)
            try:
                problem = await self._once(lifetime, account, notes, seen)
            except AttemptError as exc:
                if down := await self.obstacles.console():
                    raise HinderedError(down) from exc
                problem = str(exc)
            if not problem:
                break
        return problem

    async def _once(
        self,
        lifetime: Lifetime,
        account: Account,
        notes: Notes,
        seen: tuple[Receipt, ...] | None,
    ) -> str:
        """Do one round of cleaning; goes on even if a full disk prevents taking notes."""
        attempts = self.store.attempts
        await notes.keep(lambda: attempts.enter(lifetime.id, Phase.RECOVERING))
        trace = Trace(
            since=lifetime.since,
            unique=lifetime.unique,
            before=lifetime.baseline,
            keep=await asyncio.to_thread(self.provisioner.kept),
            seen=seen,
        )
        deleted = await self.console.recover(account, trace)
        await notes.keep(lambda: attempts.enter(lifetime.id, Phase.DESTROYING))
        destroyed = await self.provisioner.destroy(lifetime, account, notes)
        receipts = [*deleted, *destroyed]
        await notes.keep(lambda: attempts.add_receipts(lifetime.id, receipts))
        left_on_purpose = {(r.kind, r.id) for r in receipts if r.deed is ReceiptKind.LEFT}
        remaining = [
            r
            for r in await self._leftovers(lifetime, account)
            if (r.kind, r.id) not in left_on_purpose
        ]
        return _summary([*_failed_receipts(receipts), *remaining])

    async def _leftovers(self, lifetime: Lifetime, account: Account) -> Sequence[Receipt]:
        """Resources that did not exist before the attempt, whether or not a deletion failed."""
        if lifetime.baseline is None:
            return ()
        now = await self.console.inventory(account) or Inventory()
        kept_names = await asyncio.to_thread(self.provisioner.kept)
        return [
            Receipt(
                deed=ReceiptKind.FAILED, kind=t.kind, id=t.id, name=t.name, why="it is still there"
            )
            for t in now.since(lifetime.baseline)
            if t.id not in kept_names
        ]


def _failed_receipts(receipts: Iterable[Receipt]) -> list[Receipt]:
    return [receipt for receipt in receipts if receipt.deed is ReceiptKind.FAILED]


def _summary(receipts: Sequence[Receipt]) -> str:
    """List each resource once, with its first reason, grouped by reason."""
    by_thing = {(r.kind, r.id): r for r in reversed(receipts)}
    by_reason: dict[str, list[str]] = {}
    for receipt in by_thing.values():
        named = f"{receipt.kind} {receipt.name or receipt.id}"
        by_reason.setdefault(receipt.why, []).append(named)
    return "; ".join(f"{', '.join(things)}: {why}" for why, things in by_reason.items())
