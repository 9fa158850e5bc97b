"""The policy server keeps a child going; the scripted model stands in for vLLM."""

import asyncio
import os
import signal
import socket
import sys
import time
from pathlib import Path

import psutil
import pytest

from appliance.core.errors import ModelError, SetupError
from appliance.core.secrets import learn
from appliance.inference.client import ModelClient
from appliance.inference.server import ServerState, policy_server
from appliance.inference.server._child import LIMIT_BYTES, BoundedLog
from appliance.inference.server._start import check_named
from tests.system.children import CANARIES, Children

pytestmark = pytest.mark.slow  # each starts a server, and most stop it

PAUSE_S = 0.05


def group(pid: int) -> list[int]:
    """What is alive of a process group."""
    alive = []
    for process in psutil.process_iter():
        try:
            if os.getpgid(process.pid) == pid and process.status() != psutil.STATUS_ZOMBIE:
                alive.append(process.pid)
        except (OSError, psutil.Error):
            continue
    return alive


async def until(holds, within_s: float = 60.0) -> None:
    async with asyncio.timeout(within_s):
        while not holds():
            await asyncio.sleep(0.02)


async def nothing_left_of(pid: int) -> None:
    """A process that was killed gives its pipes back a moment before it is gone."""
    await until(lambda: group(pid) == [], within_s=1.0)


@pytest.fixture
def states():
    return []


@pytest.fixture
def serve(tmp_path, states):
    def start(settings):
        return policy_server(
            settings,
            log_dir=tmp_path / "logs",
            on_state=lambda server: states.append(server.state),
            pause_s=PAUSE_S,
        )

    return start


async def test_it_is_given_no_secret(serve, model, monkeypatch):
    for name, value in CANARIES.items():
        monkeypatch.setenv(name, value)
    with Children(os.getpid()) as children:
        async with serve(model(environment={"TOLD": "by a setting"})) as server:
            await server.ready()
    assert children.of("scripted_program")["TOLD"] == "by a setting"
    assert not children.with_canaries()


async def test_it_is_started_asked_and_stopped(serve, model, states):
    async with serve(model()) as server:
        assert server.state is ServerState.STARTING
        await server.ready()
        client = ModelClient(server.settings)
        assert await client.names() == ("Qwen3-VL-32B",)
        await client.close()
        pid = server.pid
        assert pid in group(pid)
        sockets = psutil.Process(pid).net_connections("tcp")
        listening = [one.laddr.ip for one in sockets if one.status == psutil.CONN_LISTEN]
        assert listening == ["127.0.0.1"]
        assert "no GPU here" in str(server.plan)
        assert "--served-model-name Qwen3-VL-32B" in server.log_file.read_text()
    await nothing_left_of(pid)
    assert states == [ServerState.STARTING, ServerState.READY, ServerState.STOPPED]


async def test_one_that_is_killed_is_started_again_at_the_same_address(serve, model):
    async with serve(model()) as server:
        await server.ready()
        url, pid, since = server.url, server.pid, server.started_at
        os.kill(pid, signal.SIGKILL)
        await until(lambda: server.restarts == 1)
        await server.ready()
        assert (server.url, server.pid != pid) == (url, True)
        assert server.started_at > since
        await nothing_left_of(pid)


async def test_one_that_does_not_answer_is_started_again(serve, model, states):
    hangs = (
        "lines: [{when: {probe: true}, reply: well, times: 1}, {when: {probe: true}, delay_s: 60}]"
    )
    settings = model(hangs).model_copy(update={"timeout_s": 0.5})
    async with serve(settings) as server:
        await server.ready()
        pid, whys = server.pid, []
        await until(lambda: whys.append(server.why) or server.restarts == 1)
        assert any("vLLM runs and does not answer" in why for why in whys)
        assert any("no answer to a question of one token within 0.5 s" in why for why in whys)
        await nothing_left_of(pid)


async def test_one_that_fails_at_its_start_says_its_own_last_words(serve, model):
    fails = "start: {fails: 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1 GiB'}"
    async with serve(model(fails)) as server:
        with pytest.raises(ModelError) as caught:
            await server.ready()
        said = str(caught.value)
        assert "vLLM ended with 1 before it answered" in said
        assert "It said: scripted model: torch.OutOfMemoryError: CUDA out of memory." in said
        assert str(server.log_file) in said


