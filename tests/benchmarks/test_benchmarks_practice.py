"""The measurement itself works; how quick things are is not for a test to say."""

import json

import pytest

from tests.benchmarks.practice import main


@pytest.mark.long
def test_everything_is_measured(capsys):
    assert main(["--json", "--rounds", "2"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["requests"] == 50 * 2 * 3
    assert len(figures["start_s"]) == 5
    pages = {page["what"]: page for page in figures["pages"]}
    assert set(pages) == {"GET /console", "GET /ui/schema", "list of 200", "list of 10", "create"}
    assert all(page["bytes"] and page["p50_ms"] and page["bare_p50_ms"] for page in pages.values())
    assert min(figures[f"{what}_ms"] for what in ("reset", "snapshot", "restore")) > 0
