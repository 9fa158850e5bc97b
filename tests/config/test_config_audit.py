"""Settings of audit logs that do not fit together."""

from pathlib import Path

import pytest

from appliance.config import load_settings
from appliance.core.errors import ConfigError


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def loaded(audit, kind="generic", account="", file=Path("config.yaml")):
    file.parent.mkdir(exist_ok=True)
    file.write_text(
        f"consoles:\n  lab:\n    kind: {kind}\n    url: http://lab\n"
        f"    accounts: {{a: {{username: a, password_env: P{account}}}}}\n    audit: {audit}\n"
    )
    return load_settings(file, {}, {}).consoles["lab"].audit


@pytest.mark.parametrize(
    ("audit", "message"),
    [
        ("{kind: cadf}", "`consoles.lab.audit.path` is required for audit logs of kind cadf"),
        ("{kind: jsonlines}", "`consoles.lab.audit.path` is required"),
        ("{kind: webhook}", "`consoles.lab.audit.key_secret_env` is required"),
        ("{kind: actiontrail}", "`consoles.lab.audit.key_id_env` is required"),
        (
            "{kind: actiontrail, key_id_env: A, key_secret_env: B}",
            "`consoles.lab.audit.region` is required",
        ),
        ("{kind: cloudtrail, key_id_env: A}", "`consoles.lab.audit.key_secret_env` is required"),
        ("{kind: cloudtrail, path: a, bucket: b}", "has `path` and `bucket`; keep one"),
        ("{kind: cloudtrail, endpoint: 'ftp://x'}", "`endpoint`: expected an address"),
        ("{kind: cadf, path: a, bucket: b}", "`bucket` is for audit logs of kind cloudtrail"),
        ("{kind: kubernetes, path: a, fields: {name: b}}", "`fields` is for audit logs of kind"),
        ("{path: a}", "this one is none"),
        ("{kind: splunk}", "consoles.lab.audit.kind"),
    ],
)
def test_what_does_not_fit_together_is_said(audit, message):
    with pytest.raises(ConfigError) as caught:
        loaded(audit)
    assert message in str(caught.value)
    assert "config.yaml:" in str(caught.value)


def test_an_adapter_takes_the_kinds_that_it_knows():
    with pytest.raises(ConfigError, match="a console of kind openstack takes cadf"):
        loaded("{kind: kubernetes, path: a}", "openstack")
    with pytest.raises(ConfigError, match="a console of kind practice takes none: it has its own"):
        loaded("{kind: jsonlines, path: a}", "practice")


def test_what_fits_is_taken_and_paths_start_at_the_file_s_folder():
    file = Path("etc/config.yaml")
    assert loaded("{kind: cadf, path: log/*.jsonl}", file=file).path == Path("etc/log/*.jsonl")
    keys = "key_id_env: A, key_secret_env: B"
    assert loaded(f"{{kind: actiontrail, {keys}}}", account=", region: r").key_id_env == "A"
    assert loaded("{kind: cloudtrail}").bucket == ""
