"""`appliance practice`: the practice cloud."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from appliance.cli._app import Noun
from appliance.cli._output import as_the_user_wants, json_option, print_table, talk, write_json
from appliance.practice.accounts import second_factor_in
from appliance.practice.releases import RELEASES, catalogue, releases
from appliance.practice.settings import PracticeSettings

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.practice.serving import Running

_DEFAULTS = PracticeSettings()


@dataclass(frozen=True, slots=True)
class _Release:
    name: str
    follows: str
    changes: int
    note: str


@click.group("practice", cls=Noun)
def command() -> None:
    """Run the practice cloud: a small console with an API, an audit log, releases and drift.

    `appliance verify` starts one of its own when the settings name no other console.
    """


@command.command("serve")
@click.option("--release", default="", metavar="R", help="Release to serve [default: the newest]")
@click.option(
    "--drift",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Changes to lay over the release.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="[default: a free one]")
@click.option(
    "--data",
    "data_dir",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep state and audit log there [default: in memory]",
)
@click.option(
    "--accounts",
    type=click.IntRange(0, 10_000),
    default=0,
    metavar="N",
    help="Accounts beside the named ones: user01, user02, … [default: none]",
)
@click.option(
    "--second-factor-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Ask every account for a six-digit code too; the file holds its secret in base 32 "
    "[default: do not]",
)
@click.option(
    "--oidc-issuer",
    default="",
    metavar="URL",
    help="Leave the console's log-in to this identity provider; register URL/login/callback there "
    "[default: do not]",
)
@click.option("--oidc-client-id", default="", metavar="ID", help="The cloud's name there.")
@click.option(
    "--oidc-secret-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The client's secret there.",
)
@click.option(
    "--settle-s",
    type=click.FloatRange(0),
    default=_DEFAULTS.settle_s,
    metavar="S",
    help="Seconds until a state settles [default: 1.5]",
)
@click.option(
    "--session-s",
    type=click.FloatRange(0),
    default=_DEFAULTS.session_s,
    metavar="S",
    help="Seconds until a session or token ends [default: 12 hours]",
)
@click.option(
    "--audit-delay-s",
    type=click.FloatRange(0),
    default=_DEFAULTS.audit_delay_s,
    metavar="S",
    help="Seconds until an event can be read from the audit log [default: 0]",
)
@click.option(
    "--frame-origin",
    default="",
    metavar="URL",
    help="Where frames of another origin come from [default: the other name of the loopback "
    "address]",
)
@json_option
def serve_command(
    as_json: bool,
    second_factor_file: Path | None,
    oidc_issuer: str,
    oidc_client_id: str,
    oidc_secret_file: Path | None,
    **options: Any,
) -> None:  # Any: see `PracticeSettings`
    """Serve a practice cloud on this machine until Ctrl-C. Prints its address."""
    from appliance.practice.serving import serve
    from appliance.practice.single_sign_on import oidc_client_in

    def ready(running: "Running", _stop: object) -> None:
        names = [account.name for account in running.accounts]
        if as_json:
            write_json({"url": running.url, "accounts": names, "password": running.password})
        else:
            click.echo(running.url)
        talk(f"Accounts: {', '.join(names)}; password: {running.password}. Ctrl-C ends it.")

    settings = PracticeSettings(
        second_factor=second_factor_in(second_factor_file),
        single_sign_on=oidc_client_in(oidc_issuer, oidc_client_id, oidc_secret_file),
        **options,
    )
    try:
        serve(settings, ready)
    except KeyboardInterrupt:  # the usual way to end it, and no failure
        return


@command.command("drift")
@click.option("--seed", required=True, type=int, help="The same number draws the same drift.")
@click.option(
    "--size", default=4, show_default=True, type=click.IntRange(1), help="How many changes."
)
@click.option("--release", default="", metavar="R", help="Release to lay it over [the first]")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where drift-SEED.yaml and drift-SEED.truth.yaml go.",
)
@json_option
def drift_command(seed: int, size: int, release: str, out: Path, as_json: bool) -> None:
    """Draw random drift, and write down which documented sentences it makes untrue.

    `appliance practice serve --release R --drift DIR/drift-SEED.yaml` serves it.
    """
    # slow to import, and only needed here
    from appliance.benchmark.drift.draw import Drawer, write_drawn
    from appliance.cli._summary import counted
    from appliance.documents import load_documents
    from appliance.practice.releases import DOCUMENTATION

    drift = Drawer(load_documents([DOCUMENTATION]), release).draw(seed, size)
    with as_the_user_wants():
        files = write_drawn(drift, out)
    needed = sum(not untruth.is_optional for untruth in drift.untruths)
    if as_json:
        write_json(
            {
                "drift": str(files.drift),
                "truth": str(files.truth),
                "release": drift.release,
                "changes": [change["kind"] for change in drift.changes],
                "untrue": needed,
            }
        )
        return
    click.echo(str(files.drift))
    click.echo(str(files.truth))
    talk(f"{counted(len(drift.changes), 'change')}, {counted(needed, 'untrue sentence')}.")


@command.command("releases")
@json_option
def releases_command(as_json: bool) -> None:
    """List the releases of the practice cloud, oldest first."""
    listed = [_release(name) for name in releases()]
    if as_json:
        write_json(listed)
        return
    cells = [
        (release.name, release.follows, release.changes or "", release.note) for release in listed
    ]
    print_table(("Release", "Follows", "Changes", "Note"), cells)


@command.command("schema")
@json_option
def schema_command(as_json: bool) -> None:
    """Print what the Terraform provider has to know of the oldest release.

    Kept in terraform/provider/practice_provider/schema.json; a test compares the two.
    """
    from appliance.practice.terraform_schema import terraform_schema

    write_json(terraform_schema(catalogue(releases()[0])))


def _release(name: str) -> _Release:
    from appliance.practice.loading import read_source
    from appliance.practice.overlay import read_overlay

    overlay = read_overlay(read_source(RELEASES / f"{name}.yaml", is_ours=True))
    return _Release(name, overlay.follows, len(overlay.changes), overlay.note)
