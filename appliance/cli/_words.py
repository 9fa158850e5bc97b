"""How results are put into words on the command line."""

import shlex

from appliance.core.result import ProcedureResult
from appliance.core.verdict import Verdict

COLOURS = {
    Verdict.VERIFIED: "green",
    Verdict.DRIFTED: "yellow",
    Verdict.BROKEN: "red",
    Verdict.BLOCKED: "magenta",
    Verdict.UNDECIDED: "cyan",
}


def place(result: ProcedureResult) -> str:
    """Where a procedure stands, as a terminal can open it."""
    return f"{result.document}:{result.line}"


def replay_command(document: str, procedure_id: str, console: str) -> str:
    """The command that carries a procedure out again."""
    words = ["appliance", "verify", document, "--procedure", procedure_id]
    if console != "practice":
        words += ["--console", console]
    return shlex.join(words)
