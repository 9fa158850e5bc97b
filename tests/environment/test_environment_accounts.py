"""The account pool: turns, waits, expiry, quarantine, crashes."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from appliance.config import AccountSettings, LeaseSettings
from appliance.consoles.base import Account, matching_accounts
from appliance.core.errors import ConsoleError, ProvisioningError, StoreError
from appliance.core.events import AccountQuarantined, Events
from appliance.environment.accounts import AccountPool, Lease
from appliance.store.accounts import LeaseRow
from appliance.store.store import Store


class Source:
    """Accounts without a console."""

    name = "cloud"

    def __init__(self, accounts: Mapping[str, AccountSettings]) -> None:
        self.known = accounts

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        return matching_accounts(self.name, self.known, wanted)


class Clock:
    def __init__(self) -> None:
        self.time = datetime(2026, 11, 21, 9, tzinfo=UTC)

    def now(self) -> datetime:
        self.time += timedelta(milliseconds=1)  # no two moments are the same
        return self.time

    def monotonic(self) -> float:
        return self.time.timestamp()


class Ledger:
    """The tables' part that the pool needs, in memory: for the many runs of a property test."""

    def __init__(self) -> None:
        self.rows: dict[str, LeaseRow] = {}

    def states(self, console: str) -> tuple[()]:
        return ()

    def leases(self, console: str) -> tuple[()]:
        return ()

    def take(self, row: LeaseRow) -> None:
        self.rows[row.id] = row

    def end(self, lease_id: str, at: datetime) -> bool:
        return self.rows.pop(lease_id, None) is not None


def identity(role: str = "member", **more: object) -> AccountSettings:
    return AccountSettings(username="u", role=role, **more)  # type: ignore[arg-type]


