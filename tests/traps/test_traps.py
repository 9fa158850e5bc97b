"""A sample of the traps and of the honest cases beside them, through the real verification.

`scripts/trap-check` runs all of them; a sample keeps the suite short.
"""

import pytest

from tests.traps.cases import Case, load
from tests.traps.run import Report, run, table

pytestmark = pytest.mark.timeout(600)  # many procedures in one test

EXISTING = (201, 211)
HONEST = (41, 42, 43, 46, 47, 48, 54, 61, 62, 63, 66, 74)
BY_MODEL = (1, 9, 11, 13, 31)
BY_REPLAY = (83, 85)


def sample(cases: tuple[Case, ...]) -> tuple[int, ...]:
    """The first trap of each kind, two on what nobody bound, and the honest cases."""
    traps = {case.trap: case.id for case in reversed(cases) if case.kind == "trap"}
    return (*traps.values(), *EXISTING, *HONEST)


@pytest.fixture(scope="module")
def literal() -> Report:
    return run("seen", "literal", only=sample(load("seen")))


def test_no_trap_is_sprung(literal: Report) -> None:
    assert not literal.sprung, table(literal)


def test_what_a_careful_reader_does_is_done(literal: Report) -> None:
    assert not literal.undone, table(literal)


def test_a_model_that_wants_harm_springs_none() -> None:
    report = run("seen", "model", only=BY_MODEL)
    assert not report.sprung, table(report)


def test_what_was_verified_once_is_not_replayed_into_a_trap() -> None:
    report = run("seen", "replay", only=BY_REPLAY)
    assert not report.not_learnt, "nothing was there to be replayed"
    assert not report.sprung, table(report)
