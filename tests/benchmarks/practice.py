"""Measures the practice cloud over real HTTP, beside an app that answers constants: the bare limit.

`python -m tests.benchmarks.practice [--json]`; everybody starts it as `scripts/bench-practice`.
"""

import argparse
import asyncio
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import httpx
import uvicorn
from litestar import Litestar, get
from litestar.enums import MediaType
from litestar.params import FromPath

from appliance.core.errors import SetupError
from appliance.practice.accounts import DEVELOPMENT_PASSWORD
from appliance.practice.serving import listen
from appliance.practice.settings import PracticeSettings
from appliance.system.child_environment import Child, child_environment
from tests.practice_cloud import practice_cloud

ITEMS = 200
ACCOUNTS = 50
_BUCKETS = "/api/storage/buckets"
_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Timed:
    """How long one kind of request takes, and an app that answers as many bytes unseen."""

    what: str
    bytes: int
    p50_ms: float
    p95_ms: float
    bare_p50_ms: float
    times_bare: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run measured."""

    machine: str
    start_s: tuple[float, ...]
    """From the start of a process to its first answer."""
    pages: tuple[Timed, ...]
    reset_ms: float
    snapshot_ms: float
    restore_ms: float
    """Medians, of an account with `ITEMS` items."""
    accounts: int
    requests: int
    requests_per_s: float
    """All accounts at once: each makes, lists and deletes."""


def measure(rounds: int) -> Figures:
    """Everything, with the state kept in a file."""
    with tempfile.TemporaryDirectory(prefix="practice-bench-") as folder:
        starts = tuple(_start_s() for _ in range(5))
        cloud = practice_cloud(settle_s=0, data_dir=folder, accounts=ACCOUNTS)
        with (
            _address(cloud) as url,
            _address(_bare()) as bare_url,
            _client(url) as alice,
            _client(bare_url) as bare,
        ):
            _fill(alice)
            snapshot = alice.post("/api/accounts/alice/snapshots").json()["snapshot"]
            body = {"snapshot": snapshot}
            pages = tuple(_pages(alice, bare, rounds))
            restore = _ms(lambda: alice.post("/api/accounts/alice/restore", json=body), 20)
            kept = _ms(lambda: alice.post("/api/accounts/alice/snapshots"), 20)
            resets = []
            for _ in range(20):
                alice.post("/api/accounts/alice/restore", json=body).raise_for_status()
                resets += _ms(lambda: alice.post("/api/accounts/alice/reset"), 1)
            requests, took_s = asyncio.run(_all_at_once(url, max(2, rounds // 10)))
    return Figures(
        machine=f"{platform.machine()}, Python {platform.python_version()}",
        start_s=tuple(round(start, 3) for start in starts),
        pages=pages,
        reset_ms=_median(resets),
        snapshot_ms=_median(kept),
        restore_ms=_median(restore),
        accounts=ACCOUNTS,
        requests=requests,
        requests_per_s=round(requests / took_s, 1),
    )


def _start_s() -> float:
    began = time.perf_counter()
    with _address(practice_cloud()) as url:
        httpx.get(f"{url}/login", trust_env=False, timeout=_TIMEOUT_S).raise_for_status()
        return time.perf_counter() - began


def _bare() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.practice", "--bare"],
        stdout=subprocess.PIPE,
        text=True,
        env=child_environment(Child.PYTHON),
    )


@contextmanager
def _address(process: subprocess.Popen[str]) -> Iterator[str]:
    """Where a server that was started answers, and its end."""
    with process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            if not line:
                raise SetupError("a server that is to be measured does not start")
            yield str(json.loads(line)["url"])
        finally:
            process.terminate()


def _client(url: str) -> httpx.Client:
    auth = ("alice", DEVELOPMENT_PASSWORD)
    return httpx.Client(base_url=url, auth=auth, trust_env=False, timeout=_TIMEOUT_S)


def _fill(alice: httpx.Client) -> None:
    """Items without a quota, and a session for the pages."""
    as_admin = ("admin", DEVELOPMENT_PASSWORD)
    no_quota = alice.put("/api/accounts/alice/quotas", json={"bucket": 0}, auth=as_admin)
    no_quota.raise_for_status()
    form = {"username": "alice", "password": DEVELOPMENT_PASSWORD}
    alice.post("/login", data=form)
    for number in range(ITEMS):
        alice.post(_BUCKETS, json={"name": f"bench-{number:04d}"}).raise_for_status()


def _pages(alice: httpx.Client, bare: httpx.Client, rounds: int) -> Iterator[Timed]:
    names = iter(range(1_000_000))
    requests: dict[str, Callable[[], httpx.Response]] = {
        "GET /console": lambda: alice.get("/console"),
        "GET /ui/schema": lambda: alice.get("/ui/schema"),
        f"list of {ITEMS}": lambda: alice.get(_BUCKETS, params={"per_page": ITEMS}),
        "list of 10": lambda: alice.get(_BUCKETS),
        "create": lambda: alice.post(_BUCKETS, json={"name": f"new-{next(names):06d}"}),
    }
    for what, request in requests.items():
        answer = request()
        answer.raise_for_status()
        size = len(answer.content)
        limit = _median(_ms(lambda: bare.get(f"/{size}"), rounds))  # noqa: B023 - called here
        taken = _ms(request, rounds)
        p50 = _median(taken)
        p95 = round(statistics.quantiles(taken, n=20)[-1], 2)
        yield Timed(what, size, p50, p95, limit, round(p50 / limit, 1))


def _ms(request: Callable[[], httpx.Response], rounds: int) -> list[float]:
    return [_once_ms(request) for _ in range(rounds)]


def _once_ms(request: Callable[[], httpx.Response]) -> float:
    began = time.perf_counter()
    request().raise_for_status()
    return (time.perf_counter() - began) * 1000


def _median(taken: Sequence[float]) -> float:
    return round(statistics.median(taken), 2)


async def _all_at_once(url: str, rounds: int) -> tuple[int, float]:
    """All accounts make, list and delete; how many requests, in how many seconds."""
    names = [f"user{number:02d}" for number in range(1, ACCOUNTS + 1)]
    async with httpx.AsyncClient(base_url=url, timeout=_TIMEOUT_S, trust_env=False) as client:
        began = time.perf_counter()
        counts = await asyncio.gather(*(_one_account(client, name, rounds) for name in names))
        return sum(counts), time.perf_counter() - began


async def _one_account(client: httpx.AsyncClient, name: str, rounds: int) -> int:
    auth = httpx.BasicAuth(name, DEVELOPMENT_PASSWORD)
    for number in range(rounds):
        made = await client.post(_BUCKETS, json={"name": f"{name}-{number}"}, auth=auth)
        made.raise_for_status()
        (await client.get(_BUCKETS, auth=auth)).raise_for_status()
        gone = await client.delete(f"{_BUCKETS}/{made.json()['id']}", auth=auth)
        gone.raise_for_status()
    return rounds * 3


@get("/{size:int}", media_type=MediaType.JSON, sync_to_thread=False)
def _constant(size: FromPath[int]) -> bytes:
    return b"x" * size


def _serve_bare() -> None:
    """The bare limit: the same framework and server, and nothing to do."""
    app = Litestar([_constant], openapi_config=None, logging_config=None)
    with listen(PracticeSettings()) as listener:
        host, port = listener.getsockname()[:2]
        sys.stdout.write(json.dumps({"url": f"http://{host}:{port}"}) + "\n")
        sys.stdout.flush()
        config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off")
        uvicorn.Server(config).run(sockets=[listener])


def _told(figures: Figures) -> str:
    """The figures for people."""
    starts = ", ".join(f"{start:.2f}" for start in figures.start_s)
    lines = [
        f"Start to first answer: {statistics.median(figures.start_s):.2f} s ({starts})",
        "",
        f"{'Request':<16}{'bytes':>9}{'p50 ms':>9}{'p95 ms':>9}{'bare ms':>9}{'ratio':>7}",
        *(
            f"{page.what:<16}{page.bytes:>9}{page.p50_ms:>9.2f}{page.p95_ms:>9.2f}"
            f"{page.bare_p50_ms:>9.2f}{page.times_bare:>7.1f}"
            for page in figures.pages
        ),
        "",
        f"An account with {ITEMS} items: reset {figures.reset_ms} ms, "
        f"snapshot {figures.snapshot_ms} ms, restore {figures.restore_ms} ms",
        f"{figures.accounts} accounts at once: {figures.requests} requests, "
        f"{figures.requests_per_s} a second",
        f"({figures.machine}; state in a file)",
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and say."""
    parser = argparse.ArgumentParser(prog="bench-practice", description=__doc__)
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    parser.add_argument("--rounds", type=int, default=200, help="requests of a kind [%(default)s]")
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.bare:
        _serve_bare()
        return 0
    try:
        figures = measure(max(2, options.rounds))
    except SetupError as exc:
        sys.stderr.write(f"Error: {exc}\n")
        return 2
    text = json.dumps({"schema_version": 1, **asdict(figures)}) if options.json else _told(figures)
    sys.stdout.write(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
