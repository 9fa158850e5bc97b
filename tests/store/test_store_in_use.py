import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.core.errors import StoreError
from appliance.store.store import Store

HOLD = """
import json, os, sys
from pathlib import Path
from appliance.store.store import Store
data_dir = Path(sys.argv[1])
with Store.open(data_dir):
    told = {"url": "http://127.0.0.1:8123", "pid": os.getpid()}
    (data_dir / "server.json").write_text(json.dumps(told))
    print("open", flush=True)
    input()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Path]:
    """A process that has the store, and says where it can be asked."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "open\n"
        yield tmp_path
        process.communicate("\n")


def test_who_finds_the_store_in_use_is_told_whom_to_ask(server):
    with pytest.raises(StoreError, match=r"in use by the server at http://127\.0\.0\.1:8123\."):
        Store.open(server)


def test_a_server_that_is_not_the_holder_is_not_named(server):
    for told in ('{"url": "http://x", "pid": 1}', "[]", "{", '{"pid": 1}'):
        (server / "server.json").write_text(told)
        with pytest.raises(StoreError, match=r"in use by another process \(PID \d+, python"):
            Store.open(server)
