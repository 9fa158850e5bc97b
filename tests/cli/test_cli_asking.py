"""An attempt asks whoever sits at the terminal: a real one, with its two ends."""

import asyncio
import os
import pty
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance.cli._terminal import Terminal, people_at_terminal
from appliance.core.people import Nobody, Question, QuestionKind, Reply, ReplyKind
from appliance.core.secrets import without_secrets

CODE = "2-factor-91x"


def question(kind: QuestionKind, wait_s: float = 20.0) -> Question:
    return Question(
        kind=kind,
        run_id="r",
        procedure_id="iam/sign-in",
        text="Sign in.",
        picture=b"\xff\xd8\xff picture",
        wait_s=wait_s,
    )


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    person, terminal = pty.openpty()
    yield person, terminal
    for end in (person, terminal):
        os.close(end)


async def until_said(capfd: pytest.CaptureFixture[str], words: str) -> str:
    said = ""
    async with asyncio.timeout(20):
        while words not in said:
            await asyncio.sleep(0.01)
            said += capfd.readouterr().err
    return said


@pytest.mark.parametrize(
    ("line", "kind"), [("y", "allow"), ("YES", "allow"), ("n", "refuse"), ("", "refuse")]
)
async def test_consent_is_what_is_said_after_it_was_asked(ends, capfd, line: str, kind: str):
    person, terminal = ends
    os.write(person, b"y\n")  # too early: meant for something else
    asking = asyncio.create_task(Terminal(terminal).ask(question(QuestionKind.CONSENT)))
    said = await until_said(capfd, "[y/N]")
    (file,) = [word for word in said.split() if word.endswith(".jpg")]
    assert Path(file).read_bytes() == b"\xff\xd8\xff picture"
    os.write(person, f"{line}\n".encode())
    assert await asking == Reply(kind=ReplyKind(kind), by="terminal")
    assert not Path(file).exists()


async def test_a_person_types_unseen_clicks_and_is_done(ends, capfd):
    person, terminal = ends
    shown = []

    @contextmanager
    def paused() -> Iterator[None]:
        shown.append("paused")
        yield
        shown.append("goes on")

    people = Terminal(terminal, paused)
    before = termios.tcgetattr(terminal)
    replies = []
    for lines in (["what?", "click 3", "click 30 4.5"], ["type", CODE], ["done"], ["refuse"]):
        asking = asyncio.create_task(people.ask(question(QuestionKind.TAKE_OVER)))
        for line in lines:
            await until_said(capfd, "refuse`: " if line != CODE else "not shown")
            os.write(person, f"{line}\n".encode())
        replies.append(await asking)
    assert replies == [
        Reply(kind=ReplyKind.CLICK, x=30, y=4.5, by="terminal"),
        Reply(kind=ReplyKind.TYPE, text=CODE, by="terminal"),
        Reply(kind=ReplyKind.DONE, by="terminal"),
        Reply(kind=ReplyKind.REFUSE, by="terminal"),
    ]
    assert CODE not in os.read(person, 10_000).decode()  # what the terminal echoed
    assert without_secrets(CODE) == "***"
    assert termios.tcgetattr(terminal) == before
    assert shown == ["paused", "goes on"] * 4


async def test_nobody_at_the_terminal_is_nobody_who_answers(ends, capfd):
    person, terminal = ends
    people = Terminal(terminal)
    asked = [question(QuestionKind.CONSENT, wait_s=0.05), question(QuestionKind.TAKE_OVER, 0.05)]
    assert await asyncio.gather(*map(people.ask, asked)) == [None, None]
    assert "Nobody answered in time." in capfd.readouterr().err
    asking = asyncio.create_task(people.ask(question(QuestionKind.CONSENT)))
    await until_said(capfd, "[y/N]")
    os.write(person, b"\x04")  # Ctrl-D
    assert await asking is None


def test_pipes_are_not_asked():
    assert isinstance(people_at_terminal(), Nobody)
