import json
from pathlib import Path

import yaml

from appliance.config import Settings, example_config, masked, short_example


def test_show_prints_settings_with_their_origins(appliance, monkeypatch):
    Path("config.yaml").write_text("browser:\n  pool_size: 3\n")
    monkeypatch.setenv("APPLIANCE_DATA_DIR", "/var/lib/x")
    result = appliance("config", "show")
    assert result.code == 0
    assert "  pool_size: 3  # config.yaml:2\n" in result.out
    assert "data_dir: /var/lib/x  # APPLIANCE_DATA_DIR\n" in result.out
    assert yaml.safe_load(result.out)["verification"]["parallel"] == 4


def test_show_as_json(appliance):
    shown = json.loads(appliance("config", "show", "--json").out)
    assert shown == {"file": None, "settings": masked(Settings()), "origins": {}}


def test_check_says_that_all_is_well(appliance):
    result = appliance("config", "check")
    assert (result.code, result.out) == (0, "")
    assert "in order" in result.err
    assert json.loads(appliance("config", "check", "--json").out) == {"ok": True, "file": None}


def test_check_says_what_is_wrong(appliance):
    Path("my.yaml").write_text("datadir: x\n")
    result = appliance("--config", "my.yaml", "config", "check")
    assert result.code == 2
    assert result.out == ""
    assert result.err == ("Error: my.yaml:1: unknown key `datadir`. Did you mean `data_dir`?\n")


def test_example_prints_a_short_one_and_with_full_everything(appliance):
    assert appliance("config", "example").out == short_example()
    assert appliance("config", "example", "--full").out == example_config()
    full = json.loads(appliance("config", "example", "--full", "--json").out)
    assert full == {"example": example_config()}