ACCOUNTS = {"one": identity(), "two": identity(), "root": identity("admin")}
QUICK = LeaseSettings(heartbeat_s=0.01, wait_minutes=0.002)
CALM = LeaseSettings(wait_minutes=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as store:
        yield store


def pool_of(
    store: Store,
    accounts: Mapping[str, AccountSettings] = ACCOUNTS,
    times: LeaseSettings = QUICK,
    clock: Clock | None = None,
) -> AccountPool:
    return AccountPool(Source(accounts), store.accounts, times, clock or Clock(), accounts)


async def test_a_lease_is_in_the_store_while_it_lasts(store: Store) -> None:
    pool = pool_of(store)
    async with pool.lease("one", "run/p") as lease:
        [row] = store.accounts.leases()
        assert (row.id, row.account, row.holder) == (lease.id, "one", "run/p")
        assert {r.name: r.standing for r in pool.list()} == {
            "one": "leased", "two": "free", "root": "free",
        }  # fmt: skip
    assert store.accounts.leases() == ()
    assert {r.standing for r in pool.list()} == {"free"}


async def test_the_account_that_rested_longest_goes_first(store: Store) -> None:
    pool, names = pool_of(store), []
    for _ in range(4):
        async with pool.lease(None, "run/p") as lease:
            names.append(lease.account.name)
    assert names == ["one", "two", "one", "two"]
    again = pool_of(store)  # the turn outlives the process
    async with again.lease(None, "run/p") as lease:
        assert lease.account.name == "one"


async def test_a_shareable_account_serves_many_and_the_least_used_first(store: Store) -> None:
    shared = {"one": identity(is_shareable=True), "two": identity(is_shareable=True)}
    pool = pool_of(store, shared)
    async with AsyncExitStack() as stack:
        names = [
            (await stack.enter_async_context(pool.lease(None, f"run/{n}"))).account.name
            for n in range(4)
        ]
        assert len(store.accounts.leases()) == 4
    assert sorted(names) == ["one", "one", "two", "two"]
    assert names[0] != names[1]


async def test_an_unknown_wish_is_said_at_once(store: Store) -> None:
    with pytest.raises(ConsoleError, match="no account nobody"):
        async with pool_of(store).lease("nobody", "run/p"):
            raise AssertionError


async def test_whoever_waits_too_long_is_told_why(store: Store) -> None:
    pool = pool_of(store)
    await pool.quarantine("two", "disk d-1 is still there", "clean-up")
    async with pool.lease("one", "run-1/disks"):
        with pytest.raises(ProvisioningError) as caught:
            async with pool.lease(None, "run-1/networks"):
                raise AssertionError
        said = str(caught.value)
    assert "no account of cloud came free for run-1/networks within 0.002 minutes" in said
    assert "one is used by run-1/disks since 09:00 UTC" in said
    assert "two is in quarantine since 2026-11-21 09:00 UTC by clean-up: disk d-1 is still" in said
    assert "appliance account release two" in said
    async with pool.lease("one", "the next"):  # who gave up keeps nobody from it
        pass


async def test_nobody_waits_for_accounts_in_quarantine(store: Store) -> None:
    pool = pool_of(store, times=CALM)
    async with pool.lease("root", "run/p"):
        waiting = asyncio.create_task(_once(pool, "admin"))
        await asyncio.sleep(0)
        await pool.quarantine("root", "locked by the cloud", "health")
        with pytest.raises(ProvisioningError, match="by health: locked by the cloud"):
            await asyncio.wait_for(waiting, 2)
    with pytest.raises(ProvisioningError, match="may be used for run/x: root is in quarantine"):
        await _once(pool, "root")
    assert await pool.release("root")
    assert not await pool.release("root")
    assert await _once(pool, "root") == "root"


async def _once(pool: AccountPool, wanted: str | None) -> str:
    async with pool.lease(wanted, "run/x") as lease:
        return lease.account.name


async def test_whoever_waits_for_a_rare_account_is_not_overtaken(store: Store) -> None:
    pool, got = pool_of(store, times=CALM), []

    async def use(wanted: str | None, name: str) -> None:
        async with pool.lease(wanted, name) as lease:
            got.append((name, lease.account.name))
            await asyncio.sleep(0)

    async with pool.lease("one", "a"), pool.lease("two", "b"):
        later = [asyncio.create_task(use("one", "rare"))]
        await asyncio.sleep(0)
        later += [asyncio.create_task(use(None, f"any {n}")) for n in range(5)]
        await asyncio.sleep(0)
    await asyncio.gather(*later)
    assert next(name for name, account in got if account == "one") == "rare"


async def test_a_holder_that_is_cancelled_gives_the_account_back(store: Store) -> None:
    pool, inside = pool_of(store, times=CALM), asyncio.Event()

    async def hold() -> None:
        async with pool.lease("one", "run/p"):
            inside.set()
            await asyncio.sleep(60)

    holder = asyncio.create_task(hold())
    await inside.wait()
    waiter = asyncio.create_task(hold())
    await asyncio.sleep(0)
    waiter.cancel()
    holder.cancel()
    await asyncio.wait([holder, waiter])
    assert holder.cancelled() and waiter.cancelled()
    assert store.accounts.leases() == ()
    assert await _once(pool, "one") == "one"


async def test_errors_of_the_block_pass_unchanged(store: Store) -> None:
    pool = pool_of(store)
    for problem in (KeyError("x"), TimeoutError("its own")):
        with pytest.raises(type(problem)) as caught:
            async with pool.lease("one", "run/p"):
                raise problem
        assert caught.value is problem
    assert pool.left_over() == () == store.accounts.leases()


async def test_signs_of_life_extend_a_lease(store: Store) -> None:
    clock = Clock()
    pool = pool_of(store, clock=clock)
    async with pool.lease("one", "run/p"):
        for _ in range(5):  # an hour and a half, on a lease of thirty minutes
            before = store.accounts.leases()[0]
            clock.time += timedelta(minutes=18)
            while store.accounts.leases()[0] == before:
                await asyncio.sleep(0.005)
    assert store.accounts.leases() == ()


async def test_a_lease_without_a_sign_of_life_is_lost_and_its_account_waits(store: Store) -> None:
    clock = Clock()
    pool, was_cancelled = pool_of(store, clock=clock), False
    with pytest.raises(ProvisioningError, match="run/p lost its lease of account one"):
        async with pool.lease("one", "run/p"):
            clock.time += timedelta(minutes=31)  # as after a suspend
            try:
                await asyncio.sleep(5)
            except asyncio.CancelledError:
                was_cancelled = True
                raise
    assert was_cancelled
    [row] = pool.left_over()
    assert store.accounts.leases()[0].id == row.id
    with pytest.raises(ProvisioningError, match="one was left by run/p since 09:00 UTC and has"):
        await _once(pool, "one")
    await pool.drop(row.id)
    assert await _once(pool, "one") == "one"
    assert store.accounts.leases() == ()


async def test_a_release_is_noticed_by_those_who_wait(store: Store) -> None:
    pool = pool_of(store, times=CALM)
    await pool.quarantine("two", "left a disk", "clean-up")
    async with pool.lease("one", "run/p"):
        waiting = asyncio.create_task(_once(pool, "member"))
        await asyncio.sleep(0)
        await pool.release("two")
        assert await asyncio.wait_for(waiting, 2) == "two"


class Ailing(Ledger):
    """Tables on a disk that is full."""

    def extend(self, lease_id: str, heartbeat_at: datetime, expires_at: datetime) -> bool:
        raise StoreError("no space")

    def end(self, lease_id: str, at: datetime) -> bool:
        raise StoreError("no space")


async def test_a_store_that_cannot_be_written_loses_no_account() -> None:
    ledger, clock = Ailing(), Clock()
    pool = AccountPool(Source(ACCOUNTS), ledger, QUICK, clock)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="no space"):
        async with pool.lease("one", "run/p"):
            pass
    assert [row.account for row in pool.left_over()] == ["one"]
    with capture_logs() as logs, pytest.raises(ProvisioningError, match="lost its lease"):
        async with pool.lease("two", "run/p"):
            while not logs:  # a sign of life that could not be written: the lease goes on
                await asyncio.sleep(0.005)
            clock.time += timedelta(minutes=31)
            await asyncio.sleep(5)
    assert {row.account for row in pool.left_over()} == {"one", "two"}
    assert len(ledger.rows) == 2, "the rows are there for the next process"