async def test_after_so_many_restarts_it_is_given_up_until_somebody_starts_it(serve, model):
    settings = model("start: {fails: no}", max_restarts=2)
    async with serve(settings) as server:
        await until(lambda: server.state is ServerState.GIVEN_UP)
        assert server.restarts == 2
        assert "given up after 2 restarts in an hour" in server.why
        (settings.weights / "scripted.yaml").unlink()  # what was wrong is put right
        await asyncio.sleep(4 * PAUSE_S)
        assert server.state is ServerState.GIVEN_UP
        await server.restart("ada")
        await server.ready()
        assert server.restarts == 3


async def test_one_that_is_never_ready(serve, model):
    settings = model("start: {delay_s: 60}", start_timeout_s=0.5, max_restarts=0)
    async with serve(settings) as server:
        with pytest.raises(ModelError, match=r"did not answer within 0\.5 s of its start"):
            await server.ready(timeout_s=60)
        await until(lambda: server.state is ServerState.GIVEN_UP)
        assert server.pid is None


async def test_who_waits_no_longer_is_told_how_it_stands(serve, model):
    async with serve(model("start: {delay_s: 60}")) as server:
        with pytest.raises(ModelError, match=r"not ready after 0\.2 s: it is starting"):
            await server.ready(timeout_s=0.2)


async def test_a_port_that_is_taken(serve, model):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with serve(model(port=port)) as server:
            with pytest.raises(ModelError, match=rf"port {port} .* is taken by another program"):
                await server.ready()
            taken.close()
            await until(lambda: server.state is ServerState.READY)  # it has tried again


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "config.json").unlink(), "it has no config.json"),
        (lambda folder: (folder / "model.safetensors").unlink(), "has no weights"),
    ],
)
async def test_what_cannot_work_as_it_is_set_is_not_tried_again(serve, model, spoil, said):
    settings = model()
    spoil(settings.weights)
    async with serve(settings) as server:
        with pytest.raises(SetupError, match=said):
            await server.ready()
        assert server.state is ServerState.GIVEN_UP
        assert server.restarts == 0


async def test_a_program_that_is_none(serve, model):
    async with serve(model(command="/nowhere/vllm")) as server:
        with pytest.raises(SetupError, match="is /nowhere/vllm, and that is no program"):
            await server.ready()


async def test_a_second_program_cannot_run_one_from_the_same_folder(serve, model):
    async with serve(model()):
        with pytest.raises(SetupError, match="another program runs a policy server"):
            async with serve(model()):
                pass


# Adapters.


async def served(server) -> set[str]:
    client = ModelClient(server.settings)
    try:
        return set(await client.names())
    finally:
        await client.close()


async def test_adapters_are_loaded_swapped_and_unloaded(serve, model, adapter):
    async with serve(model()) as server:
        await server.ready()
        await server.load_adapter("one", adapter("one"))
        assert "one" in await served(server)
        await server.load_adapter("one", adapter("two"))
        assert server.adapters == {"one": adapter("two")}
        await server.unload_adapter("one")
        assert await served(server) == {"Qwen3-VL-32B"}
        with pytest.raises(SetupError, match="no adapter one is served; these are: none"):
            await server.unload_adapter("one")


async def test_adapters_are_served_again_after_a_restart(serve, model, adapter):
    async with serve(model()) as server:
        await server.ready()
        await server.load_adapter("one", adapter("one"))
        await server.restart("ada")
        await until(lambda: server.state is not ServerState.READY)
        await server.ready()
        *_, last = (line for line in server.log_file.read_text().splitlines() if " serve " in line)
        assert "--lora-modules one=" in last


async def test_new_weights_at_an_old_path_are_new_to_the_server(serve, model, adapter, tmp_path):
    """It keeps what an adapter has computed by name and path."""
    paths = set()
    async with serve(model()) as server:
        await server.ready()
        for _ in range(2):
            await server.load_adapter("one", adapter("one"))
            links = (tmp_path / "logs/policy-server/adapters").glob("*/one")
            paths.update(path for path in links if path.resolve() == adapter("one").resolve())
    assert len(paths) == 2
    assert not any(path.exists() for path in paths)


