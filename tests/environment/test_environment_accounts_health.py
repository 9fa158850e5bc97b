"""Health of accounts: quarantine by it, and room for what an attempt will make."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.config import AccountSettings, LeaseSettings
from appliance.consoles.base import Account
from appliance.core.clock import SystemClock
from appliance.core.errors import ConsoleError
from appliance.core.resources import AccountHealth, Quota
from appliance.environment.accounts import AccountPool
from appliance.environment.health import HealthChecks, no_room, with_own_limits
from appliance.store.store import Store

ONE = Account(name="one", settings=AccountSettings(username="u", quota={"instance": 5, "key": 9}))
WELL = AccountHealth(
    can_log_in=True,
    quota={
        "instance": Quota(3, 20),
        "disk": Quota(7, 7),
        "key": Quota(0, 4),
        "net": Quota(9, None),
    },
    balance="3.20 EUR",
)


class Console:
    """Says of its one account what the test wants."""

    name = "cloud"
    says: AccountHealth | ConsoleError = WELL

    def accounts(self, wanted: str | None) -> tuple[Account, ...]:
        return (ONE,)

    async def health(self, account: Account) -> AccountHealth:
        if isinstance(self.says, ConsoleError):
            raise self.says
        return self.says


@pytest.fixture
def console() -> Console:
    return Console()


@pytest.fixture
def checks(console: Console, tmp_path: Path) -> Iterator[HealthChecks]:
    with Store.open(tmp_path) as store:
        pool = AccountPool(console, store.accounts, LeaseSettings(), SystemClock())
        yield HealthChecks(console, pool)  # type: ignore[arg-type]


async def test_what_the_console_says_is_kept_with_the_settings_own_limits(
    checks: HealthChecks, tmp_path: Path
) -> None:
    row = await checks.check(ONE)
    assert row.standing == "free"
    assert row.health is not None
    assert row.health.balance == "3.20 EUR"
    assert row.health.quota == {
        "instance": Quota(3, 5), "disk": Quota(7, 7), "key": Quota(0, 4), "net": Quota(9, None),
    }  # fmt: skip


async def test_the_latest_reason_stands_and_a_good_check_ends_it(
    checks: HealthChecks, console: Console
) -> None:
    for problem in ("wrong password", "account locked"):
        console.says = AccountHealth(can_log_in=False, problem=problem)
        row = await checks.check(ONE)
        assert (row.quarantine_reason, row.quarantined_by) == (problem, "health")
    console.says = WELL
    assert (await checks.check(ONE)).standing == "free"


async def test_a_console_that_is_down_says_nothing_about_the_account(
    checks: HealthChecks, console: Console
) -> None:
    console.says = ConsoleError("down")
    with pytest.raises(ConsoleError, match="down"):
        await checks.check(ONE)
    console.says = WELL
    assert (await checks.check(ONE)).standing == "free"


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({"instance": 2}, True),
        ({"instance": 3}, False),  # the settings' own limit
        ({"disk": 1}, False),
        ({"net": 100, "bucket": 100}, True),  # no limit, and none that is known
        ({"instance": 1, "key": 5}, False),
        ({}, True),
    ],
)
def test_room(wanted: dict[str, int], fits: bool) -> None:
    assert (not no_room(with_own_limits(WELL, ONE), wanted)) is fits


def test_without_a_check_the_settings_count() -> None:
    unknown = with_own_limits(AccountHealth(can_log_in=True), ONE)
    assert not no_room(unknown, {"instance": 5, "disk": 99})
    assert no_room(unknown, {"instance": 6})


def test_what_does_not_fit_is_said() -> None:
    assert no_room(WELL, {"disk": 2, "key": 1}) == ("2 disk wanted, 7 of 7 used",)
