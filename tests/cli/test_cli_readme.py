"""What the README shows works."""

import re
import shlex
from pathlib import Path

import click
import pytest

from appliance.cli import app
from appliance.config import load_settings
from appliance.documents import load_documents

README = Path(__file__).parents[2] / "README.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)


def test_the_settings_load(tmp_path):
    block = next(block for block in blocks("yaml") if "consoles:" in block)
    file = tmp_path / "config.yaml"
    file.write_text(block)
    assert load_settings(file, {}, {}).console == "lab"


def test_the_checks_load(tmp_path):
    block = next(block for block in blocks("yaml") if "procedures:" in block)
    (tmp_path / "guide.md").write_text("# Buckets\n\n## Create a bucket\n\n1. Click **Create**.\n")
    (tmp_path / "guide.checks.yaml").write_text(block)
    (document,) = load_documents([tmp_path / "guide.md"])
    (procedure,) = document.procedures
    assert procedure.checks.expect[0].event == "CreateBucket"


@pytest.mark.parametrize("line", [x for b in blocks("console") for x in b.splitlines()])
def test_the_commands_are_there(line):
    words = shlex.split(line.removeprefix("$ "), comments=True)
    if words[0] == "appliance":
        assert isinstance(app.get_command(click.Context(app), words[1]), click.Command)
    else:
        assert words[0] == "docker" or (README.parent / words[0]).is_file()
