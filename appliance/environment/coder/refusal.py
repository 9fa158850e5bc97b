"""What is wrong with a configuration that a model wrote."""

from appliance.environment.terraform.types import Diagnostic


class Refused(Exception):
    """A configuration that must not run, with all that is wrong with it."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


def problem(address: str, summary: str, detail: str = "") -> Diagnostic:
    """Something wrong with a block; without an address, with the whole."""
    return Diagnostic(severity="error", summary=summary, detail=detail, address=address)
