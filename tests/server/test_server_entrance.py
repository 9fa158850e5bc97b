"""Wrong keys: counted, kept, and locked out by address, without keeping anybody else out."""

import asyncio

import pytest

from appliance.config import LockoutSettings, ServerSettings, Settings, load_settings
from appliance.core.errors import ConfigError
from appliance.server.activity import Activity, Sender
from appliance.server.callers import Caller
from appliance.server.hosts import client_of, network_of
from appliance.server.key_prover import Lockouts
from appliance.store.activity import ActivityFilter, Outcome, Way
from appliance.store.keys import Role
from appliance.store.paging import Paging

PROBE = "/metrics"
WRONG = {"Authorization": "Bearer cda_000000000000_" + "x" * 43}
LOCKOUT = LockoutSettings(failures=3, minutes=5)


@pytest.fixture
def settings(tmp_path):
    server = ServerSettings(lockout=LOCKOUT, proxies=("10.0.0.0/30",), keys="required")
    return Settings(data_dir=tmp_path, server=server)


async def _wrong(client, times, **headers):
    return [(await client.get(PROBE, headers=WRONG | headers)).status_code for _ in range(times)]


def _kept(service, **wanted):
    return [
        (one.deed, one.outcome.value, one.address, one.object)
        for one in service.store.activity.page(Paging(), ActivityFilter(**wanted)).items
    ]


async def test_an_address_that_sends_wrong_keys_is_locked_out_for_a_while(asking, service, clock):
    good = service.keys.create("ci", Role.VIEWER, "test").text
    client, other = asking(), asking(client="192.0.2.8")
    assert await _wrong(client, 5) == [401, 401, 401, 429, 429]
    locked = await client.get(PROBE, headers={"Authorization": f"Bearer {good}"})
    assert locked.status_code == 429, "nobody learns there whether a key is good"
    assert locked.json()["type"] == "urn:appliance:problem:locked-out"
    assert locked.headers["retry-after"] == "300"
    assert (await client.post("/login", data={"key": good})).status_code == 429
    assert (await client.get("/login")).status_code == 200
    assert (await other.get(PROBE, headers={"Authorization": f"Bearer {good}"})).status_code == 200

    clock.passed_s += 301
    assert (await client.get(PROBE, headers={"Authorization": f"Bearer {good}"})).status_code == 200
    assert _kept(service) == [
        ("lock-out", "done", "192.0.2.7", "192.0.2.7"),
        *[("log-in", "refused", "192.0.2.7", "key 000000000000")] * 3,
    ]
    text = service.metrics.exposition()[0].decode()
    assert 'appliance_log_ins_total{outcome="refused"} 3.0' in text
    assert 'appliance_log_ins_total{outcome="locked out"} 4.0' in text
    assert WRONG["Authorization"] not in str(_kept(service))


async def test_who_tries_for_days_does_not_fill_the_disk(service, clock):
    """Nor who has many addresses; and how often they tried is told."""
    activity, table = Activity(service.store.activity, clock), service.store.activity
    viewer = Caller(name="ci", role=Role.VIEWER, key_id="cda_1")

    async def tries(address, **how):
        for deed, outcome in (("log-in", Outcome.REFUSED), ("lock-out", Outcome.DONE)):
            await activity.add(deed, Sender(Way.REST, address), outcome=outcome, **how)

    for number in range(120):
        await tries(f"2001:db8::{number}")
    assert table.page(Paging()).total == 100, "a hundred of one sender, who has a whole network"
    clock.passed_s += 24 * 3600
    await tries("2001:db8::7")
    assert table.page(Paging()).items[1].detail == "(140 before it are in the log only)"
    for number in range(600):
        await tries(f"198.51.{number // 250}.{number % 250}")
    assert table.page(Paging()).total == 100 + 1000, "of all"
    await tries("192.0.2.1", caller=viewer)
    assert table.page(Paging()).total == 100 + 1000 + 2, "who has a key is kept apart"


async def test_who_is_in_already_goes_on(asking, service):
    key = service.keys.create("desk", Role.VIEWER, "test").text
    browser, program = asking(), asking(Role.VIEWER)
    await browser.post("/login", data={"key": key})
    assert (await program.get(PROBE)).status_code == 200
    await _wrong(asking(), 4)
    assert (await browser.get(PROBE)).status_code == 200
    assert (await program.get(PROBE)).status_code == 200, "recognised less than a minute ago"
    assert _kept(service, deed="log-in", who="desk") == [("log-in", "done", "192.0.2.7", "")]
    await browser.post("/logout")
    assert _kept(service, deed="log-out") == [("log-out", "done", "192.0.2.7", "")]


async def test_many_wrong_keys_at_once_are_no_way_round_it(asking):
    client = asking()
    answers = await asyncio.gather(*(client.get(PROBE, headers=WRONG) for _ in range(20)))
    told = [answer.status_code for answer in answers]
    assert told.count(401) <= LOCKOUT.failures + 1 and told.count(429) >= 16


