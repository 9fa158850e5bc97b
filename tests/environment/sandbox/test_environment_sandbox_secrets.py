"""What a sandbox, and the engine that makes it, are given of our variables."""

import os

from tests.system.children import CANARIES, Children


async def test_no_secret_of_ours_comes_near_a_sandbox(kind, lock_up, tmp_path, monkeypatch):
    for name, value in CANARIES.items():
        monkeypatch.setenv(name, value)
    with Children(os.getpid()) as children:
        sandbox = await lock_up(kind)
        ended = await sandbox.run(
            ["/bin/sh", "-c", "sleep 0.3; tr '\\0' '\\n' < /proc/self/environ > seen"],
            folder=tmp_path,
            environment={"TOLD": "by whoever asks"},
            timeout_s=60,
        )
    assert ended.code == 0, ended
    seen = (tmp_path / "seen").read_text()
    assert "TOLD=by whoever asks" in seen
    assert "canary" not in seen
    assert children.seen
    assert not children.with_canaries()
