"""Whoever sits at the terminal, as the people whom an attempt asks."""

import asyncio
import os
import sys
import tempfile
import termios
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from appliance.cli._output import talk
from appliance.cli._progress import Bars
from appliance.core.events import Subscriber
from appliance.core.people import Nobody, People, Question, QuestionKind, Reply, ReplyKind
from appliance.core.secrets import learn, without_secrets

_BY = "terminal"
_YES = ("y", "yes", "是")
_SAY = "`type` a text, `click X Y`, `done`, or `refuse`: "
_LONGEST = 4096
"""Bytes of a line: no terminal hands on more."""


class Terminal:
    """Asks on standard error and reads from a terminal; one question at a time."""

    def __init__(
        self, fd: int, paused: Callable[[], AbstractContextManager[object]] = nullcontext
    ) -> None:
        """Nobody is asked anything yet.

        Args:
            fd: Of the terminal that answers come from.
            paused: While the block runs, nothing else is shown.
        """
        self._fd = fd
        self._paused = paused
        # Invariant: at most one question is on the screen.
        self._turn = asyncio.Lock()

    async def ask(self, question: Question) -> Reply | None:
        """Their answer; None: nobody answered in time."""
        try:
            async with asyncio.timeout(question.wait_s), self._turn:
                with self._paused(), _picture_file(question.picture) as picture:
                    return await self._ask(question, picture)
        except TimeoutError:
            talk("Nobody answered in time.")
        except EOFError:
            talk("The terminal is closed: nobody can answer.")
        return None

    async def _ask(self, question: Question, picture: Path | None) -> Reply:
        talk(without_secrets(f"\n{question.text}"))
        where = f"{question.procedure_id}, step {question.step or '–'}, {question.url}"
        talk(f"  {without_secrets(where)}" + (f"\n  The page: {picture}" if picture else ""))
        # What was typed before it was asked is no answer.
        termios.tcflush(self._fd, termios.TCIFLUSH)
        if question.kind is QuestionKind.CONSENT:
            line = await self._line("May it be done? [y/N] ")
            is_allowed = line.casefold() in _YES
            return Reply(kind=ReplyKind.ALLOW if is_allowed else ReplyKind.REFUSE, by=_BY)
        while True:
            reply = await self._taken_over(await self._line(_SAY))
            if reply is not None:
                return reply

    async def _taken_over(self, line: str) -> Reply | None:
        match line.casefold().split():
            case ["done"]:
                return Reply(kind=ReplyKind.DONE, by=_BY)
            case ["refuse"]:
                return Reply(kind=ReplyKind.REFUSE, by=_BY)
            case ["type"]:
                with _unseen(self._fd):
                    text = learn(await self._line("Text (not shown): "))
                talk("")
                return Reply(kind=ReplyKind.TYPE, text=text, by=_BY) if text else None
            case ["click", x, y] if _is_number(x) and _is_number(y):
                return Reply(kind=ReplyKind.CLICK, x=float(x), y=float(y), by=_BY)
        return None

    async def _line(self, prompt: str) -> str:
        """Without a thread: one that waits for a line cannot be stopped."""
        loop = asyncio.get_running_loop()
        read: asyncio.Future[bytes] = loop.create_future()

        def take() -> None:
            loop.remove_reader(self._fd)
            if read.done():
                return
            try:
                read.set_result(os.read(self._fd, _LONGEST))
            except OSError:  # it was hung up
                read.set_result(b"")

        sys.stderr.write(prompt)
        sys.stderr.flush()
        loop.add_reader(self._fd, take)
        try:
            line = await read
        finally:
            loop.remove_reader(self._fd)
        if not line:
            raise EOFError
        return line.decode("utf-8", "replace").strip()


def people_at_terminal(progress: Subscriber | None = None) -> People:
    """Whoever sits at it; nobody where input or talk goes elsewhere.

    Args:
        progress: What shows how far the run is: it stands back while somebody is asked.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return Nobody()
    paused = progress.pause if isinstance(progress, Bars) else nullcontext
    return Terminal(sys.stdin.fileno(), paused)


@contextmanager
def _picture_file(picture: bytes) -> Iterator[Path | None]:
    """The picture as a file, as long as it is asked."""
    if not picture:
        yield None
        return
    ending = ".jpg" if picture.startswith(b"\xff\xd8") else ".webp"
    with tempfile.NamedTemporaryFile(prefix="appliance-question-", suffix=ending) as file:
        file.write(picture)
        file.flush()
        yield Path(file.name)


@contextmanager
def _unseen(fd: int) -> Iterator[None]:
    """What is typed meanwhile is not shown."""
    before = termios.tcgetattr(fd)
    hidden = termios.tcgetattr(fd)
    hidden[3] &= ~termios.ECHO
    termios.tcsetattr(fd, termios.TCSADRAIN, hidden)
    try:
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()
