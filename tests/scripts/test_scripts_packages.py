"""What is installed is what was locked, and its licences are known."""

import hashlib
import importlib
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = sorted(ROOT.glob("constraints*.txt"))
ITSELF = "--no-deps --no-build-isolation --editable ."


def pins(file: Path) -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)==([^\s;\\]+)", file.read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


@pytest.mark.parametrize("file", LOCKS, ids=lambda file: file.name)
def test_every_pin_has_hashes_and_no_index_is_named(file):
    text = file.read_text()
    entries = re.split(r"^(?=\w)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE), flags=re.M)
    assert len(entries) > 5
    for entry in filter(None, entries):
        first, *hashes = entry.splitlines()
        assert re.match(r"[\w.-]+==[^\s;]+( ; .*)? \\$", first)
        assert hashes
        assert all(re.fullmatch(r" {4}--hash=sha256:[0-9a-f]{64}( \\)?", each) for each in hashes)


def test_what_the_project_asks_for_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    runtime = pins(ROOT / "constraints.txt")
    image = runtime | pins(ROOT / "constraints-image.txt")
    everything = image | pins(ROOT / "constraints-dev.txt")
    places = {"dev": everything, "environment": image, "ray": image}
    for extra, wanted in {"": project["dependencies"], **project["optional-dependencies"]}.items():
        for each in map(Requirement, wanted):
            locked = places.get(extra, runtime)[canonicalize_name(each.name)]
            assert each.specifier.contains(locked), f"{each}: run scripts/lock"
    assert "setuptools" in runtime  # scripts/install builds the package itself with it


def test_nothing_is_installed_without_a_hash_but_the_package_itself():
    scripts = [path for path in (ROOT / "scripts").rglob("*") if path.is_file()]
    scripts = [path for path in scripts if path.suffix in ("", ".py", ".sh")]
    installs = [
        (path.name, line.strip())
        for path in (ROOT / "Dockerfile", ROOT / ".ci" / "run", *scripts)
        for line in path.read_text().splitlines()
        if re.search(
            r'(-m |bin/)pip install|"\$\{pip\[@\]\}"|\buv pip (install|sync)|"pip", "install"', line
        )
        and "pip=(" not in line
    ]
    where = {"Dockerfile", "bundle.py", "install", "environment.sh"}
    assert {name for name, _ in installs} == where
    loose = [
        line
        for _, line in installs
        if "--no-deps" not in line or ("--require-hashes" not in line and ITSELF not in line)
    ]
    assert loose == []


def test_what_is_locked_needs_nothing_else():
    """It is installed without looking for dependencies: none may lack, or have another version."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "check", "--disable-pip-version-check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_what_a_bundle_brings_is_locked_with_all_that_it_needs(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    bundle = importlib.import_module("hosting.bundle")
    locked = bundle._locked_requirements("python-on-whales", ROOT / "constraints.txt")
    names = set(re.findall(r"^([\w.-]+)==", locked, re.MULTILINE))
    assert {"python-on-whales", "pydantic", "pydantic-core", "typing-extensions"} <= names
    assert len(names) < 12
    assert locked.count("--hash=sha256:") >= len(names)


def test_another_file_under_the_same_name_is_refused(tmp_path):
    wheel = tmp_path / "small-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("small.py", "")
        file.writestr(
            "small-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: small\nVersion: 1.0\n"
        )
        file.writestr(
            "small-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        file.writestr("small-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    locked = tmp_path / "locked.txt"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--find-links", tmp_path]
    command += ["--disable-pip-version-check", "--target", tmp_path / "there"]
    command += ["--require-hashes", "-r", locked]

    def installed(line: str) -> subprocess.CompletedProcess[str]:
        locked.write_text(line)
        return subprocess.run(command, capture_output=True, text=True, check=False)

    other = ("0" if digest[0] != "0" else "1") + digest[1:]
    refused = installed(f"small==1.0 --hash=sha256:{other}\n")
    assert refused.returncode == 1
    assert "DO NOT MATCH THE HASHES" in refused.stderr
    assert "--hash" in installed("small==1.0\n").stderr
    assert not (tmp_path / "there").exists()
    assert installed(f"small==1.0 --hash=sha256:{digest}\n").returncode == 0
    assert (tmp_path / "there" / "small.py").is_file()


def checked(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, root / "scripts" / "licences", "--check"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_list_of_licences_is_about_what_is_locked(tmp_path):
    assert checked(ROOT).stderr == ""
    (tmp_path / "scripts").mkdir()
    for name in (
        *("scripts/licences", "scripts/icons", "LICENCES.md"),
        *("constraints.txt", "constraints-image.txt", "constraints-dev.txt"),
    ):
        shutil.copy(ROOT / name, tmp_path / name)
    lock = tmp_path / "constraints.txt"
    lock.write_text(re.sub(r"^click==\S+", "click==0.1", lock.read_text(), flags=re.MULTILINE))
    done = checked(tmp_path)
    assert done.returncode == 1
    assert "LICENCES.md and the pins differ in click 0.1" in done.stderr
    assert (ROOT / "LICENSE").read_text().lstrip().startswith("Apache License")
