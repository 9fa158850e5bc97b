"""Whole commands with browsers elsewhere: what is wrong is said before anything runs."""

import json
from pathlib import Path

import pytest

pytest.importorskip("ray")

KEY = "CLUSTER_KEY_OF_A_TEST"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("execution: {engine: ray, key_env: A}", "`execution.address`: expected HOST:PORT"),
        ("execution: {engine: ray, address: 'a:1'}", "needs `key_env` or `key_file`"),
        ("execution: {engine: rai}", "execution.engine"),
        ("execution: {enginee: ray}", "Did you mean `engine`"),
    ],
)
def test_settings_that_do_not_fit_are_said(appliance, folder, text, said):
    Path("config.yaml").write_text(text)
    result = appliance("config", "check")
    assert result.code == 2
    assert said in result.out + result.err


def test_a_cluster_that_does_not_answer_is_said_before_anything_runs(
    appliance, folder, monkeypatch
):
    monkeypatch.setenv(KEY, "k" * 44)
    Path("guide.md").write_text("# Buckets\n\n## Look\n\n1. Go to **Products** > **Buckets**.\n")
    of = f"{{engine: ray, address: '127.0.0.1:9', key_env: {KEY}}}"
    Path("config.yaml").write_text(f"execution: {of}\n")
    result = appliance("verify", "guide.md", "--json")
    assert result.code == 2
    assert "no Ray cluster answers at 127.0.0.1:9" in json.dumps(json.loads(result.out))
    checks = json.loads(appliance("doctor", "--json").out)["checks"]
    (cluster,) = [check for check in checks if check["name"] == "cluster"]
    assert "no Ray cluster answers" in json.dumps(cluster)
