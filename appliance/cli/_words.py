"""How results are put into words on the command line."""

import shlex

from appliance.core.result import ProcedureResult, procedure_of
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
    plain = procedure_of(procedure_id)
    job = ["verify"] if plain == procedure_id else ["sweep", "start"]
    words = ["appliance", *job, document, "--procedure", plain]
    if console != "practice":
        words += ["--console", console]
    return shlex.join(words)
