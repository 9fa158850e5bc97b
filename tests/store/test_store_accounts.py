from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.core.errors import StoreError
from appliance.core.resources import AccountHealth, Quota
from appliance.store.accounts import LeaseRow
from appliance.store.store import Store

NOW = datetime(2026, 11, 21, 9, 30, 1, 250000, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)


def lease(number: int = 1, console: str = "cloud", account: str = "one") -> LeaseRow:
    taken = NOW + timedelta(seconds=number)
    return LeaseRow(
        id=f"lease-{number}", console=console, account=account, holder=f"run/p{number}",
        taken_at=taken, heartbeat_at=taken, expires_at=taken + timedelta(minutes=30),
    )  # fmt: skip


def test_a_lease_is_taken_extended_and_ended(store: Store) -> None:
    tables = store.accounts
    tables.take(lease())
    assert tables.leases("cloud") == (lease(),)
    assert tables.extend("lease-1", LATER, LATER + timedelta(minutes=30))
    assert tables.leases("cloud")[0].heartbeat_at == LATER
    assert tables.states("cloud")[0].last_leased_at == lease().taken_at
    assert tables.end("lease-1", LATER)
    assert tables.leases() == ()
    assert tables.states("cloud")[0].last_leased_at == LATER


def test_a_lease_that_is_gone_is_neither_extended_nor_ended(store: Store) -> None:
    assert not store.accounts.extend("lease-1", NOW, LATER)
    assert not store.accounts.end("lease-1", NOW)
    assert store.accounts.states("cloud") == ()


def test_consoles_do_not_see_each_other(store: Store) -> None:
    tables = store.accounts
    for row in (lease(2), lease(1), lease(3, console="other")):
        tables.take(row)
    tables.quarantine("other", "one", "left a disk", "clean-up", NOW)
    assert [row.id for row in tables.leases("cloud")] == ["lease-1", "lease-2"]
    assert [row.id for row in tables.leases()] == ["lease-1", "lease-2", "lease-3"]
    assert tables.states("cloud")[0].quarantined_at is None
    tables.forget("cloud")
    assert [row.id for row in tables.leases()] == ["lease-3"]
    assert tables.states("cloud") == ()


def test_quarantine_keeps_the_rest_of_what_is_known(store: Store) -> None:
    tables = store.accounts
    health = AccountHealth(
        can_log_in=True,
        quota={"disk": Quota(used=2, limit=5), "key": Quota(1, None)},
        balance="7 €",
    )
    tables.keep_health("cloud", "one", health, NOW)
    tables.quarantine("cloud", "one", "left a disk", "clean-up", NOW)
    tables.quarantine("cloud", "one", "and a network", "anna", LATER)
    [state] = tables.states("cloud")
    assert (state.quarantine_reason, state.quarantined_by) == ("and a network", "anna")
    assert (state.quarantined_at, state.checked_at, state.health) == (LATER, NOW, health)
    assert tables.release("cloud", "one")
    assert not tables.release("cloud", "one")
    [state] = tables.states("cloud")
    assert (state.quarantined_at, state.quarantine_reason) == (None, "")
    assert state.health == health


def test_everything_is_there_when_the_store_is_opened_again(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.accounts.take(lease())
        store.accounts.quarantine("cloud", "two", "locked", "health", NOW)
    with Store.open(tmp_path) as store:
        assert store.accounts.leases() == (lease(),)
        assert [s.account for s in store.accounts.states("cloud")] == ["one", "two"]


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        tables = store.accounts
    with pytest.raises(StoreError, match="was closed"):
        tables.take(lease())
