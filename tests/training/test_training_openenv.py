"""The console behind OpenEnv's protocol: by hand, and by its own client where there is one."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from appliance.config import AgentSettings
from appliance.training.attempts import AttemptMaker
from appliance.training.episode import Episode
from appliance.training.openenv import Environment
from appliance.training.options import LiveOptions
from tests.training.test_training_attempts import TASKS, Engine, verdict

KEY = "sesame-opens"


class Client:
    """Speaks the protocol."""

    def __init__(self, connection) -> None:
        self._connection = connection

    async def __call__(self, kind: str, /, **data: object) -> dict:
        await self._connection.send(json.dumps({"type": kind, "data": data}))
        return await self.hear()

    async def hear(self) -> dict:
        return json.loads(await self._connection.recv())


@asynccontextmanager
async def served(tmp_path, *, reached: bool | None = True, key: str = ""):
    def episode(task) -> Episode:
        def make(client) -> AttemptMaker:
            return AttemptMaker(
                tasks=[task],
                options=LiveOptions(form="short"),
                truth={},
                client=client,
                agent=AgentSettings(form="short"),
                carry_out=Engine(lambda p, n: verdict(p, reached)),
                work=tmp_path,
            )

        return Episode(make, task)

    listener = socket.create_server(("127.0.0.1", 0))
    address = f"127.0.0.1:{listener.getsockname()[1]}"
    environment = Environment({task.id: task for task in TASKS}, episode, key=key, max_sessions=1)
    server = await environment.serve(listener)
    try:
        yield address
    finally:
        server.close()
        await server.wait_closed()


async def test_an_attempt_is_reset_stepped_and_rewarded_at_its_end(tmp_path):
    async with served(tmp_path) as address, connect(f"ws://{address}/ws") as connection:
        client = Client(connection)
        assert (await client("state"))["data"] == {"episode_id": None, "step_count": 0}
        begun = await client("reset", task=TASKS[1].id)
        assert begun["type"] == "observation"
        assert (begun["data"]["done"], begun["data"]["reward"]) == (False, None)
        assert "Elements: Go on" in begun["data"]["observation"]["messages"][0]["content"]
        over = (await client("step", answer="1 click Go on"))["data"]
        assert over["done"]
        assert over["reward"] == pytest.approx(1.0, abs=0.01)
        assert over["observation"]["reached"] is True
        assert (await client("state"))["data"] == {"episode_id": TASKS[1].id, "step_count": 1}
        drawn = [(await client("reset", seed=3))["data"]["observation"]["task"] for _ in range(2)]
        assert drawn[0] == drawn[1]


async def test_what_nobody_can_tell_has_no_reward(tmp_path):
    async with (
        served(tmp_path, reached=None) as address,
        connect(f"ws://{address}/ws") as connection,
    ):
        client = Client(connection)
        await client("reset")
        over = (await client("step", answer="1 click Go on"))["data"]
        assert (over["done"], over["reward"]) == (True, None)


async def test_what_is_wrong_is_said_and_the_session_goes_on(tmp_path):
    async with served(tmp_path) as address, connect(f"ws://{address}/ws") as connection:
        client = Client(connection)
        await connection.send("no json")
        assert (await client.hear())["data"]["code"] == "INVALID_JSON"
        said = [
            await client("step", answer="1 click Go on"),
            await client("reset", task="nowhere"),
            await client("reset", seed="many"),
            await client("dance"),
        ]
        codes = [one["data"]["code"] for one in said]
        assert codes == ["VALIDATION_ERROR"] * 3 + ["UNKNOWN_TYPE"]
        assert "reset first" in said[0]["data"]["message"]
        assert TASKS[0].id in said[1]["data"]["message"]
        await client("reset")
        assert (await client("step", text="1 click"))["data"]["code"] == "VALIDATION_ERROR"
        async with connect(f"ws://{address}/ws") as another:  # one session at a time
            assert (await Client(another).hear())["data"]["code"] == "CAPACITY_REACHED"


async def test_without_the_key_nobody_and_from_a_page_of_a_browser_nobody_comes_in(tmp_path):
    async with served(tmp_path, key=KEY) as address:
        async with httpx.AsyncClient() as http:
            assert (await http.get(f"http://{address}/health")).json() == {"status": "healthy"}
            assert (await http.get(f"http://{address}/else")).status_code == 404
        for headers, status in (
            ({}, 401),
            ({"Authorization": "Bearer another"}, 401),
            ({"Authorization": f"Bearer {KEY}", "Origin": "https://evil.example"}, 403),
        ):
            with pytest.raises(InvalidStatus) as refused:
                async with connect(f"ws://{address}/ws", additional_headers=headers):
                    pass
            assert refused.value.response.status_code == status
        right = {"Authorization": f"Bearer {KEY}"}
        async with connect(f"ws://{address}/ws", additional_headers=right) as connection:
            assert (await Client(connection)("state"))["type"] == "state"


CLIENT = """
import asyncio, json, sys
from openenv.core import GenericEnvClient
async def main(url, key, task):
    headers = {"Authorization": "Bearer " + key}
    async with GenericEnvClient(base_url=url, headers=headers, message_timeout_s=200) as env:
        begun = await env.reset(task=task)
        over = await env.step({"answer": "1 click Nowhere"})
        print(json.dumps([begun.done, begun.observation, over.done, over.reward]))
asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.timeout(400)
def test_openenvs_own_client_drives_the_practice_cloud(tmp_path):
    """`OPENENV_PYTHON` names a Python that has the package openenv."""
    python = os.environ.get("OPENENV_PYTHON")
    if not python:
        pytest.skip("OPENENV_PYTHON names no Python with the package openenv")
    task = "instances/restart-an-instance@2025.1"
    command = (sys.executable, "-m", "appliance.cli", "train", "serve-environment", "--json")
    command += ("--key-env", "ENVIRONMENT_KEY", "--set", "form=short", "--set", "jobs=1")
    environment = os.environ | {"ENVIRONMENT_KEY": KEY}
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(command, stdout=log, env=environment, cwd=tmp_path) as server,
    ):
        try:
            url = _url(tmp_path / "log")
            words = (python, "-c", CLIENT, url, KEY, task)
            done = subprocess.run(words, check=True, capture_output=True, timeout=300)
        finally:
            server.send_signal(signal.SIGINT)
    assert server.returncode == 0
    is_over, observation, is_done, reward = json.loads(done.stdout)
    assert (is_over, is_done) == (False, True)
    assert "Restart an instance" in observation["messages"][0]["content"]
    assert reward == pytest.approx(-0.5, abs=0.01)  # an answer that cannot be used


def _url(log: Path) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            return json.loads(log.read_text())["url"]
        except ValueError:
            time.sleep(0.2)
    raise TimeoutError("it does not say where it is")
