from datetime import UTC, datetime, timedelta

from appliance.store.labels import PLACE, LabelTable, SeenLabel
from appliance.store.paging import Paging

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
BUCKETS = ("en", "/buckets", "", "")
CREATE = SeenLabel(*BUCKETS, "button", "Create bucket")
DELETE = SeenLabel(*BUCKETS[:3], "More", "menuitem", "Delete")


def kept(table, **wanted):
    rows = table.page(Paging(limit=100), console="lab", **wanted).items
    return {(row.release, row.parent, row.name): row.seen for row in rows}


def test_labels_are_counted_by_the_attempts_that_saw_them(store):
    store.labels.see("lab", "1", {CREATE, DELETE}, NOW)
    store.labels.see("lab", "1", {CREATE}, LATER)
    store.labels.see("lab", "2", {CREATE}, LATER)
    store.labels.see("other", "1", {DELETE}, LATER)
    store.labels.see("lab", "1", (), LATER)
    one = {("1", "", "Create bucket"): 2, ("1", "More", "Delete"): 1}
    assert kept(store.labels) == one | {("2", "", "Create bucket"): 1}
    assert kept(store.labels, release="1") == one
    row = store.labels.page(Paging(), console="lab", release="1").items[0]
    assert (row.first_seen, row.last_seen) == (NOW, LATER)
    assert row.place == ("/buckets", "", "")


def test_the_oldest_go_where_there_are_too_many(store):
    table = LabelTable(store.session, most=2)
    labels = [SeenLabel(*BUCKETS, "button", name) for name in "abc"]
    for number, label in enumerate(labels):
        table.see("lab", "", {label}, NOW + timedelta(hours=number))
    table.see("other", "", {CREATE, DELETE}, NOW)
    assert kept(table) == {("", "", "b"): 1, ("", "", "c"): 1}
    assert table.page(Paging(), console="other").total == 2


def test_half_a_surrogate_pair_is_kept_as_text(store):
    store.labels.see("lab", "", {SeenLabel(*BUCKETS, PLACE, "a\ud800")}, NOW)
    assert kept(store.labels) == {("", "", "a?"): 1}


def test_pages_are_found_by_what_they_had(store):
    one = SeenLabel("en", "/users/*", "", "", "button", "New user")
    labels = {CREATE, DELETE, one, SeenLabel("en", "/users", "", "", "button", "New user")}
    store.labels.see("lab", "", labels, NOW)
    store.labels.see("other", "", {SeenLabel("en", "/there", "", "", "tab", "NEW USER")}, NOW)
    assert store.labels.pages_with("lab", ["NEW USER", "Old user"]) == {"/users": {"new user"}}
    assert store.labels.pages_with("lab", []) == {}
