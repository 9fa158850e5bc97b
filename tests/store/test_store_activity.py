"""What people did: added to only, and a change shows."""

import secrets
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from appliance.core.secrets import MASK, learn
from appliance.store.activity import ActivityFilter, ActivityRecord, Chain, Outcome, Way
from appliance.store.paging import Paging
from appliance.store.store import Store

AT = datetime(2026, 11, 23, 9, 30, 0, 123456, tzinfo=UTC)


def deed(**given: object) -> ActivityRecord:
    told = {"happened_at": AT, "who": "ana", "way": Way.REST, "deed": "pause-run"}
    return ActivityRecord(**told | given)


def test_what_was_done_is_kept_newest_first(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        first = store.activity.add(deed(object="run 1", address="192.0.2.7", role="operator"))
        store.activity.add(deed(who="bo", outcome=Outcome.REFUSED))
    with Store.open(tmp_path) as store:
        found = store.activity.page(Paging())
        assert [(one.number, one.who) for one in found.items] == [(2, "bo"), (1, "ana")]
        assert found.items[1] == first
        assert store.activity.page(Paging(limit=1)).total == 2
        assert store.activity.page(Paging(), ActivityFilter(who="ana")).items == (first,)
        assert store.activity.page(Paging(), ActivityFilter(outcome=Outcome.FAILED)).total == 0
        assert (
            store.activity.page(Paging(), ActivityFilter(deed="pause-run", address="")).total == 1
        )
        assert store.activity.check() == Chain(entries=2, last_hash=found.items[0].hash)


def test_no_secret_and_no_document_is_in_it(tmp_path: Path) -> None:
    secret = learn(secrets.token_hex(16))
    with Store.open(tmp_path) as store:
        kept = store.activity.add(deed(detail=f"because of {secret}", object="x" * 5000))
        odd = store.activity.add(deed(object="half \ud800 a letter"))
        assert kept.detail == f"because of {MASK}"
        assert len(kept.object) == 300 and odd.object == "half ? a letter"
        assert store.activity.check().is_whole


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ("UPDATE activity SET who = 'nobody' WHERE number = 2", 2),
        ("DELETE FROM activity WHERE number = 2", 2),
        ("DELETE FROM activity WHERE number = 1", 1),
        ("UPDATE activity SET happened_at = happened_at + INTERVAL 1 SECOND WHERE number = 3", 3),
    ],
)
def test_a_change_shows(tmp_path: Path, change: str, at: int) -> None:
    with Store.open(tmp_path) as store:
        for number in range(3):
            store.activity.add(deed(object=f"run {number}"))
    with duckdb.connect(str(tmp_path / "store.duckdb")) as connection:
        connection.execute(change)
    with Store.open(tmp_path) as store:
        assert store.activity.check().broken_at == at


def test_a_hash_noted_elsewhere_tells_a_chain_made_anew_or_cut_short(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.activity.add(deed())
        noted = store.activity.add(deed(who="bo")).hash
        assert store.activity.check(noted).is_whole
        with store.session.transaction("cutting") as connection:
            connection.execute("DELETE FROM activity WHERE number = 2")
        assert store.activity.check().is_whole
        assert not store.activity.check(noted).is_whole
