"""What settings of a console's log-in must be true of together."""

from pathlib import Path

import pytest

from appliance.config import load
from appliance.core.errors import ConfigError

PASSWORD = "accounts: {a: {username: a, password_env: PW}}"


@pytest.mark.parametrize(
    ("console", "why"),
    [
        ("kind: openstack, auth_url: 'http://k', log_in: basic", "is for consoles of kind generic"),
        ("kind: generic, log_in: steps", "`log_in: steps` needs `log_in_steps`"),
        ("kind: generic, log_in_steps: Click **Go**.", "is for `log_in: steps`; here it is form"),
    ],
)
def test_a_log_in_that_does_not_fit_is_told(tmp_path: Path, console: str, why: str):
    file = tmp_path / "config.yaml"
    file.write_text(f"console: x\nconsoles: {{x: {{url: 'http://c', {console}, {PASSWORD}}}}}\n")
    with pytest.raises(ConfigError) as caught:
        load(file, {}, {})
    assert why in str(caught.value)


def test_who_logs_in_by_hand_or_by_certificate_needs_no_password(tmp_path: Path):
    file = tmp_path / "config.yaml"
    for way in ("state", "certificate"):
        console = f"kind: generic, url: 'http://c', log_in: {way}, accounts: {{a: {{username: a}}}}"
        file.write_text(f"console: x\nconsoles: {{x: {{{console}}}}}\n")
        assert load(file, {}, {}).settings.consoles["x"].log_in == way
