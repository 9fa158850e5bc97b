"""What the README shows works."""

import re
import shlex
from pathlib import Path

import click
import pytest

from appliance.cli import app
from appliance.config import load_settings
from appliance.documents import load_documents
from appliance.practice.overlay import KINDS
from appliance.practice.releases import DOCUMENTATION

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


def shown_commands() -> list[str]:
    """Of the blocks, and of the sentences."""
    text = README.read_text()
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    inline = re.findall(r"`(appliance [a-z][^`]*)`", prose)
    return [line for block in blocks("console") for line in block.splitlines()] + inline


@pytest.mark.parametrize("line", shown_commands())
def test_the_commands_are_there(line):
    words = shlex.split(line.removeprefix("$ "), comments=True)
    if words[0] == "appliance":
        check_options(app, click.Context(app), words[1:])
    else:
        assert words[0] == "docker" or (README.parent / words[0]).is_file()


def check_options(command: click.Command, context: click.Context, words: list[str]) -> None:
    """Parse a command line as far as it can be without running it."""
    if isinstance(command, click.Group) and words:
        inner = command.get_command(context, words[0])
        assert inner is not None, words[0]
        check_options(inner, click.Context(inner, parent=context), words[1:])
        return
    command.make_parser(context).parse_args([word for word in words if word != "[ADDRESS]"])


def test_what_it_counts_is_so():
    text = " ".join(README.read_text().split())
    documents = load_documents([DOCUMENTATION])
    chinese = [one for one in documents if ".zh." in one.path]
    whole, of_chinese = (sum(len(one.procedures) for one in part) for part in (documents, chinese))
    assert f"all {whole} bundled procedures" in text
    assert (
        f"{whole} bundled procedures ({whole - of_chinese} English, {of_chinese} Chinese)" in text
    )
    assert len(KINDS) == 16
    assert "sixteen kinds of them" in text
