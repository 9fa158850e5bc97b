"""`appliance config`: show, check, example."""

import click

from appliance.cli._app import Invocation, Noun, pass_invocation
from appliance.cli._output import json_option, talk, write_json
from appliance.config import example_config, masked, short_example, shown


@click.group("config", cls=Noun)
def command() -> None:
    """Show and check the settings.

    They come from defaults < config.yaml < APPLIANCE_* variables < flags.
    """


@command.command()
@json_option
@pass_invocation
def show(invocation: Invocation, as_json: bool) -> None:
    """Print the settings in force, and where each that is not a default comes from."""
    loaded = invocation.load()
    if as_json:
        origins = {".".join(path): origin for path, origin in loaded.origins.items()}
        file = str(loaded.file) if loaded.file else None
        write_json({"file": file, "settings": masked(loaded.settings), "origins": origins})
        return
    click.echo(shown(loaded), nl=False)


@command.command()
@json_option
@pass_invocation
def check(invocation: Invocation, as_json: bool) -> None:
    """Say whether the settings are right; exit code 2 and every mistake when not."""
    loaded = invocation.load()
    if as_json:
        write_json({"ok": True, "file": str(loaded.file) if loaded.file else None})
        return
    talk(f"{loaded.file or 'No settings file: defaults, variables and flags'}: in order.")


@command.command("example")
@click.option("--full", is_flag=True, help="Every setting, its default and what it is for.")
@json_option
def example_command(full: bool, as_json: bool) -> None:
    """Print a settings file to begin with, as `appliance init` writes it."""
    text = example_config() if full else short_example()
    if as_json:
        write_json({"example": text})
        return
    click.echo(text, nl=False)
