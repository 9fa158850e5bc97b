"""The measurement itself works; memory does not grow with the documentation."""

from pathlib import Path

import pytest

from appliance.practice.releases import DOCUMENTATION
from tests.benchmarks.lint import write_documents
from tests.benchmarks.scale.night import measure_forecast, measure_packing
from tests.benchmarks.scale.queries import lines, measure_store
from tests.benchmarks.scale.reading import measure_reading, plan_apart
from tests.benchmarks.scale.unchanged import measure_unchanged

_KIB_A_PROCEDURE = 4.0
"""At most, of the process that plans; a procedure read whole takes more than five times as much."""


def test_reading_is_measured_cold_and_unchanged(tmp_path: Path) -> None:
    figures = measure_reading(tmp_path / "scale", 12)
    cold, unchanged = figures.rows
    assert cold.procedures == unchanged.procedures > 50
    assert min(cold.wall_s, cold.cpu_s, cold.peak_mib, cold.reader_mib) > 0
    assert unchanged.cpu_s < cold.cpu_s
    assert unchanged.reader_mib == 0  # nobody reads


# What a plan of few documents takes is held by the test above.
@pytest.mark.long
def test_memory_grows_by_what_a_plan_needs_and_by_no_whole_procedure(tmp_path: Path) -> None:
    """Ten times the documents, and in no more memory than both may have."""
    peaks, procedures = [], []
    for number in (40, 400):
        folder = tmp_path / str(number)
        (folder / "data").mkdir(parents=True)
        (folder / "docs").mkdir()
        write_documents(folder / "docs", number)
        figures = plan_apart(folder, 400 * 2**20)
        peaks.append(figures["peak_mib"] * 1024)
        procedures.append(figures["procedures"])
    assert procedures[1] > 1800
    assert (peaks[1] - peaks[0]) / (procedures[1] - procedures[0]) < _KIB_A_PROCEDURE
    assert peaks[1] < 150 * 1024


def test_every_question_to_the_store_is_measured(tmp_path: Path) -> None:
    figures = measure_store(tmp_path / "data", 40, 3, 2)
    assert all(0 < one.p50_ms <= one.p95_ms for one in figures.queries)
    assert {"runs", "incidents", "history for a plan"} <= {one.name for one in figures.queries}
    assert len(list(lines(figures))) == 1 + len(figures.queries)


def test_packing_a_night_costs_a_plan_in_proportion() -> None:
    small, large = measure_packing((2_000, 20_000))
    assert 0 < small.not_tonight < 2_000
    assert large.cpu_s < 25 * max(small.cpu_s, 0.05)  # n log n, on a machine with other work


# In CI a forecast is held against a real sweep by test_cli_simulate.py
# (test_it_says_how_long_a_real_sweep_takes).
@pytest.mark.long
def test_a_forecast_is_held_against_a_real_night(tmp_path: Path) -> None:
    figures = measure_forecast(tmp_path, nights=1)
    (night,) = figures.rows
    assert (figures.procedures, night.waits_for) == (12, "machines")
    assert 0.5 < night.ratio < 2  # within a fifth on a quiet machine: `scripts/bench-scale`


# In CI a second run is held against the first by test_verification_replay.py.
@pytest.mark.long
def test_a_second_night_replays_what_the_first_verified(tmp_path: Path) -> None:
    figures = measure_unchanged(tmp_path, documents=(DOCUMENTATION / "dns.md",))
    first, second = figures.nights
    assert first.verified == second.replayed == figures.procedures > 3
    assert (first.replayed, figures.lost) == (0, ())
