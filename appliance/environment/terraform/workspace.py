"""One configuration and its state, and what is done with them."""

import asyncio
import os
import re
import shutil
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import structlog

from appliance.consoles import TerraformAccess
from appliance.core.errors import ProvisioningError
from appliance.environment.terraform import _configuration as configuration
from appliance.environment.terraform._commands import Commands, Ran
from appliance.environment.terraform._initialising import Initialiser
from appliance.environment.terraform.events import read_shown, read_validation
from appliance.environment.terraform.statefile import TORN, State, mend, read_state
from appliance.environment.terraform.types import (
    Applied,
    ApplyError,
    Diagnostic,
    PlannedChange,
    Progress,
    StateResource,
    TerraformError,
)
from appliance.system.files import try_lock

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


PLAN = "plan"
RETRIES = 2
RETRY_PAUSE_S = 1.0
"""After the first try; longer after the second."""
_NOT_INITIALISED = re.compile(
    r"terraform init|tofu init|Module not installed|plugins are not installed|lock file"
)
_QUIET = ("-input=false", "-no-color")
_log = structlog.get_logger()


def _silent(progress: Progress) -> None:
    pass


class Workspace:
    """A configuration with its state, in a folder of its own on the data volume.

    The folder outlives the process: opened again under the same id, it goes on where it was.
    `Terraform.open` makes it.
    """

    def __init__(
        self,
        id: str,
        folder: Path,
        accesses: Sequence[TerraformAccess],
        commands: Commands,
        initialiser: Initialiser,
    ) -> None:
        self.id, self.folder = id, folder
        self._accesses, self._commands, self._initialiser = accesses, commands, initialiser
        self._has_plan = False

    async def validate(self) -> Sequence[Diagnostic]:
        """What is wrong with the configuration, nothing being asked of the cloud."""
        async with self._lock():
            try:
                ran = await self._run("validate", "-json", "-no-color")
            except TerraformError as exc:
                return exc.diagnostics  # it was not even read
            diagnostics = read_validation(ran.text)
            return ran.diagnostics if diagnostics is None else diagnostics

    async def plan(self) -> Sequence[PlannedChange]:
        """What an apply would change; one that follows carries out this plan and nothing else."""
        async with self._lock():
            self._has_plan = False
            ran = await self._run("plan", "-json", *_QUIET, f"-out={PLAN}")
            self._raise_where_failed("planning", ran)
            shown = await self._run("show", "-json", "-no-color", PLAN)
            self._raise_where_failed("planning", shown)
            self._has_plan = True
        changes = read_shown(shown.text).get("resource_changes")
        return [
            PlannedChange(
                address=change.get("address", ""),
                type=change.get("type", ""),
                provider=change.get("provider_name", ""),
                actions=tuple(change["change"].get("actions", ())),
                after=change["change"].get("after") or {},
            )
            for change in (changes if isinstance(changes, list) else [])
            if isinstance(change.get("change"), dict)
        ]

    async def apply(self, on_progress: Callable[[Progress], None] = _silent) -> Applied:
        """Make it so. What was made until a failure is in the state."""
        started = time.monotonic()
        async with self._lock():
            what = (PLAN,) if self._has_plan else ("-auto-approve",)
            self._has_plan = False
            ran = await self._run("apply", "-json", *_QUIET, *what, on_progress=on_progress)
            self._raise_where_failed("applying", ran, ApplyError)
            state = read_state(self.folder)
        return Applied(
            outputs=state.outputs,
            resources=state.resources,
            diagnostics=ran.diagnostics,
            took_s=time.monotonic() - started,
        )

    async def destroy(
        self, on_progress: Callable[[Progress], None] = _silent
    ) -> Sequence[StateResource]:
        """Destroy what the state holds, in reverse order; again does no harm.

        It needs the state and the providers only, not the configuration.
        """
        async with self._lock():
            self._has_plan = False
            before = self._mended_state().managed
            if not before:
                return ()
            configuration.write(self.folder, self._accesses, is_bare=True)
            try:
                ran = await self._run(
                    "destroy", "-json", *_QUIET, "-auto-approve", on_progress=on_progress
                )
            finally:
                configuration.write(self.folder, self._accesses)
            self._raise_where_failed("destroying", ran)
            if remaining := read_state(self.folder).managed:
                says = f"still in the state: {', '.join(each.address for each in remaining)}"
                raise TerraformError(
                    f"destroying in {self.id}", [Diagnostic(severity="error", summary=says)]
                )
        return before

    def state(self) -> Sequence[StateResource]:
        """What the state file holds now; empty where there is none."""
        return read_state(self.folder).resources

    def forget(self) -> None:
        """Remove the folder. `ProvisioningError` while the state still holds something."""
        if managed := read_state(self.folder).managed:
            names = ", ".join(each.address for each in managed)
            raise ProvisioningError(
                f"the workspace {self.id} still holds {names}: destroy it first"
            )
        remove_folder(self.folder)

    def _lock(self) -> AbstractAsyncContextManager[None]:
        return at_work(self.folder)

    def _mended_state(self) -> State:
        if mend(self.folder):
            _log.warning("state_mended", workspace=self.id, file=str(self.folder / TORN))
        return read_state(self.folder)

    async def _run(self, *arguments: str, on_progress: Callable[[Progress], None] = _silent) -> Ran:
        """Run a command, once more where that is safe and may help.

        Reading is always safe, and so is destroying: what is gone is found gone. An apply is
        repeated only when it had not begun to change anything: a request without an answer may
        have been carried out, and a second one would make a second thing that no state knows.
        """
        self._mended_state()
        has_one_each = configuration.has_one_each(configuration.read(self.folder))
        is_initialised, tries = False, 0
        await self._initialiser.ensure(self.id, self.folder, self._commands)
        while True:
            ran = await self._commands.run(
                self.id, self.folder, arguments, on_progress=on_progress, is_kept=has_one_each
            )
            if ran.code == 0:
                return ran
            is_safe = arguments[0] != "apply" or not ran.has_begun
            if _wants_init(ran) and not is_initialised:
                is_initialised = True
                await self._initialiser.again(self.id, self.folder, self._commands)
            elif ran.is_unreachable and is_safe and tries < RETRIES:
                tries += 1
                await asyncio.sleep(RETRY_PAUSE_S * tries)
            else:
                return ran

    def _raise_where_failed(
        self, doing: str, ran: Ran, error: type[TerraformError] = TerraformError
    ) -> None:
        if ran.code != 0 or ran.stopped_by:
            raise error(f"{doing} in the workspace {self.id}", ran.diagnostics)


def _wants_init(ran: Ran) -> bool:
    return any(_NOT_INITIALISED.search(str(each)) for each in ran.diagnostics)