async def test_the_server_s_own_key_is_never_locked_out(asking, service):
    """Commands of this machine have it: another user of the machine cannot keep them out."""
    own = service.keys.own()
    client = asking(client="127.0.0.1")
    assert (await _wrong(client, 4))[-1] == 429
    assert (await client.get(PROBE, headers={"Authorization": f"Bearer {own}"})).status_code == 200


async def test_behind_a_proxy_it_is_the_one_who_asks_that_is_locked_out(asking, service):
    proxy = asking(client="10.0.0.1")
    said = {"X-Forwarded-For": "198.51.100.1, 192.0.2.9"}  # the first is what its sender wrote
    assert (await _wrong(proxy, 4, **said))[-1] == 429
    assert (await _wrong(proxy, 1, **{"X-Forwarded-For": "192.0.2.10"})) == [401]
    assert (await _wrong(asking(client="192.0.2.9"), 1)) == [429]
    forged = [{"X-Forwarded-For": f"192.0.2.{last}"} for last in range(100, 104)]
    stranger = asking(client="203.0.113.5")
    assert [(await _wrong(stranger, 1, **one))[0] for one in forged] == [401, 401, 401, 429]
    assert {one[2] for one in _kept(service)} == {"192.0.2.9", "192.0.2.10", "203.0.113.5"}


async def test_a_proxy_that_writes_a_line_of_its_own_is_heard_not_the_line_before(asking, service):
    proxy = asking(client="10.0.0.1")
    lines = [("Authorization", WRONG["Authorization"]), ("X-Forwarded-For", "192.0.2.9")]
    told = [
        (
            await proxy.get(
                PROBE, headers=[*lines[:1], ("X-Forwarded-For", f"198.51.100.{n}"), lines[1]]
            )
        )
        for n in range(4)
    ]
    assert [answer.status_code for answer in told] == [401, 401, 401, 429]
    assert {one[2] for one in _kept(service)} == {"192.0.2.9"}


async def test_a_proxy_of_this_machine_that_is_not_named_is_not_locked_out(asking):
    """Whoever is behind it could keep out everybody."""
    proxy = asking(client="127.0.0.1")
    assert await _wrong(proxy, 6, **{"X-Forwarded-For": "192.0.2.9"}) == [401] * 6


class TestThisMachine:
    @pytest.fixture
    def settings(self, tmp_path):
        return Settings(data_dir=tmp_path, server=ServerSettings(lockout=LOCKOUT))

    async def test_without_a_key_nobody_is_locked_out(self, local, asking):
        await _wrong(asking(client="127.0.0.1"), 5)
        assert (await local.get(PROBE)).status_code == 200


@pytest.mark.parametrize(
    "server",
    [
        ServerSettings(proxies=("127.0.0.1",)),
        ServerSettings(hosts=("docs.example",)),
        ServerSettings(public_url="https://docs.example"),
    ],
)
class TestThroughAProxy:
    @pytest.fixture
    def settings(self, tmp_path, server):
        return Settings(data_dir=tmp_path, server=server)

    async def test_what_comes_from_this_machine_may_come_from_elsewhere(self, local):
        """A proxy that adds no header, as some do, looks like somebody at this machine."""
        assert (await local.get(PROBE)).status_code == 401


def test_who_asks_behind_proxies():
    settings = ServerSettings(proxies=("10.0.0.1", "2001:db8::/64"))

    def client(peer, said):
        return client_of(peer, [said], settings)

    assert client("192.0.2.1", "198.51.100.1") == "192.0.2.1"
    assert client("10.0.0.1", "198.51.100.1") == "198.51.100.1"
    assert client("10.0.0.1", "198.51.100.1:4711, [2001:db8::7]:80") == "198.51.100.1"
    assert client("::ffff:10.0.0.1", "2001:db8:1::7") == "2001:db8:1::7"
    for nothing in ("", "unknown", ",", "a, b"):
        assert client("10.0.0.1", nothing) == "10.0.0.1"
    assert network_of("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64"
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"


def test_wrong_keys_count_for_as_long_as_they_lock_out_and_no_sender_is_remembered_for_ever(clock):
    lockouts = Lockouts(LOCKOUT, clock)
    for wait_s in (0, 200, 200):
        clock.passed_s += wait_s
        assert not lockouts.note_failure("a"), "three within 400 s, not within 300"
    clock.passed_s += 50
    assert lockouts.note_failure("a")
    for number in range(20_000):
        lockouts.note_failure(f"flood {number}")
    assert len(lockouts._failures) == 10_000


def test_a_proxy_that_is_no_network_is_told(tmp_path):
    file = tmp_path / "config.yaml"
    file.write_text("server: {proxies: [10.0.0.1/8]}\n")
    with pytest.raises(ConfigError, match=r"server\.proxies.*host bits"):
        load_settings(file, {}, {})
