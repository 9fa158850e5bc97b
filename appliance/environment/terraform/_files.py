"""A workspace's folder: who works in it, and its removal."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from appliance.environment.terraform.types import Diagnostic, TerraformError
from appliance.system.locks import try_lock

POLL_S = 0.05
LOCK_WAIT_S = 10.0
"""How long to wait for another run on the same workspace: one that is being stopped."""
LOCK = "lock"


@asynccontextmanager
async def at_work(folder: Path) -> AsyncIterator[None]:
    """Nobody else works in a workspace's folder while the block runs.

    The kernel's own lock, so that one of a process that was killed is gone with it. (Terraform's
    lock of the state is of that kind as well; what it leaves in a file is for people.)

    Raises:
        TerraformError: Somebody still does after `LOCK_WAIT_S`.
    """
    deadline = asyncio.get_running_loop().time() + LOCK_WAIT_S
    descriptor = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        while not try_lock(descriptor):
            if asyncio.get_running_loop().time() >= deadline:
                says = f"another run is under way in {folder}"
                raise TerraformError(
                    "waiting for the workspace", [Diagnostic(severity="error", summary=says)]
                )
            await asyncio.sleep(POLL_S)
        yield
    finally:
        os.close(descriptor)


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it; renamed first, lest a part of it be found again."""
    gone = folder.with_name(f".{folder.name}.gone")
    shutil.rmtree(gone, ignore_errors=True)
    if folder.exists():
        folder.replace(gone)
    shutil.rmtree(gone, ignore_errors=True)