@pytest.mark.parametrize(
    ("name", "rank", "said"),
    [
        ("one", 65, "has rank 65; model.server.adapter_rank allows 64"),
        ("Qwen3-VL-32B", 8, "cannot be the name of an adapter"),
        ("a=b", 8, "cannot be the name of an adapter"),
        ("", 8, "cannot be the name of an adapter"),
    ],
)
def test_an_adapter_that_cannot_be_used(model, adapter, name, rank, said):
    with pytest.raises(SetupError, match=said):
        check_named(model(), name, adapter("it", rank))


def test_a_folder_that_is_no_adapter(model, tmp_path, adapter):
    with pytest.raises(SetupError, match=r"the adapter one: .*/none is no folder"):
        check_named(model(), "one", tmp_path / "none")
    with pytest.raises(SetupError, match=r"holds none: it has no adapter_config\.json"):
        check_named(model(), "one", tmp_path)
    folder = adapter("empty")
    (folder / "adapter_model.safetensors").unlink()
    with pytest.raises(SetupError, match=r"has no adapter_model\.safetensors"):
        check_named(model(), "one", folder)


def test_no_adapters_where_there_is_no_room_for_any(model, adapter):
    with pytest.raises(SetupError, match="max_adapters is 0"):
        check_named(model(max_adapters=0), "one", adapter("one"))


async def test_adapters_of_the_settings_are_looked_at_before_the_start(serve, model, tmp_path):
    settings = model().model_copy(update={"adapters": {"one": tmp_path / "none"}})
    async with serve(settings) as server:
        with pytest.raises(SetupError, match=r"the adapter one: .* is no folder"):
            await server.ready()


async def test_what_vllm_refuses_is_said_in_its_words(serve, model, adapter):
    settings = model(environment={"VLLM_ALLOW_RUNTIME_LORA_UPDATING": "False"})
    async with serve(settings) as server:
        await server.ready()
        with pytest.raises(ModelError, match="could not load the adapter one: HTTP 404"):
            await server.load_adapter("one", adapter("one"))
        assert server.adapters == {}


# Sleep.


