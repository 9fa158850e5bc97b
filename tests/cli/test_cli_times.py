"""Times are those of the settings' zone, which is named once; JSON is UTC."""

import json
from pathlib import Path

import pytest

from appliance.reports import html_report, markdown_summary
from appliance.store.store import Store


@pytest.fixture
def in_shanghai(folder, results, monkeypatch):
    monkeypatch.setenv("TZ", "America/New_York")  # the machine's own matters to nobody
    Path("config.yaml").write_text("sweep: {time_zone: Asia/Shanghai}\n")
    run = results.run(results.procedure(), config={"sweep": {"time_zone": "Asia/Shanghai"}})
    with Store.open(Path("data")) as store:
        store.save_run(run)
    return run


def test_a_table_is_local_and_names_its_zone_once(appliance, in_shanghai):
    listed = appliance("run", "list")
    assert "2026-11-21 17:00" in listed.out  # 09:00 UTC
    assert listed.err.count("Asia/Shanghai") == 1
    assert "Times are those of Asia/Shanghai (sweep.time_zone)." in listed.err


def test_json_is_utc_and_says_nothing_of_zones(appliance, in_shanghai):
    listed = appliance("run", "list", "--json")
    assert json.loads(listed.out)[0]["started_at"] == "2026-11-21T09:00:00+00:00"
    assert "Asia" not in listed.err


def test_a_date_that_somebody_types_is_local_too(appliance, in_shanghai):
    (one,) = json.loads(appliance("finding", "list", "--json").out)
    assert appliance("finding", "accept-until", one["id"], "2099-01-01").code == 0
    shown = json.loads(appliance("finding", "show", "f-0001", "--json").out)
    assert shown["incident"]["accepted_until"] == "2098-12-31T16:00:00+00:00"
    assert "accepted until 2099-01-01 00:00" in appliance("finding", "show", "f-0001").out


def test_reports_are_local_to_the_zone_of_their_run(in_shanghai):
    page = html_report(in_shanghai, lambda path: None, lambda ref: b"")
    assert "21 November 2026, 17:00 CST" in page
    assert "2026-11-21 17:00 CST" in markdown_summary(in_shanghai)
