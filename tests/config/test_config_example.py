import json
import re
from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st

from appliance.config import Settings, example_config, load_settings, masked, short_example
from appliance.config._schema import keys_at, leaves, shape_at, variable

ROOT = Path(__file__).parents[2]


def test_the_example_file_is_what_the_code_gives():
    committed = (ROOT / "config.example.yaml").read_text(encoding="utf-8")
    assert committed == example_config(), (
        "run: appliance config example --full > config.example.yaml"
    )


def test_the_example_loads_and_gives_the_defaults(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("config.yaml").write_text(example_config(), encoding="utf-8")
    assert load_settings(None, {}, {}) == Settings()


def test_the_short_example_loads_and_is_short(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("config.yaml").write_text(short_example(), encoding="utf-8")
    told = load_settings(None, {}, {})
    assert (told.console, told.sweep.time_zone) == ("lab", "Europe/Berlin")
    assert told.schedules["nightly"].job == "sweep"
    assert len(short_example().splitlines()) <= 25


def test_the_commented_console_of_the_example_loads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = example_config()
    block = text[text.index("  # lab:") : text.index("# The browsers.")]
    consoles = text.replace(block, re.sub("(?m)^  # ", "  ", block))
    Path("config.yaml").write_text(consoles, encoding="utf-8")
    lab = load_settings(None, {}, {}).consoles["lab"]
    assert lab.kind == "openstack"
    assert lab.accounts["alice"].password_env == "LAB_ALICE_PASSWORD"


def test_every_setting_is_documented():
    for path in leaves({("consoles",): ("p",), ("consoles", "p", "accounts"): ("a",)}):
        section = shape_at(path[:-1])
        assert section is not None
        assert section.section is not None
        assert section.section.model_fields[path[-1]].description, path


def test_variables_are_distinct():
    paths = list(leaves({("consoles",): ("p",)}))
    assert len({variable(path) for path in paths}) == len(paths) > 20
    assert keys_at(("browser", "pool_size")) == ()


@given(st.text(st.characters(exclude_characters="/@ ", exclude_categories=["Z", "C"]), min_size=4))
def test_credentials_in_an_address_are_masked(secret):
    settings = Settings.model_validate(
        {"consoles": {"practice": {"kind": "practice", "url": f"http://user:{secret}@host/x"}}}
    )
    shown = masked(settings)
    assert shown["consoles"]["practice"]["url"] == "http://***@host/x"


def test_masked_settings_are_json_and_load_again():
    settings = Settings()
    again = yaml.safe_load(json.dumps(masked(settings)))
    assert Settings.model_validate(again) == settings
