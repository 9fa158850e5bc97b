import importlib
import re
import subprocess
import sys

import click
import pytest

from appliance import __version__
from appliance.cli._app import COMMANDS, app
from appliance.cli._output import json_option
from appliance.core.build import commit


def commands(command: click.Command, path: tuple[str, ...] = ()):
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            found = command.get_command(ctx, name)
            assert found is not None
            yield from commands(found, (*path, name))
    else:
        yield path, command


def test_every_command_has_help_and_json():
    found = dict(commands(app))
    assert ("verify",) in found
    for path, command in found.items():
        assert command.help, path
        options = {option for parameter in command.params for option in parameter.opts}
        assert "--json" in options, path


def test_help_says_what_each_command_does_in_full(appliance):
    for name in COMMANDS:
        told = appliance(name, "--help").out.partition("\nCommands:\n")[2]
        assert not re.search(r"\w\.\.\.$", told, re.MULTILINE), name


def test_the_help_lists_the_commands_without_importing_them(program):
    code = (
        "import sys; from appliance.cli import run; run(['--help']); print('duckdb' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert all(name in done.stdout for name in COMMANDS)
    assert done.stdout.endswith("False\n")


def test_the_version_names_the_commit(appliance):
    result = appliance("--version")
    assert result.code == 0
    assert result.out == f"appliance {__version__} (commit {commit()})\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("verfy",), "No such command 'verfy'. Did you mean 'verify'?"),
        (("xyz",), "No such command 'xyz'."),
        (("config", "shw"), "No such command 'shw'."),
        (("verify",), "Missing argument 'DOC...'."),
        (("verify", "a.md", "--polcy", "x"), "No such option '--polcy'."),
        (("verify", "a.md", "--set", "x"), "expected name=value, got 'x'."),
        (("verify", "a.md", "--format", "html,pdf"), "choose among html, json, junit"),
        (("verify", "a.md", "--format", ","), "got nothing."),
        (("--config",), "Option '--config' requires an argument."),
    ],
)
def test_bad_usage_is_said_and_gives_2(appliance, folder, arguments, message):
    result = appliance(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert message in result.err
    assert list(folder.iterdir()) == []


def test_without_a_command_it_shows_help(appliance):
    result = appliance()
    assert result.code in (0, 2)
    assert "Usage: appliance" in result.out + result.err


@pytest.fixture
def failing(monkeypatch):
    """Makes `appliance config check` end with an exception."""

    def with_error(error: BaseException) -> None:
        @click.command()
        @json_option
        def check(as_json: bool) -> None:
            """Fail."""
            raise error

        module = importlib.import_module("appliance.cli.config")
        monkeypatch.setitem(module.command.commands, "check", check)

    return with_error


def test_an_unexpected_error_is_a_sentence_and_the_trace_is_for_debug(appliance, failing, capfd):
    failing(KeyError("x"))
    result = appliance("config", "check")
    assert result.code == 2
    assert "Error: unexpected KeyError: 'x'\n" in result.err
    assert "`appliance --debug …` shows the trace" in result.err
    with pytest.raises(AssertionError, match="Traceback"):
        appliance("--debug", "config", "check")


SAYS_SECRETS = """
import logging, sys, click
from appliance.cli import _app, config
from appliance.core.secrets import learn

@click.command()
def check():
    logging.getLogger("asyncio").error("nobody looked at: %s", learn("Zq7/tangerine"))
    raise KeyError("Zq7/tangerine")

config.command.commands["check"] = check
sys.argv = ["appliance", "--debug", "config", "check"]
_app.main()
"""


def test_neither_a_trace_nor_a_librarys_log_says_a_secret(folder):
    ended = subprocess.run(
        [sys.executable, "-c", SAYS_SECRETS], capture_output=True, text=True, check=False
    )
    assert "Traceback" in ended.stderr
    assert "nobody looked at: ***" in ended.stderr
    assert "tangerine" not in ended.stderr.replace('raise KeyError("Zq7/tangerine")', "")


def test_ctrl_c_gives_130(appliance, failing):
    failing(KeyboardInterrupt())
    result = appliance("config", "check")
    assert (result.code, result.err.strip()) == (130, "Stopped.")


def test_errors_of_concurrent_work_are_said_once_each(appliance, failing):
    from appliance.core.errors import ConsoleError, SetupError

    errors = [ConsoleError("down"), ExceptionGroup("", [SetupError("a"), ConsoleError("down")])]
    failing(ExceptionGroup("several", errors))
    result = appliance("config", "check")
    assert (result.code, result.err) == (2, "Error: down\nError: a\n")


def test_a_closed_pipe_is_no_error(program):
    process = program("config", "example")
    process.stdout.close()
    process.wait(timeout=30)
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
