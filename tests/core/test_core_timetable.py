from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.timetable import Cron, Every

BERLIN = ZoneInfo("Europe/Berlin")
SANTIAGO = ZoneInfo("America/Santiago")  # puts its clocks forward at midnight
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")  # by half an hour
NEW_YORK = ZoneInfo("America/New_York")


def shown(text, zone, since, count):
    """Times as the clock on the wall shows them, with the offset."""
    cron, moment, found = Cron.parse(text, zone), datetime.fromisoformat(since), []
    moment = moment.replace(tzinfo=zone)
    for _ in range(count):
        moment = cron.next(moment)
        found.append(moment.astimezone(zone).strftime("%d %H:%M %z"))
    return found


def test_a_time_that_does_not_exist_is_as_far_after_the_change():
    assert shown("30 2 * * *", BERLIN, "2026-03-28T12:00", 3) == [
        "29 03:30 +0200",
        "30 02:30 +0200",
        "31 02:30 +0200",
    ]


def test_a_time_that_exists_twice_is_the_first_of_them():
    assert shown("30 2 * * *", BERLIN, "2026-10-24T12:00", 2) == [
        "25 02:30 +0200",
        "26 02:30 +0100",
    ]


def test_asked_between_the_two_it_is_the_next_day():
    between = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)  # 02:45, and 02:30 is to come again
    at = Cron.parse("30 2 * * *", BERLIN).next(between)
    assert at.astimezone(BERLIN).isoformat() == "2026-10-26T02:30:00+01:00"


def test_asked_after_the_jump_and_before_the_time_that_was_skipped():
    after_the_jump = datetime(2026, 3, 29, 1, 10, tzinfo=UTC)  # 03:10
    at = Cron.parse("30 2 * * *", BERLIN).next(after_the_jump)
    assert at.astimezone(BERLIN).isoformat() == "2026-03-29T03:30:00+02:00"


def test_two_times_that_become_one_are_one():
    assert shown("15 2,3 * * *", BERLIN, "2026-03-29T00:30", 2) == [
        "29 03:15 +0200",
        "30 02:15 +0200",
    ]


def test_midnight_that_does_not_exist():
    assert shown("0 0 * * *", SANTIAGO, "2026-09-05T12:00", 2) == [
        "06 01:00 -0300",
        "07 00:00 -0300",
    ]


def test_half_an_hour():
    assert shown("15 2 * * *", LORD_HOWE, "2026-10-03T12:00", 1) == ["04 02:45 +1100"]
    assert shown("45 1 * * *", LORD_HOWE, "2026-04-04T12:00", 2) == [
        "05 01:45 +1100",
        "06 01:45 +1030",
    ]


def test_every_hour_goes_by_what_passes():
    assert shown("0 * * * *", BERLIN, "2026-10-25T01:30", 3) == [
        "25 02:00 +0200",
        "25 02:00 +0100",
        "25 03:00 +0100",
    ]
    assert shown("30 * * * *", BERLIN, "2026-03-29T01:00", 2) == [
        "29 01:30 +0100",
        "29 03:30 +0200",
    ]


@pytest.mark.parametrize(
    ("field", "days"),
    [
        ("1-5", "mon tue wed thu fri"),
        ("mon-fri", "mon tue wed thu fri"),
        ("0", "sun"),
        ("7", "sun"),
        ("5-7", "sun fri sat"),
        ("fri-mon", "sun mon fri sat"),
        ("*/2", "sun tue thu sat"),
        ("SUN,3", "sun wed"),
        ("1-5/2", "mon wed fri"),
    ],
)
def test_days_of_the_week_are_crons(field, days):
    cron = Cron.parse(f"0 12 * * {field}", UTC)
    moment, found = datetime(2026, 11, 21, 13, tzinfo=UTC), []  # a Saturday
    end = moment + timedelta(days=7)
    while (moment := cron.next(moment)) <= end:
        found.append(moment.strftime("%a").lower())
    assert " ".join(found) == days


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected five fields"),
        ("0 22 * *", "expected five fields"),
        ("61 0 * * *", "higher than the maximum"),
        ("0 24 * * *", "higher than the maximum"),
        ("0 0 * * 8", "no day of the week"),
        ("0 0 * * monday", "no day of the week"),
        ("0 0 31 2 *", "no such day"),
        ("0 0 13 * fri", "keep one"),
        ("0 0 * foo *", "nvalid month"),
        ("*/0 * * * *", "increment"),
        ("é 0 * * *", "nrecognized"),
    ],
)
def test_what_is_no_time(text, message):
    with pytest.raises(ValueError, match=message):
        Cron.parse(text, UTC)


@given(
    zone=st.sampled_from([BERLIN, SANTIAGO, LORD_HOWE, NEW_YORK, UTC]),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    day=st.dates(date(2025, 1, 1), date(2028, 1, 1)),
)
def test_once_a_day_is_once_on_every_day(zone, hour, minute, day):
    """Days are those of the wall clock's time that was asked for, wherever it ends up."""
    cron = Cron.parse(f"{minute} {hour} * * *", zone)
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    expected = [
        (start + timedelta(days=n)).replace(hour=hour, minute=minute).astimezone(UTC)
        for n in range(-1, 370)
    ]
    moment = start.astimezone(UTC)
    for wanted in [at for at in sorted(expected) if at > moment][:369:40]:
        assert cron.next(wanted - timedelta(seconds=1)) == wanted
        assert cron.next(wanted) > wanted


FIELD = st.one_of(
    st.just("*"),
    st.integers(0, 33).map(str),
    st.text("0123456789*/-,?#lastmonfrijn", max_size=6),
)


@given(
    fields=st.lists(FIELD, min_size=5, max_size=5),
    zone=st.sampled_from([BERLIN, UTC]),
)
def test_any_text_is_a_time_or_a_sentence(fields, zone):
    now = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)
    try:
        cron = Cron.parse(" ".join(fields), zone)
    except ValueError as exc:
        assert str(exc)
    else:
        assert cron.next(now) > now


def test_every_so_often_is_counted_from_a_moment():
    since = datetime(2026, 1, 1, tzinfo=UTC)
    every = Every(30, since)
    assert every.next(since - timedelta(days=1)) == since + timedelta(minutes=30)
    assert every.next(since) == since + timedelta(minutes=30)
    assert every.next(since + timedelta(minutes=30)) == since + timedelta(minutes=60)
    assert every.next(since + timedelta(minutes=95)) == since + timedelta(minutes=120)
    assert (str(every), str(Every(1, since))) == ("every 30 minutes", "every minute")


@pytest.mark.parametrize("minutes", [0, 1e-9, -1, float("inf"), float("nan"), 1e9])
def test_how_often_is_bounded(minutes):
    with pytest.raises(ValueError, match="at most a year"):
        Every(minutes, datetime(2026, 1, 1, tzinfo=UTC))
