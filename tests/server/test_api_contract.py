"""The API does what its description says, whatever it is sent."""

from collections.abc import Iterable
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup

from appliance.config import DocumentationSettings, ServerSettings, Settings

EXAMPLES = 3
"""For each operation, beside those that the description has and those at its limits."""
GUIDE = "# Guide\n\n## Create a disk\n\n1. Open **Disks**.\n2. Click **Create disk**.\n"
_POSSIBLE = ("304", "404", "409", "412", "422")
_CONFIG = {
    "phases": {"coverage": {"enabled": False}, "stateful": {"enabled": False}},
    "checks": {
        # What is well-formed may be impossible all the same: no such console, nothing to verify.
        # Or nobody's fault: no console is open here.
        "positive_data_acceptance": {"expected-statuses": ["2xx", *_POSSIBLE, "502"]},
        # Only where 502 is said to come.
        "not_a_server_error": {"enabled": False},
    },
}


@pytest.fixture(name="settings")
def settings_of_server(tmp_path: Path) -> Settings:
    (tmp_path / "guide.md").write_text(GUIDE, encoding="utf-8")
    return Settings(
        data_dir=tmp_path,
        documentation=DocumentationSettings(paths=(tmp_path / "guide.md",)),
        server=ServerSettings(requests_per_minute=1_000_000),
    )


@pytest.fixture
def described(address: str) -> schemathesis.BaseSchema:
    config = schemathesis.Config.from_dict(_CONFIG)
    told = schemathesis.openapi.from_url(f"{address}/schema/openapi.json", config=config)
    return told.include(path_regex="^/api/v1/").exclude(operation_id="followAll")  # has no end


def test_it_is_as_described(described: schemathesis.BaseSchema):
    asked, wrong = 0, []
    for found in described.get_all_operations():
        operation = found.ok()
        for mode in _modes(operation):
            try:
                asked += _ask(operation, mode)
            except (AssertionError, FailureGroup) as failure:
                wrong.append(failure)
    assert not wrong, "\n\n".join(map(str, wrong))
    assert asked > 150, asked


def _modes(operation: schemathesis.APIOperation) -> Iterable[GenerationMode]:
    """Wrong data where there is much that can be: any text is right for an id or a header."""
    yield GenerationMode.POSITIVE
    if operation.body or operation.query:
        yield GenerationMode.NEGATIVE


def _ask(operation: schemathesis.APIOperation, mode: GenerationMode) -> int:
    asked = 0

    @given(case=operation.as_strategy(mode))
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(case: schemathesis.Case) -> None:
        nonlocal asked
        asked += 1
        response = case.call()
        if response.status_code != 502 or "502" not in operation.definition.raw["responses"]:
            assert response.status_code < 500, f"{case.as_curl_command()}\n{response.text}"
        case.validate_response(response, excluded_checks=[not_a_server_error])

    try:
        send()
    except Unsatisfiable:  # nothing about it can be wrong
        assert mode is GenerationMode.NEGATIVE
    return asked
