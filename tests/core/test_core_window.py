from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.window import Window, next_time, zone_of

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = Window.parse("22:00-06:00", BERLIN)


def at(text: str, zone=UTC) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("now", "closes"),
    [
        ("2026-11-20T22:00", "2026-11-21T06:00"),
        ("2026-11-21T00:30", "2026-11-21T06:00"),
        ("2026-11-21T05:59", "2026-11-21T06:00"),
        ("2026-11-21T06:00", None),
        ("2026-11-21T21:59", None),
    ],
)
def test_a_window_over_midnight(now, closes):
    assert NIGHT.closing(at(now, BERLIN)) == (at(closes, BERLIN) if closes else None)


def test_a_window_within_a_day():
    noon = Window.parse("12:00-13:30", UTC)
    assert noon.closing(at("2026-01-01T12:30")) == at("2026-01-01T13:30")
    assert noon.closing(at("2026-01-01T13:30")) is None
    assert noon.opening(at("2026-01-01T13:30")) == at("2026-01-02T12:00")


@pytest.mark.parametrize(
    ("evening", "hours"),
    [("2026-03-28", 7), ("2026-10-24", 9), ("2026-06-01", 8)],
)
def test_on_the_night_when_clocks_change_it_is_an_hour_shorter_or_longer(evening, hours):
    opens = at(f"{evening}T22:00", BERLIN).astimezone(UTC)
    assert NIGHT.opening(opens - timedelta(hours=1)) == opens
    closes = NIGHT.closing(opens)
    assert closes - opens == timedelta(hours=hours)
    assert closes.astimezone(BERLIN).hour == 6
    assert NIGHT.closing(closes - timedelta(seconds=1)) == closes
    assert NIGHT.closing(closes) is None


def test_a_time_that_the_clock_skips_or_shows_twice():
    spring = at("2026-03-29T00:00", BERLIN)
    assert next_time("02:30", BERLIN, spring) == at("2026-03-29T01:30")  # shown as 03:30
    autumn = at("2026-10-25T00:00", BERLIN)
    assert next_time("02:30", BERLIN, autumn) == at("2026-10-25T00:30")  # the first of the two


def test_until_is_the_next_such_time():
    now = at("2026-11-21T21:00", BERLIN)
    assert next_time("06:00", BERLIN, now) == at("2026-11-22T06:00", BERLIN)
    assert next_time("21:00", BERLIN, now) == at("2026-11-22T21:00", BERLIN)
    assert next_time("21:01", BERLIN, now) == at("2026-11-21T21:01", BERLIN)


@pytest.mark.parametrize(
    "text", ["", "22-06", "22:00", "24:00-06:00", "22:60-06:00", "a-b", "２2:00-06:00"]
)
def test_what_is_no_window(text):
    with pytest.raises(ValueError, match="22:00-06:00"):
        Window.parse(text, UTC)


@pytest.mark.parametrize("name", ["Europe/Berlyn", "", "/etc/passwd", "../x", "a\0b"])
def test_what_is_no_time_zone(name):
    with pytest.raises(ValueError, match="Europe/Berlin"):
        zone_of(name)


minutes = st.integers(0, 24 * 60 - 1)


@given(
    st.integers(0, 15 * 366 * 24 * 60).map(lambda n: at("2020-01-01") + timedelta(minutes=n)),
    minutes,
    minutes,
    st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"]),
)
def test_it_is_open_or_will_be_within_two_days(now, opens, closes, zone):
    text = f"{opens // 60:02}:{opens % 60:02}-{closes // 60:02}:{closes % 60:02}"
    window = Window.parse(text, zone_of(zone))
    following = window.opening(now)
    assert now < following <= now + timedelta(hours=50)
    closing = window.closing(now)
    assert closing is None or now < closing <= now + timedelta(hours=25)
