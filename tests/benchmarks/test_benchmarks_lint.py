"""The measurement itself works; how quick lint is is not for a test to say."""

from pathlib import Path

import pytest

from tests.benchmarks.lint import measure


def test_everything_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    figures = measure(12, ())
    assert figures.documents == 12
    assert figures.procedures > 50
    assert figures.labels > 400
    assert min(figures.lint_s, figures.reading_s, figures.times_bare, figures.memory_mib) > 0
    assert min(figures.again_s, figures.kept_mib) > 0
    assert figures.questions < figures.labels / 100
