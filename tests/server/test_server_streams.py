"""Streams of events over a real socket: resumed, kept alive, closed."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import httpx
import pytest
from litestar import Request, get
from litestar.response import Stream

from appliance.engine.live import LiveEvent
from appliance.server.parts import TheService
from appliance.server.streams import event_stream, last_event_id
from appliance.store.keys import Role

closed = threading.Event()


async def _events(after: str | None, *, goes_on: bool) -> AsyncIterator[LiveEvent]:
    try:
        for number in range(int(after or 0) + 1, 4):
            data = {"text": f"line\n{number} 步"}
            yield LiveEvent(id=str(number), run_id="r", name="step_finished", data=data)
        if goes_on:
            await asyncio.Event().wait()
    finally:
        closed.set()


@get("/api/v1/probe/events")
async def stream(request: Request[Any, Any, Any], service: TheService) -> Stream:
    goes_on = "goes_on" in request.query_params
    events = _events(last_event_id(request), goes_on=goes_on)
    return event_stream(request, service, events, heartbeat_s=0.05)


@pytest.fixture
def app(app):
    closed.clear()
    app.register(stream)
    return app


def test_events_and_the_word_that_they_are_over(address):
    with httpx.stream("GET", f"{address}/api/v1/probe/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        heard = response.read().decode()
    assert heard.startswith("retry: 2000\n\n")
    assert 'id: 3\nevent: step_finished\ndata: {"text": "line\\n3 步"}\n\n' in heard
    assert heard.endswith("event: end\ndata: {}\n\n")
    assert closed.wait(5)


def test_it_goes_on_where_it_broke_off(address):
    for asked in ({"headers": {"Last-Event-ID": "2"}}, {"params": {"last_event_id": "2"}}):
        heard = httpx.get(f"{address}/api/v1/probe/events", **asked).text
        assert "id: 3" in heard and "id: 2" not in heard


def test_a_reader_who_goes_away_is_noticed(address):
    with httpx.stream("GET", f"{address}/api/v1/probe/events?goes_on=1") as response:
        heard = ""
        for part in response.iter_text():
            heard += part
            if heard.count(": still here\n\n") > 1:
                assert not closed.is_set()
                break
    assert closed.wait(5)


def test_who_wants_the_headers_only_gets_no_events(address):
    answer = httpx.head(f"{address}/api/v1/probe/events?goes_on=1")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert closed.wait(5)


def test_it_ends_when_the_program_stops(address, service):
    ended: list[str] = []

    def listen() -> None:
        with httpx.stream("GET", f"{address}/api/v1/probe/events?goes_on=1") as response:
            heard = ""
            for part in response.iter_text():
                heard += part
                if "id: 3" in heard:
                    started.set()
            ended.append(heard)

    started = threading.Event()
    listener = threading.Thread(target=listen)
    listener.start()
    assert started.wait(5)
    # As the command does at the first signal, in the loop that waits for it.
    service.stopping._loop.call_soon_threadsafe(service.stopping.set)
    began = time.monotonic()
    listener.join(5)
    assert time.monotonic() - began < 5
    assert ended and "event: end" not in ended[0], "it comes back after a restart"
    assert closed.is_set()


def test_it_ends_when_the_key_of_its_reader_is_revoked(address, service):
    made = service.keys.create("desk", Role.VIEWER, "test")
    asked = {"headers": {"Authorization": f"Bearer {made.text}"}, "timeout": 5}
    with httpx.stream("GET", f"{address}/api/v1/probe/events?goes_on=1", **asked) as response:
        began, heard = time.monotonic(), ""
        for part in response.iter_text():
            if "still here" not in heard and "still here" in part:
                service.keys.revoke("desk", "test")
            heard += part
            assert time.monotonic() - began < 20, "goes on"
    assert "event: end" not in heard
    assert closed.wait(5)


async def test_without_a_reader_nothing_is_left(app, service):
    events = _events(None, goes_on=True)
    request = Request({"type": "http", "user": None})
    response = event_stream(request, service, events)
    async with aclosing(response.iterator) as frames:
        assert await anext(frames) == b"retry: 2000\n\n"
        assert (await anext(frames)).startswith(b"id: 1\n")
    assert closed.is_set()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