@pytest.fixture
def gpu(tmp_path, monkeypatch):
    """A machine with one GPU, as far as can be seen."""
    folder = tmp_path / "bin"
    folder.mkdir()
    file = folder / "nvidia-smi"
    file.write_text("#!/bin/sh\necho '0, GPU-a, NVIDIA H200, 143771, 143000'\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@pytest.mark.usefixtures("gpu")
async def test_it_sleeps_and_wakes_up(serve, model):
    async with serve(model()) as server:
        await server.ready()
        pid = server.pid
        await server.sleep()
        assert server.state is ServerState.ASLEEP
        await asyncio.sleep(0.5)  # it is not asked whether it is well
        assert (server.state, server.pid) == (ServerState.ASLEEP, pid)
        with pytest.raises(ModelError, match="the policy server is asleep"):
            await server.sleep()
        await server.wake()
        assert (server.state, server.pid, server.restarts) == (ServerState.READY, pid, 0)
        await server.wake()  # awake already


@pytest.mark.usefixtures("gpu")
async def test_one_that_cannot_sleep_stays_awake(serve, model):
    settings = model(environment={"VLLM_SERVER_DEV_MODE": "0"})
    async with serve(settings) as server:
        await server.ready()
        with pytest.raises(ModelError, match="could not go to sleep: HTTP 404"):
            await server.sleep()
        assert server.state is ServerState.READY


async def test_without_a_gpu_it_ends_to_sleep_and_starts_to_wake_up(serve, model):
    async with serve(model()) as server:
        await server.ready()
        pid = server.pid
        await server.sleep()
        assert server.state is ServerState.ASLEEP
        assert server.pid is None
        await nothing_left_of(pid)
        await server.wake()
        assert server.state is ServerState.READY


@pytest.mark.usefixtures("gpu")
async def test_one_that_dies_asleep_takes_no_memory_until_it_is_woken(serve, model):
    async with serve(model()) as server:
        await server.ready()
        await server.sleep()
        os.kill(server.pid, signal.SIGKILL)
        await until(lambda: server.pid is None)
        await asyncio.sleep(4 * PAUSE_S)
        assert (server.state, server.pid) == (ServerState.ASLEEP, None)
        await server.wake()
        assert server.state is ServerState.READY


@pytest.mark.usefixtures("gpu")
async def test_a_model_that_does_not_fit_is_not_started(serve, model, weights):
    settings = model()
    weights(matrices=200 << 30)
    async with serve(settings) as server:
        with pytest.raises(SetupError, match=r"does not fit: 203\.0 GiB weights .* too much"):
            await server.ready()
        assert (server.state, server.pid) == (ServerState.GIVEN_UP, None)


# Nothing is left behind.

PARENT = """
import asyncio, sys
from pathlib import Path
from appliance.config import ModelSettings, PolicyServerSettings
from appliance.inference.server import policy_server

async def main():
    settings = ModelSettings(
        weights=Path(sys.argv[1]), server=PolicyServerSettings(command=Path(sys.argv[2]))
    )
    async with policy_server(settings, log_dir=Path(sys.argv[3])) as server:
        await server.ready()
        print(server.pid, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


async def a_parent(tmp_path: Path, settings) -> tuple[asyncio.subprocess.Process, int]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PARENT),
        *(str(settings.weights), str(settings.server.command), str(tmp_path / "logs")),
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        while not (line := await process.stdout.readline()).strip().isdigit():
            assert line, "it has ended"
        return process, int(line)


async def test_when_we_are_killed_the_child_ends_with_us(model, tmp_path):
    parent, pid = await a_parent(tmp_path, model())
    assert group(pid)
    parent.kill()
    await parent.wait()
    await until(lambda: group(pid) == [])


async def test_an_orphan_whose_guard_was_killed_too_is_ended_at_the_next_start(
    serve, model, tmp_path
):
    settings = model()
    parent, pid = await a_parent(tmp_path, settings)
    for guard in set(group(pid)) - {pid}:
        os.kill(guard, signal.SIGKILL)
    parent.kill()
    await parent.wait()
    assert pid in group(pid)
    async with serve(settings) as server:
        await nothing_left_of(pid)
        await server.ready()


@pytest.mark.parametrize("after_s", [0, 0.01, 0.03])
async def test_it_can_be_ended_at_any_moment(serve, model, after_s):
    async with serve(model("start: {delay_s: 60}")):
        await asyncio.sleep(after_s)  # checks, the start of the process, its pipes


async def test_it_is_ended_in_the_middle_of_its_start(serve, model):
    async with serve(model("start: {delay_s: 60}")) as server:
        await until(lambda: server.pid is not None)
        pid, began = server.pid, time.monotonic()
    await nothing_left_of(pid)
    assert time.monotonic() - began < 15


# What it says.


def test_the_log_is_bounded_and_has_no_secrets(tmp_path):
    log = BoundedLog(tmp_path)
    learn("correct horse battery")
    log.feed(b"the password is correct horse battery\npart of a li")
    log.feed(b"ne\n")
    assert log.tail(2) == ("the password is ***", "part of a line")
    for _ in range(3):
        log.feed(b"x" * 10_000 + b"\n")
        log.feed((b"y" * 999 + b"\n") * (LIMIT_BYTES // 1000))
    sizes = [file.stat().st_size for file in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) < 2.1 * LIMIT_BYTES


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ([], "nothing"),
        (["=== 2026-11-22 vllm serve --x"], "nothing"),
        (["INFO 11-22 02:00:00 [api.py:1] starts", "", "bye"], "bye"),
        (
            [
                "(EngineCore pid=7) ERROR 11-22 02:00:00 [core.py:9] ValueError: No room for KV",
                "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause",
            ],
            "ValueError: No room for KV",
        ),
        (
            ["vllm serve: error: unrecognized arguments: --foo", "usage: …"],
            "vllm serve: error: unrecognized arguments: --foo",
        ),
        (["ValueError: half a line"], "ValueError: half a line"),
    ],
)
def test_the_line_that_says_why(tmp_path, lines, fault):
    log = BoundedLog(tmp_path)
    log.feed("\n".join(lines).encode())
    assert log.fault() == fault
