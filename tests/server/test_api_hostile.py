"""Documents that somebody posts to hold the server up."""

import asyncio
import time

import pytest

from appliance.config import Settings

_LONG = "".join(
    f"# Title {n}\n\n" + "".join(f"{i}. Click **Button {n * i}**.\n" for i in range(1, 10))
    for n in range(8000)
)
"""Within every limit but that of time."""
_ALIASES = "\n".join(
    f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else 'x'] * 9)}]" for n in range(9)
)
_BOMB = f"# T\n\n1. Click **A**.\n\n<!-- checks:\nprocedures:\n{_ALIASES}\n-->\n"


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(data_dir=tmp_path, documentation={"read_timeout_s": 1.0})


def _posted(local, text: str):
    documents = [{"name": "guide.md", "text": text}]
    return local.post("/api/v1/verifications", json={"documents": documents}, timeout=100)


async def test_a_bomb_is_refused_with_its_line(local):
    answer = await _posted(local, _BOMB)
    assert answer.status_code == 422
    problem = answer.json()
    assert problem["type"] == "urn:appliance:problem:document-limit"
    assert "guide.md:7:7: `&a0` is an anchor, and anchors are not read" in problem["detail"]


async def test_others_are_answered_while_a_document_takes_all_its_time(local):
    posted = asyncio.create_task(_posted(local, _LONG))
    waits: list[float] = []
    while not posted.done():
        began = time.perf_counter()
        assert (await local.get("/healthz")).status_code == 200
        waits.append(time.perf_counter() - began)
        await asyncio.wait([posted], timeout=0.02)
    answer = await posted
    assert answer.status_code == 422
    assert "was not read within 1 s" in answer.json()["detail"]
    waits.sort()
    assert len(waits) > 10
    assert waits[len(waits) * 9 // 10] < 0.1, "the server was held up"
