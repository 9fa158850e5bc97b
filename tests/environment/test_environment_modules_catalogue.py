"""The modules that there are, and where they come from."""

import gc
import shutil
import time
from collections import Counter
from pathlib import Path

import pytest
import yaml

from appliance.core.errors import SetupError
from appliance.environment.modules import Catalogue
from appliance.environment.modules.catalogue import OURS
from scripts.practice_modules import generate
from tests.environment.environment_modules_disk import DISK, written

CATALOGUE = Catalogue.load()


def test_there_are_modules_for_four_clouds():
    counts = {console: len(CATALOGUE.of(console)) for console in CATALOGUE.consoles}
    assert counts == {"alicloud": 10, "aws": 10, "openstack": 9, "practice": 34}


def test_nothing_is_wrong_with_ours():
    assert CATALOGUE.check() == ()


def test_only_what_was_applied_for_real_says_nothing_about_it():
    for console in CATALOGUE.consoles:
        for module in CATALOGUE.of(console).values():
            assert bool(module.not_applied) == (console != "practice"), module.name


def test_no_word_of_a_cloud_names_two_modules():
    for console in CATALOGUE.consoles:
        for language in ("en", "zh"):
            words = Counter(
                word.casefold()
                for module in CATALOGUE.of(console).values()
                for word in module.words[language]
            )
            assert [word for word, times in words.items() if times > 1] == []


def test_a_price_that_nobody_knows_says_so():
    for console in CATALOGUE.consoles:
        for module in CATALOGUE.of(console).values():
            assert module.cost.note
            assert module.cost.is_known == (console == "practice")


def test_reading_all_of_them_is_quick():
    gc.collect()
    started = time.process_time()
    Catalogue.load()
    assert time.process_time() - started < 0.3


def test_the_practice_modules_are_what_the_schema_makes():
    there = {
        str(file.relative_to(OURS / "practice")): file.read_text(encoding="utf-8")
        for file in (OURS / "practice").glob("*/*")
    }
    assert there == generate.files(), "run scripts/practice-modules"


def test_generating_writes_what_differs_and_nothing_else(tmp_path, monkeypatch, capsys):
    known = tmp_path / "modules.yaml"
    shutil.copytree(OURS / "practice", tmp_path, dirs_exist_ok=True)
    (tmp_path / "disk" / "main.tf").write_text("changed")
    shutil.rmtree(tmp_path / "zone")
    monkeypatch.setattr(generate, "KNOWN", known)
    generate.main()
    names = ("disk/main.tf", "zone/main.tf", "zone/variables.tf", "zone/outputs.tf")
    written = [tmp_path / name for name in (*names, "zone/module.yaml")]
    assert [Path(line) for line in capsys.readouterr().out.splitlines()] == written
    generate.main()
    assert capsys.readouterr().out == ""


def test_a_resource_type_that_nobody_described_is_named(tmp_path, monkeypatch):
    known = yaml.safe_load((OURS / "practice" / "modules.yaml").read_text(encoding="utf-8"))
    del known["disk"]
    (tmp_path / "modules.yaml").write_text(yaml.safe_dump(known))
    monkeypatch.setattr(generate, "KNOWN", tmp_path / "modules.yaml")
    with pytest.raises(SystemExit, match=r"only in one of .*: disk$"):
        generate.files()


def test_a_module_of_ones_own_wins(tmp_path):
    catalogue = Catalogue.load([written(tmp_path)])
    disk = catalogue.module("practice", "disk")
    assert disk.folder == tmp_path / "practice" / "disk"
    assert disk.provides["en"] == "A disk."
    assert disk.variables["size"].default == 40
    assert disk.variables["instance"].needed_for == ("in-use",)
    assert catalogue.check("practice") == ()
    assert len(catalogue.of("practice")) == 34


def test_the_last_folder_wins(tmp_path):
    first = written(tmp_path / "first")
    changed = DISK.replace("A disk.", "Another.")
    last = written(tmp_path / "last", **{"module.yaml": changed})
    assert Catalogue.load([first, last]).module("practice", "disk").folder.is_relative_to(last)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SetupError, match=r"modules .*/nowhere is not there; correct environment"):
        Catalogue.load([tmp_path / "nowhere"])


def test_a_module_that_is_not_there_is_told_with_the_nearest():
    with pytest.raises(SetupError) as caught:
        CATALOGUE.module("practice", "netwrok")
    says = "there is no resource module practice/netwrok. Did you mean `network`?"
    assert str(caught.value) == says
    with pytest.raises(SetupError, match=r"^there is no resource module gcp/network\.$"):
        CATALOGUE.module("gcp", "network")
    assert CATALOGUE.of("gcp") == {}


def test_a_variable_is_found_by_the_word_of_needs():
    instance = CATALOGUE.module("practice", "instance")
    assert instance.variable("source") is instance.variables["instance_source"]
    assert instance.variable("size") is instance.variables["size"]
    assert instance.variable("colour") is None
    assert instance.references == {
        "network": "network",
        "subnet": "subnet",
        "groups": "security_group",
        "key": "key_pair",
    }
