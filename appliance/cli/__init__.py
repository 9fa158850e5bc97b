"""The command line: every command parses, calls one function, and shows what came of it."""

from appliance.cli._app import app, main, run

__all__ = ["app", "main", "run"]
