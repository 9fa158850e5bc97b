"""`appliance question`: over REST, at the server that waits."""

import asyncio
import io
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime

import pytest
import uvicorn

from appliance.cli import run
from appliance.config import Settings
from appliance.core.people import Question, QuestionKind, Reply, ReplyKind
from appliance.engine.address import Address, shown_address
from appliance.server.parts import Service

PNG = b"\x89PNG\r\n\x1a\n picture"
Said = tuple[int, str, str]


@pytest.fixture
async def appliance(
    app, service: Service, settings: Settings, monkeypatch: pytest.MonkeyPatch, capfd
) -> AsyncIterator[Callable[..., Awaitable[Said]]]:
    """Commands, and a server in the loop of the test, which they find as others do."""
    monkeypatch.setenv("APPLIANCE_DATA_DIR", str(settings.data_dir))
    monkeypatch.chdir(settings.data_dir)
    config = uvicorn.Config(app, port=0, log_config=None, access_log=False, proxy_headers=False)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)

    async def call(*arguments: object, typed: str = "") -> Said:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capfd.readouterr()
        code = await asyncio.to_thread(run, [str(one) for one in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    told = Address(url=url, pid=os.getpid(), started_at=datetime.now(UTC), version="1")
    with shown_address(settings.data_dir, told):
        yield call
    service.stopping.set()
    server.should_exit = True
    await serving


async def test_questions_are_listed_shown_and_answered(appliance, service: Service, tmp_path):
    _, out, err = await appliance("question", "list")
    assert (out, "Nobody is waited for." in err) == ("", True)
    people, attempts = service.engine.people, []

    async def ask(kind: QuestionKind) -> str:
        count = len(people.waiting())
        question = Question(
            kind=kind,
            run_id="run-1",
            procedure_id="iam/sign-in",
            text="Type the code 验证码.",
            picture=PNG,
            wait_s=60.0,
        )
        attempts.append(asyncio.create_task(people.ask(question)))
        async with asyncio.timeout(20):
            while len(people.waiting()) == count:
                await asyncio.sleep(0.01)
        return people.waiting()[-1].id

    id = await ask(QuestionKind.TAKE_OVER)
    code, out, _ = await appliance("question", "list", "--json")
    assert (code, [row["id"] for row in json.loads(out)]) == (0, [id])
    _, out, _ = await appliance("question", "list")
    assert "Type the code 验证码." in out
    _, out, err = await appliance("question", "show", id)
    assert out.startswith("Type the code")
    assert f"appliance question show {id} --picture page.png" in err
    await appliance("question", "show", id, "--picture", tmp_path / "page.png")
    assert (tmp_path / "page.png").read_bytes() == PNG
    code, _, err = await appliance("question", "answer", id, "--allow")
    assert (code, "allow is no answer" in err) == (2, True)
    for wrong in ([], ["--done", "--click", "1", "2"], ["--click", "1"]):
        assert (await appliance("question", "answer", id, *wrong))[0] == 2

    code, out, err = await appliance("question", "answer", id, "--type", typed="c0de-4711\n")
    assert (code, out) == (0, f"{id}: answered: type\n")
    assert await attempts.pop() == Reply(kind=ReplyKind.TYPE, text="c0de-4711", by="local")
    assert "c0de-4711" not in err
    code, _, err = await appliance("question", "answer", id, "--done")
    assert (code, "was answered by local" in err) == (2, True)

    id = await ask(QuestionKind.TAKE_OVER)
    code, out, _ = await appliance("question", "answer", id, "--click", "30", "4.5", "--json")
    assert json.loads(out)["reply"] == "click"
    assert await attempts.pop() == Reply(kind=ReplyKind.CLICK, x=30, y=4.5, by="local")
    _, out, _ = await appliance("question", "list", "--state", "all")
    assert out.count("answered") == 2


def test_without_a_server_nobody_is_asked(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("APPLIANCE_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert run(["question", "list"]) == 2
    assert "no server runs" in capfd.readouterr().err