async def test_hundreds_who_wait_are_served_without_delay() -> None:
    accounts = {f"a{n}": identity() for n in range(60)}
    pool = AccountPool(Source(accounts), Ledger(), CALM, Clock())  # type: ignore[arg-type]
    async with asyncio.timeout(20):
        names = await asyncio.gather(*(_once(pool, None) for _ in range(300)))
    assert set(Counter(names).values()) == {5}


_HOLDER = """
import asyncio, sys
from pathlib import Path
from appliance.config import AccountSettings, LeaseSettings
from appliance.consoles.base import Account
from appliance.core.clock import SystemClock
from appliance.environment.accounts import AccountPool
from appliance.store.store import Store

class Source:
    name = "cloud"
    def accounts(self, wanted):
        return (Account(name="one", settings=AccountSettings(username="u")),)

async def main():
    store = Store.open(Path(sys.argv[1]))
    pool = AccountPool(Source(), store.accounts, LeaseSettings(heartbeat_s=0.01), SystemClock())
    async with pool.lease(None, "run/killed"):
        print("held", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_killed_process_leaves_its_lease_for_the_janitor(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        os.kill(child.pid, signal.SIGKILL)
    with Store.open(tmp_path) as store:
        pool = pool_of(store)
        [row] = pool.left_over()
        assert (row.account, row.holder) == ("one", "run/killed")
        assert {r.name: r.standing for r in pool.list()}["one"] == "left over"
        assert await _once(pool, None) == "two"
        with pytest.raises(ProvisioningError, match="left by run/killed"):
            await _once(pool, "one")
        await pool.drop(row.id)
        await pool.drop(row.id)
        assert store.accounts.leases() == ()
        assert await _once(pool, "one") == "one"


async def test_nothing_is_known_of_a_new_cloud(store: Store) -> None:
    pool = pool_of(store)
    await pool.quarantine("one", "left a disk", "clean-up")
    await pool.forget()
    assert {r.standing for r in pool_of(store).list()} == {"free"}
    assert await _once(pool, "one") == "one"


WISHES = st.lists(
    st.tuples(st.sampled_from([None, "one", "two", "member", "admin"]), st.integers(0, 3)),
    min_size=1,
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(WISHES)
def test_nobody_is_overtaken_on_an_account_that_fits(wishes: list[tuple[str | None, int]]) -> None:
    asyncio.run(_all_served_in_turn(wishes))


async def _all_served_in_turn(wishes: list[tuple[str | None, int]]) -> None:
    ledger, source = Ledger(), Source(ACCOUNTS)
    pool = AccountPool(source, ledger, CALM, Clock())  # type: ignore[arg-type]
    fitting = [{a.name for a in source.accounts(wanted)} for wanted, _ in wishes]
    waiting, busy, order = set(range(len(wishes))), set[str](), list[Lease]()

    async def use(number: int, wanted: str | None, rests: int) -> None:
        async with pool.lease(wanted, str(number)) as lease:
            name = lease.account.name
            assert name in fitting[number]
            assert name not in busy, "two at once"
            busy.add(name)
            order.append(lease)
            for _ in range(rests):
                await asyncio.sleep(0)
            waiting.discard(number)
            busy.discard(name)

    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        for number, (wanted, rests) in enumerate(wishes):
            tasks.create_task(use(number, wanted, rests))
    assert not waiting
    assert ledger.rows == {}
    order.sort(key=lambda grant: grant.taken_at)
    served = set[int]()
    for lease in order:
        number = int(lease.holder)
        overtaken = [n for n in range(number) if lease.account.name in fitting[n]]
        assert served.issuperset(overtaken), f"{number} overtook one of {overtaken}"
        served.add(number)


async def test_who_is_urgent_comes_before_all_that_wait_and_a_region_is_kept_to(store):
    accounts = {"a": identity(region="north"), "b": identity(region="south")}
    pool = AccountPool(Source(accounts), store.accounts, LeaseSettings(), Clock())
    order: list[str] = []

    async def use(holder: str, region: str, *, is_urgent: bool = False) -> None:
        async with pool.lease(None, holder, region, is_urgent=is_urgent) as lease:
            order.append(f"{holder} {lease.account.name}")

    async with asyncio.TaskGroup() as group, pool.lease(None, "first", "north"):
        for holder in ("second", "third"):
            group.create_task(use(holder, "north"))
        await asyncio.sleep(0)
        assert pool.is_waiting("second")
        group.create_task(use("urgent", "north", is_urgent=True))
        await use("other", "south")
    assert order == ["other b", "urgent a", "second a", "third a"]
    assert not pool.is_waiting("second")
    with pytest.raises(ConsoleError, match="no account in region west among a, b"):
        await use("nobody", "west")


async def test_a_quarantine_is_told_once(store):
    told: list[object] = []
    pool = AccountPool(
        Source({"a": identity()}),
        store.accounts,
        LeaseSettings(),
        Clock(),
        events=Events(told.append),
    )
    await pool.quarantine("a", "wrong password", "health")
    await pool.quarantine("a", "wrong password", "health")
    assert told == [
        AccountQuarantined(console="cloud", account="a", reason="wrong password", by="health")
    ]
