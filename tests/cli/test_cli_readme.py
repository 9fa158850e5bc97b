"""What the README and its pages show works."""

import re
import shlex
from pathlib import Path

import click
import pytest

import appliance
from appliance.browser._browser import BROWSER_USER
from appliance.cli import app
from appliance.config import Settings, load_settings
from appliance.documents import load_documents
from appliance.documents._limits import (
    MAX_BYTES,
    MAX_CELLS,
    MAX_PARAGRAPH,
    MAX_SENTENCE,
    MAX_STEPS,
)
from appliance.outcome.sources.base import _USUAL_LATE_S
from appliance.practice.overlay import KINDS
from appliance.practice.releases import DOCUMENTATION
from appliance.server.activity import _ALL_REFUSED_PER_DAY, _REFUSED_PER_DAY
from appliance.system.yaml import MAX_CHARACTERS

WORDS = {9: "nine", 30: "thirty"}
PRODUCTS = Path(appliance.__file__).parent / "practice/products"
ROOT = Path(__file__).parents[2]
PAGES = sorted((*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")))
TEXT = "\n".join(page.read_text() for page in PAGES)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def prose(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)]+)\)", prose(page.read_text())):
            file, _, anchor = target.partition("#")
            assert file.startswith("https://") or (page.parent / file).exists(), (page.name, target)
            if anchor:
                assert anchor in anchors((page.parent / file).read_text()), (page.name, target)


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.casefold()).replace(" ", "-") for heading in headings}


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
    inline = re.findall(r"`(appliance [a-z][^`]*)`", prose(TEXT))
    return [line for block in blocks("console") for line in block.splitlines()] + inline


@pytest.mark.parametrize("line", shown_commands())
def test_the_commands_are_there(line):
    words = shlex.split(re.sub(r"^\w*\$ ", "", line), comments=True)
    if words[0] == "appliance":
        check_options(app, click.Context(app), words[1:])
    else:
        assert words[0] in OF_OTHERS or (ROOT / words[0]).is_file()


OF_OTHERS = ("docker", "openssl", "pip", "ray")


def check_options(command: click.Command, context: click.Context, words: list[str]) -> None:
    """Parse a command line as far as it can be without running it."""
    if isinstance(command, click.Group) and words:
        inner = command.get_command(context, words[0])
        assert inner is not None, words[0]
        check_options(inner, click.Context(inner, parent=context), words[1:])
        return
    command.make_parser(context).parse_args([word for word in words if word != "[ADDRESS]"])


def test_what_it_counts_is_so():
    text = " ".join(TEXT.split())
    documents = load_documents([DOCUMENTATION])
    chinese = [one for one in documents if ".zh." in one.path]
    whole, of_chinese = (sum(len(one.procedures) for one in part) for part in (documents, chinese))
    assert f"all {whole} bundled procedures" in text
    assert (
        f"{whole} bundled procedures ({whole - of_chinese} English, {of_chinese} Chinese)" in text
    )
    assert len(KINDS) == 16
    assert "sixteen kinds of them" in text


def claims() -> list[str]:
    """Numbers of the README, as the program has them."""
    settings = Settings()
    lockout, server = settings.server.lockout, settings.model.server
    nightly = settings.schedules["nightly"]
    source = (Path(appliance.__file__).parent / "browser/js/folds.js").read_text()
    folds = {name: int(number) for name, number in re.findall(r"const (\w+) = (\d+);", source)}
    products = {file.stem for file in PRODUCTS.glob("*.yaml")} - {"console"}
    assert nightly.cron == "0 22 * * *"
    return [
        f"A document has at most {MAX_BYTES // 2**20} MiB, a procedure {MAX_STEPS:,} steps, a"
        f" paragraph {MAX_PARAGRAPH:,} characters, a sentence {MAX_SENTENCE:,}, a table"
        f" {MAX_CELLS:,} cells",
        f"YAML has {MAX_CHARACTERS // 2**20} MiB at most",
        "against the practice cloud, every night at ten",
        f"CloudTrail's events come up to {_USUAL_LATE_S['cloudtrail'] / 60:.0f} minutes late,"
        f" ActionTrail's {_USUAL_LATE_S['actiontrail'] / 60:.0f}:",
        f"After {settings.sweep.max_pause_minutes / 60:.0f} hours without a verdict",
        f"lock their address out for {lockout.minutes:.0f} minutes",
        f"is asked a real question every {server.health_every_s:.0f} s",
        f"vLLM ({pinned('vllm')}, in an environment of its own",
        f"Judges (`judges.count: {settings.judges.count}`)",
        f"a user without rights ({BROWSER_USER},",
        f"{_REFUSED_PER_DAY} a day of one sender are kept, {_ALL_REFUSED_PER_DAY:,} of all",
        f"tables and lists of more than {folds['LONG']} rows",
        f"the rows in view and the nearest {WORDS[folds['NEAR']]}",
        f"{WORDS[len(products)]} products",
    ]


def pinned(name: str) -> str:
    text = (ROOT / "constraints-gpu.txt").read_text()
    return re.search(rf"^{name}==(\S+)", text, re.MULTILINE)[1]


@pytest.mark.parametrize("claim", claims())
def test_the_numbers_are_the_programs_own(claim):
    assert claim in " ".join(TEXT.split())


WAY = Path(appliance.__file__).parent / "README.md"
"""The way of one procedure, room by room."""


def test_the_way_of_one_procedure_leads_past_what_is_there():
    """Where a file is named alone, it stands in the room that was named last."""
    text, room = WAY.read_text(), Path()
    assert len(text.splitlines()) <= 60
    for named in re.findall(r"`([\w/]+(?:\.py|/))`", text):
        path = WAY.parent / named if "/" in named else room / named
        assert path.exists(), named
        room = path.parent
