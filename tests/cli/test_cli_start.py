"""What takes long to import is imported by those who need it, and by nobody's help."""

import subprocess
import sys

from appliance.cli._app import COMMANDS

ENGINES = {
    *("playwright", "jinja2", "PIL", "docutils", "markdown_it", "cryptography", "litestar"),
    *("appliance.browser.page", "appliance.documents.load", "appliance.engine.engine"),
    *("appliance.environment.lifecycle", "appliance.policy.literal.read.reading"),
    *("appliance.reports.html", "appliance.verification.context"),
}
"""Libraries, and modules of ours that bring whole rooms along."""
DATABASE = {"duckdb", "appliance.store.store"}
WITHOUT_DATABASE = ["config", "verify", "procedures", "question", "model", "init"]
LATE = {"bench", "train", "serve"}
"""Commands that import what they use at once."""
PROGRAM = """
import sys
from appliance.cli import run
unwanted = set(sys.argv[1].split())
for command in sys.argv[2:]:
    run([command, "--help"] if command else ["--help"])
    for module in sorted(unwanted & set(sys.modules)):
        print(command, module, file=sys.stderr)
    unwanted -= set(sys.modules)
"""


def brought_along(unwanted: set[str], commands: list[str]) -> str:
    """Which command imported which of them first, when all show their help one after another."""
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM, " ".join(unwanted), *commands],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.count("Usage: appliance") == len(commands)
    return told.stderr


def test_help_imports_no_engine():
    assert not brought_along({*ENGINES, *DATABASE, "httpx"}, [""])
    assert not brought_along(ENGINES | DATABASE, WITHOUT_DATABASE)
    assert not brought_along(ENGINES, [name for name in COMMANDS if name not in LATE])
