"""`appliance question`: what attempts of the server ask people, and answering them."""

import sys
from pathlib import Path

import click

from appliance.cli._app import Invocation, Noun, pass_invocation
from appliance.cli._output import as_the_user_wants, json_option, print_table, talk, write_json
from appliance.cli._remote import RemoteServer, server_of
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.core.people import QuestionState
from appliance.core.secrets import learn

_MOST = 1000
_ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}


@click.group("question", cls=Noun)
def command() -> None:
    """List the questions that attempts of the running server ask people, and answer them."""


@command.command("list")
@click.option(
    "--state",
    type=click.Choice([*(state.value for state in QuestionState), "all"]),
    default=QuestionState.OPEN.value,
    show_default=True,
    help="Only those in that state; `open`: waited for.",
)
@json_option
@pass_invocation
def list_command(invocation: Invocation, state: str, as_json: bool) -> None:
    """List questions, the newest first."""
    state_filter = None if state == "all" else state
    rows = _server(invocation).items("/questions", _MOST, state=state_filter)
    if as_json:
        write_json(rows)
        return
    if not rows:
        talk("Nobody is waited for." if state_filter == QuestionState.OPEN else "There is none.")
        return
    names = ("id", "kind", "state", "procedure_id", "text", "expires_at")
    print_table(
        ("question", "kind", "state", "procedure", "text", "until"),
        [[row[name] for name in names] for row in rows],
    )


@command.command("show")
@click.argument("question_id", metavar="QUESTION")
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the picture of the page there.",
)
@json_option
@pass_invocation
def show_command(
    invocation: Invocation, question_id: str, picture: Path | None, as_json: bool
) -> None:
    """Show QUESTION: what is asked, where, and until when."""
    server = _server(invocation)
    row = server.get(f"/questions/{question_id}")
    if picture is not None:
        if row["picture"] is None:
            raise SetupError(f"question {question_id} has no picture")
        with as_the_user_wants():
            picture.write_bytes(server.get_bytes(f"/questions/{question_id}/picture"))
        talk(f"Written: {picture}")
    if as_json:
        write_json(row)
        return
    click.echo(f"{row['text']}\n")
    for name in ("state", "kind", "procedure_id", "step", "url", "run_id", "expires_at"):
        if row[name]:
            click.echo(f"{name.removesuffix('_id').replace('_', ' ')}: {row[name]}")
    if row["reply"]:
        click.echo(f"answered: {row['reply']} by {row['answered_by']}")
    if row["picture"] is not None and picture is None:
        ending = _ENDINGS.get(row["picture"]["media_type"], "bin")
        talk(f"Its picture: appliance question show {question_id} --picture page.{ending}")


@command.command("answer")
@click.argument("question_id", metavar="QUESTION")
@click.option("--allow", "reply", flag_value="allow", help="It may be done.")
@click.option("--refuse", "reply", flag_value="refuse", help="It may not, or cannot, be done.")
@click.option("--done", "reply", flag_value="done", help="It is done: go on.")
@click.option("--type", "reply", flag_value="type", help="Type a text, which is asked for.")
@click.option(
    "--click",
    "place",
    type=(click.FloatRange(min=0), click.FloatRange(min=0)),
    metavar="X Y",
    help="Click there: pixels of the picture from its left and its top.",
)
@json_option
@pass_invocation
def answer_command(
    invocation: Invocation,
    question_id: str,
    reply: str | None,
    place: tuple[float, float] | None,
    as_json: bool,
) -> None:
    """Answer QUESTION. The text of `--type` is read from the terminal, unseen, or a pipe."""
    if (reply is None) == (place is None):
        raise click.UsageError(
            "say one of --allow, --refuse, --done, --type and --click X Y",
            click.get_current_context(),
        )
    server = _server(invocation)
    data: dict[str, Json] = {"reply": reply or "click"}
    if place is not None:
        data |= {"x": place[0], "y": place[1]}
    if reply == "type":
        data["text"] = learn(_text())
    row = server.post(f"/questions/{question_id}/answer", data)
    if as_json:
        write_json(row)
    else:
        click.echo(f"{question_id}: {row['state']}: {row['reply']}")


def _text() -> str:
    """Never on the command line: others see that."""
    if sys.stdin.isatty():
        text: str = click.prompt("Text (not shown)", hide_input=True, err=True)
        return text
    return sys.stdin.readline().rstrip("\r\n")


def _server(invocation: Invocation) -> RemoteServer:
    server = server_of(invocation.settings())
    if server is None:
        raise SetupError("no server runs, so nobody is asked: start `appliance serve`.")
    return server
