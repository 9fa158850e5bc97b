"""Errors as documents, of whole commands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("arguments", "kind", "where", "detail"),
    [
        (("verify", "--json"), "usage", "appliance verify", "Missing argument 'DOC...'."),
        (("finding", "lst", "--json"), "usage", "appliance finding", "No such command 'lst'."),
        (("verfy", "--json"), "usage", "appliance", "Did you mean 'verify'?"),
        (("run", "list", "--json", "--limit", "x"), "usage", "appliance run list", "not a valid"),
        (("run", "show", "--json"), "setup", "appliance run show", "there are no runs in data yet"),
        (("procedures", "no.md", "--json"), "document", "appliance procedures", "no.md"),
        (
            ("--config", "no.yaml", "run", "list", "--json"),
            "config",
            "appliance run list",
            "no.yaml",
        ),
    ],
)
def test_an_error_under_json_is_a_document(appliance, arguments, kind, where, detail):
    result = appliance(*arguments)
    told = json.loads(result.out)["error"]
    assert (result.code, told["exit_code"]) == (2, 2)
    assert (told["kind"], told["where"]) == (kind, where)
    assert detail in told["detail"]
    assert told["remedy"]
    assert "Error: " in result.err  # people read it where they did


def test_every_mistake_in_the_settings_has_its_place(appliance, folder):
    Path("config.yaml").write_text("console: lap\nbrowser:\n  pool_size: many\n  colour: red\n")
    told = json.loads(appliance("config", "check", "--json").out)["error"]
    every = [told, *told["more"]]
    assert {one["where"] for one in every} == {"config.yaml:3", "config.yaml:4"}
    assert {one["kind"] for one in every} == {"config"}


def test_without_json_nothing_but_the_sentence(appliance):
    result = appliance("run", "show", "--", "--json")
    assert (result.code, result.out) == (2, "")


def test_a_secret_is_not_in_it(appliance, folder, monkeypatch):
    monkeypatch.setenv("HOOK", "whsec_hunter2hunter2")
    Path("config.yaml").write_text(
        "webhooks: {team: {url: 'http://127.0.0.1:9/', secret_env: HOOK}}\n"
    )
    result = appliance("webhook", "test", "team", "--json")
    assert json.loads(result.out)["error"]["kind"] == "setup"
    assert "hunter2" not in result.out + result.err


def test_an_unexpected_error_is_a_document_too():
    code = (
        "import sys, click; from appliance.cli._app import run\n"
        "@click.command()\n@click.option('--json', is_flag=True)\n"
        "def broken(json): raise ValueError('odd')\n"
        "sys.exit(run(['--json'], broken))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    told = json.loads(done.stdout)["error"]
    assert (done.returncode, told["kind"], told["detail"]) == (2, "unexpected", "ValueError: odd")
