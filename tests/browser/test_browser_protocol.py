"""The connection to a browser, where the other end is not as well-behaved as a browser."""

import asyncio
import json

import pytest
from websockets.asyncio.server import serve

from appliance.browser._cdp import Connection, ProtocolError
from appliance.core.errors import BrowserError

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG = "长" * 5_000_000  # 15 MB: more than a frame may hold unless it is said


def endpoint(answer):
    """A server that answers every call with the pieces that `answer` gives; `None` hangs up."""

    async def answered(connection):
        async for message in connection:
            pieces = answer(json.loads(message))
            if pieces is None:
                return
            await connection.send(pieces)

    return serve(answered, "127.0.0.1", 0)


def url(server):
    return f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/devtools/browser/1"


async def test_an_answer_in_one_frame_or_in_many_is_the_same():
    def answer(call):
        text = json.dumps({"id": call["id"], "result": {"said": call["params"]["say"] * 3}})
        return (
            text if call["params"]["whole"] else [text[i : i + 7] for i in range(0, len(text), 7)]
        )

    async with endpoint(answer) as server:
        connection = await Connection.open(url(server))
        session = connection.session("page")
        for whole in (True, False, True):
            said = await session.send("Page.say", {"say": "按钮 Save", "whole": whole})
            assert said == {"said": "按钮 Save" * 3}
        await connection.close()


async def test_a_very_long_answer_is_taken():
    async with endpoint(lambda c: json.dumps({"id": c["id"], "result": {"text": LONG}})) as server:
        connection = await Connection.open(url(server))
        answer = await connection.session("page").send("Page.all")
        assert answer["text"] == LONG
        await connection.close()


async def test_calls_are_sent_in_their_order_and_a_refusal_is_told():
    seen = []

    def answer(call):
        seen.append(call["method"])
        wrong = {"error": {"message": "no such frame"}}
        right = {"result": {"at": len(seen)}}
        return json.dumps({"id": call["id"], **(wrong if call["method"] == "C" else right)})

    async with endpoint(answer) as server:
        connection = await Connection.open(url(server))
        session = connection.session("page")
        calls = [session.post(name) for name in "ABCDE"]
        with pytest.raises(ProtocolError, match="no such frame"):
            await calls[2]
        assert (await calls[4])["at"] == 5
        assert seen == list("ABCDE")
        await connection.close()


async def test_events_go_to_their_session():
    def answer(call):
        return json.dumps({"method": "Page.came", "sessionId": call["sessionId"], "params": {}})

    async with endpoint(answer) as server:
        connection = await Connection.open(url(server))
        came = asyncio.Event()
        one, other = connection.session("one"), connection.session("other")
        one.on({"Page.came": lambda *_: pytest.fail("it was for another")})
        other.on({"Page.came": lambda *_: came.set()})
        waiting = other.post("Page.come")
        await asyncio.wait_for(came.wait(), 5)
        assert not waiting.done()
        await connection.close()
        with pytest.raises(BrowserError, match="gone"):
            await waiting


async def test_who_waits_is_told_when_the_other_end_hangs_up():
    async with endpoint(lambda _: None) as server:
        connection = await Connection.open(url(server))
        assert connection.is_open
        session = connection.session("page")
        with pytest.raises(BrowserError, match="the browser is gone"):
            await asyncio.wait_for(session.send("Page.all"), 5)
        assert not connection.is_open
        with pytest.raises(BrowserError, match="the browser is gone"):
            await session.send("Page.all")
        await connection.close()


async def test_what_a_handler_raises_is_not_lost():
    def answer(call):
        return json.dumps({"method": "Page.came", "sessionId": call["sessionId"], "params": {}})

    def broken(*_):
        raise ZeroDivisionError

    async with endpoint(answer) as server:
        connection = await Connection.open(url(server))
        session = connection.session("page")
        session.on({"Page.came": broken})
        with pytest.raises(BrowserError, match="the browser is gone"):
            await asyncio.wait_for(session.send("Page.come"), 5)
        with pytest.raises(ZeroDivisionError):
            await connection.close()


async def test_nobody_answers():
    async with endpoint(lambda _: None) as server:
        closed = url(server)
    with pytest.raises(BrowserError, match="cannot reach the browser's protocol endpoint"):
        await Connection.open(closed)


async def test_what_answers_is_no_browser(site):
    with pytest.raises(BrowserError, match="cannot reach the browser's protocol endpoint"):
        await Connection.open(f"ws://{site.host}/devtools/browser/1")
