"""Attempts on a real Ray cluster of several node processes: verdicts, faults, secrets."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

pytest.importorskip("ray")

from appliance.core.errors import SetupError
from appliance.core.events import AttemptStarted, Event, ProcedureFinished
from appliance.engine.cluster import cluster as clusters
from appliance.engine.engine import EngineOptions
from appliance.store.store import Store
from tests.engine.ray_lab import (
    KEY,
    KEY_TEXT,
    PASSWORD,
    RayLab,
    ray_lab,
    verdicts,
    workers,
)
from tests.running import verified

pytestmark = [pytest.mark.timeout(600), pytest.mark.filterwarnings("ignore")]
EXPECTED = {
    "Create a bucket": ("verified", ()),
    "Create a container": ("broken", ("missing_control",)),
    "Turn on versioning for a bucket": ("verified", ()),
}
KILLS = int(os.environ.get("APPLIANCE_TEST_KILLS", "2"))
"""How many workers are killed; 20 take some minutes."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RayLab]:
    with ray_lab(tmp_path_factory.mktemp("ray")) as lab:
        yield lab


def session_folder() -> Path:
    return Path("/tmp/ray/session_latest").resolve()


async def test_a_cluster_says_what_is_expected_on_no_more_workers_and_ray_learns_no_secret(
    lab: RayLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, busy = 0, 0
    do = clusters.Cluster.do

    async def counted(self, post, job, desk):
        nonlocal most, busy
        busy += desk is not None
        most = max(most, busy)
        try:
            return await do(self, post, job, desk)
        finally:
            busy -= desk is not None

    monkeypatch.setattr(clusters.Cluster, "do", counted)
    run = await verified(lab.settings("ray", accounts=6), [lab.guide])
    assert verdicts(run) == EXPECTED
    assert 1 <= most <= 2  # nodes with one worker each, and accounts for more
    with Store.open(lab.folder / "ray") as store:
        findings = [finding for procedure in run.procedures for finding in procedure.findings]
        pictures = [e.artifact for f in findings for e in f.evidence if e.artifact is not None]
        assert pictures
        assert all(store.artifacts.get(one) for one in pictures)
    assert lab.held() == lab.things_left() == []
    known = (PASSWORD.encode(), KEY_TEXT.encode())
    files = [path for path in session_folder().rglob("*") if path.is_file()]
    assert any(path.name.startswith("worker-") for path in files)
    for path in files:
        content = path.read_bytes()
        assert not [one for one in known if one in content], path


async def test_workers_that_are_killed_cost_no_verdict_and_leave_nothing(lab: RayLab) -> None:
    chance, killed = random.Random(11), list[int]()

    async def kill() -> None:
        while len(killed) < KILLS:
            await asyncio.sleep(chance.uniform(1, 6))
            if there := workers():
                one = chance.choice(there)
                one.send_signal(signal.SIGKILL)
                killed.append(one.pid)

    told = list[str]()

    def note(event: Event) -> None:
        if isinstance(event, ProcedureFinished):
            told.append(f"{event.run_id} {event.result.id}")

    options = EngineOptions(subscribers=(note,), is_open=True)
    killing = asyncio.create_task(kill())
    rounds = 0
    while not killing.done() or not rounds:
        run = await verified(lab.settings("ray"), [lab.guide], options=options)
        rounds += 1
        blocked = [p.title for p in run.procedures if p.verdict.value == "blocked"]
        others = {k: v for k, v in verdicts(run).items() if k not in blocked}
        assert others.items() <= EXPECTED.items()
        assert not blocked or KILLS > 2  # three kills of one attempt are a verdict, too
        assert len(run.procedures) == len(EXPECTED)
        assert lab.held() == lab.things_left() == []
    assert len(told) == len(set(told)) == rounds * len(EXPECTED)  # none lost, none twice
    print(f"{KILLS} workers were killed in {rounds} runs")
    assert not [p for p in map(_process, killed) if p is not None]


def _process(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None


async def test_a_node_that_goes_takes_no_verdict_with_it(lab: RayLab) -> None:
    node = lab.cluster.add_node(num_cpus=1, object_store_memory=80_000_000)

    began = asyncio.Event()

    def note(event: Event) -> None:
        if isinstance(event, AttemptStarted):
            began.set()

    async def remove() -> None:
        await began.wait()
        await asyncio.sleep(3)
        await asyncio.to_thread(lab.cluster.remove_node, node, allow_graceful=False)

    removing = asyncio.create_task(remove())
    options = EngineOptions(subscribers=(note,), is_open=True)
    settings = lab.settings("ray", accounts=6)  # so that each node has something to do
    run = await verified(settings, [lab.guide], options=options)
    await removing
    assert verdicts(run) == EXPECTED
    assert lab.held() == lab.things_left() == []


async def test_a_head_that_is_killed_goes_on_where_it_was(lab: RayLab, tmp_path: Path) -> None:
    settings = lab.settings("ray")
    file = tmp_path / "settings.json"
    file.write_text(settings.model_dump_json())
    command = [sys.executable, "-m", "tests.engine.ray_head", str(file), str(lab.guide)]
    head = subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE, text=True)
    assert head.stdout is not None
    try:
        run_id = (await asyncio.to_thread(head.stdout.readline)).strip()
        await asyncio.sleep(3)
        assert head.poll() is None
    finally:
        head.kill()
        head.wait()
        head.stdout.close()
    run = await verified(settings, [lab.guide], again=run_id)
    assert verdicts(run) == EXPECTED
    assert len(run.procedures) == len(EXPECTED)
    assert lab.held() == lab.things_left() == []


# -- without Ray, and bad input: a sentence each, before anything runs -----------------------------


async def refusal(lab: RayLab, **execution: object) -> str:
    with pytest.raises(SetupError) as refused:
        await verified(lab.settings("ray", **execution), [lab.guide])
    assert "\n" not in str(refused.value)
    return str(refused.value)


async def test_without_ray_a_sentence_says_how_to_get_it(
    lab: RayLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert "pip install 'console-docs-appliance[ray]'" in await refusal(lab)
    # This process says of the documents what a cluster says.
    assert verdicts(await verified(lab.settings("local"), [lab.guide])) == EXPECTED


async def test_an_address_that_does_not_answer_is_a_sentence(lab: RayLab) -> None:
    assert "no Ray cluster answers at 127.0.0.1:9 " in await refusal(lab, address="127.0.0.1:9")


async def test_a_key_that_is_missing_here_is_a_sentence(lab: RayLab) -> None:
    assert "NO_SUCH_KEY holds no key" in await refusal(lab, key_env="NO_SUCH_KEY")


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({KEY: "another-key-that-is-long-enough-for-it"}, "holds another key here"),
        ({KEY: ""}, "holds no key for `execution`"),
        ({"PYTHONPATH": "old"}, "has appliance 0.0.1 on Python"),
    ],
)
async def test_a_node_that_cannot_take_attempts_is_a_sentence(
    lab: RayLab, tmp_path: Path, environment: dict[str, str], said: str
) -> None:
    if "PYTHONPATH" in environment:
        text = "import appliance\nappliance.__version__ = '0.0.1'\n"
        (tmp_path / "sitecustomize.py").write_text(text)
        environment = {"PYTHONPATH": str(tmp_path)}
    node = lab.cluster.add_node(num_cpus=1, object_store_memory=80_000_000, env_vars=environment)
    try:
        assert said in await refusal(lab)
    finally:
        lab.cluster.remove_node(node)


async def test_a_node_without_a_browser_is_a_sentence(lab: RayLab, tmp_path: Path) -> None:
    settings = lab.settings("ray")
    missing = settings.browser.model_copy(update={"executable": tmp_path / "none"})
    with pytest.raises(SetupError, match="there is no file"):
        await verified(settings.model_copy(update={"browser": missing}), [lab.guide])
