"""The line between head and worker, over real TLS on loopback: who gets in, what its end does."""

import asyncio
import errno
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from appliance.config import ExecutionSettings, Settings
from appliance.core import secrets
from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import HinderedError, ModelError, SetupError, WorkerError
from appliance.engine.cluster import line as lines
from appliance.engine.cluster.head import Expected, Head
from appliance.engine.cluster.jobs import Prepare
from appliance.engine.cluster.line import Line, dial
from appliance.engine.cluster.ticket import Ticket
from appliance.engine.cluster.worker import Hands
from appliance.system.secret_references import SecretReference, lent

KEY = "k" * 44


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    return file


@asynccontextmanager
async def head(key: Path) -> AsyncIterator[Head]:
    settings = ExecutionSettings(engine="ray", address="127.0.0.1:1", key_file=key)
    one = Head(settings, "127.0.0.1")
    async with one.listening():
        yield one


@asynccontextmanager
async def meeting(
    key: Path, **answers: Callable[..., Awaitable[object]]
) -> AsyncIterator[tuple[Expected, Line]]:
    """A worker with a line for a job, whose head answers this besides."""
    async with head(key) as one, one.expecting(Prepare(Settings()), None) as expected:
        expected.answers.update(answers)
        async with dial(expected.ticket) as line:
            listening = asyncio.create_task(line.listen())
            yield expected, line
            listening.cancel()


async def test_a_job_is_fetched_and_what_comes_of_it_is_told_with_what_was_learnt(
    key: Path,
) -> None:
    async with meeting(key) as (expected, line):
        assert await line.call("job") == Prepare(Settings())
        await line.call("done", "152.0", {"typed-by-it-4711": 60.0})
        assert await expected.result == "152.0"
    assert secrets.without_secrets("say typed-by-it-4711") == "say ***"


@pytest.mark.parametrize(
    "raised",
    [
        HinderedError(Cause(CauseKind.CONSOLE_DOWN, "it is down")),
        ModelError("it is away"),
        OSError(errno.ENOSPC, "no room"),
    ],
)
async def test_what_the_head_raises_is_raised_at_the_worker(key: Path, raised: Exception) -> None:
    async def refuse() -> None:
        raise raised

    async with meeting(key, put=refuse) as (_, line):
        with pytest.raises(type(raised)) as caught:
            await line.call("put")
        assert vars(caught.value) == vars(raised)
        assert caught.value.args == raised.args
        with pytest.raises(WorkerError, match="does not answer that in this job"):
            await line.call("secrets")  # this job has none


async def test_somebody_without_the_key_gets_nothing(key: Path, tmp_path: Path) -> None:
    async with head(key) as one, one.expecting(Prepare(Settings()), None) as expected:
        of = expected.ticket
        other = tmp_path / "other"
        other.write_text("x" * 44)
        given = {"id": of.id, "host": of.host, "port": of.port, "certificate": of.certificate}
        wrong = Ticket(**given, key=SecretReference(file=other), proof=of.proof)
        with pytest.raises(SetupError, match="holds another key here"):
            async with dial(wrong):
                pass
        reader, writer = await asyncio.open_connection(
            of.host, of.port, ssl=_trusting(of), server_hostname=lines.NAME
        )
        writer.write(of.id + bytes(32))
        assert await reader.read() == b""  # hung up on, with nothing said
        writer.close()
        assert not expected.result.done()


def _trusting(ticket: Ticket):
    import ssl

    return ssl.create_default_context(cadata=ticket.certificate)


async def test_a_worker_stops_when_its_head_is_gone(
    key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = asyncio.Event()

    async def forever(self: Hands, job: object, line: Line) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    monkeypatch.setattr(Hands, "_do", forever)
    async with head(key) as one, one.expecting(Prepare(Settings()), None) as expected:
        working = asyncio.create_task(Hands().work(expected.ticket))
        await asyncio.sleep(0.3)
        expected.hang_up()
        with pytest.raises(WorkerError, match="the head cannot be reached"):
            await working
    assert stopped.is_set()


async def test_a_head_that_says_nothing_any_more_counts_as_gone_and_so_does_a_worker(
    key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "PING_S", 0.05)
    monkeypatch.setattr(lines, "WORKER_STOPS_S", 0.2)

    async def silent() -> None:
        await asyncio.sleep(60)

    async with head(key) as one, one.expecting(Prepare(Settings()), None) as expected:
        expected.answers["ping"] = silent
        async with dial(expected.ticket) as line:
            async with asyncio.timeout(10):
                assert "cannot be reached" in await line.listen()
    monkeypatch.setattr(lines, "HEAD_GIVES_UP_S", 0.3)
    async with (
        head(key) as one,
        one.expecting(Prepare(Settings()), None) as expected,
        dial(expected.ticket),
        asyncio.timeout(10),
    ):
        with pytest.raises(WorkerError, match="not heard of"):
            await expected.result


def test_what_is_lent_is_there_as_long_as_it_is_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LENT_PASSWORD", raising=False)
    place = SecretReference("LENT_PASSWORD")
    with lent({place: "from-the-head"}):
        assert place.read() == "from-the-head"
        secrets.learn(place.read())
        assert "from-the-head" in secrets.known_secrets()
    assert place.read() == ""
    secrets.forget()
    assert secrets.without_secrets("from-the-head") == "from-the-head"
