"""Keeps a vLLM process running: starts it, checks its health, restarts it, or gives up."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import structlog

from appliance.config import ModelSettings
from appliance.core.clock import SystemClock
from appliance.core.errors import ApplianceError, ModelError, SetupError
from appliance.inference.server._api import Api
from appliance.inference.server._child import BEGINS, BoundedLog, NotStartedError, VllmProcess
from appliance.inference.server._folder import OwnedFolder, owned
from appliance.inference.server._start import ExitHistory, check_named, free_port, prepare
from appliance.inference.server.command import environment_of, served_name, sleeps_itself
from appliance.inference.server.memory import MemoryPlan

FOLDER_NAME: Final = "policy-server"
"""Of its log and links, in the folder of logs."""
_POLL_S = 0.2
"""Between looks whether it answers, while it starts."""
_STOP_S = 15.0
"""For an orderly end; then it is killed."""
_MAX_MISSES = 2
"""Questions in a row without an answer, until it is started again."""
_LOADING = "loads the weights"

_log = structlog.get_logger()

OnState = Callable[["PolicyServer"], object]


class ServerState(StrEnum):
    """The state of a policy server."""

    STARTING = "starting"  # loads the weights
    READY = "ready"  # answers
    RESTARTING = "restarting"  # ended or did not answer; waits a moment before it starts again
    ASLEEP = "asleep"  # has given its memory up until it is woken
    GIVEN_UP = "given_up"  # failed too often, or cannot work as it is set; waits for a restart
    STOPPED = "stopped"  # over


class PolicyServer:
    """A vLLM child process, made by `policy_server`."""

    def __init__(
        self, settings: ModelSettings, folder: OwnedFolder, on_state: OnState, pause_s: float
    ) -> None:
        self.state = ServerState.STARTING
        self.why = _LOADING
        """Why it is not ready, in words."""
        self.started_at: datetime | None = None
        """When it has been ready last, after a start."""
        self.restarts = 0
        """All of them, also those by hand."""
        self.adapters = dict(settings.adapters)
        """LoRA adapters that are served, by name."""
        self.plan: MemoryPlan | None = None
        """What it takes of the GPUs; None before the first start."""
        self._settings = settings
        self._folder = folder
        self._on_state = on_state
        self._log = BoundedLog(folder.path)
        self._port = settings.server.port or free_port()
        self.url = f"http://127.0.0.1:{self._port}/v1"
        """Up to and with `/v1`; it stays the same when it is started again."""
        self._api = Api(f"http://127.0.0.1:{self._port}", served_name(settings))
        self._child: VllmProcess | None = None
        self._is_ended_to_sleep = False  # asleep by having ended
        self._attention = asyncio.Event()  # somebody wants it otherwise: look again
        self._changed = asyncio.Event()  # set and replaced with every change of state
        self._start_error: ApplianceError | None = None  # why the last start failed
        self._exit_history = ExitHistory(pause_s)
        self._clock = SystemClock()
        # Invariant: adapters, sleep and wake are asked for one after the other.
        self._command_lock = asyncio.Lock()

    @property
    def settings(self) -> ModelSettings:
        """Settings with which a client reaches this server."""
        endpoint_settings = {"endpoint": self.url, "name": served_name(self._settings)}
        return self._settings.model_copy(update=endpoint_settings)

    @property
    def pid(self) -> int | None:
        """Process id of the child, the leader of its process group; None if there is no child."""
        return None if self._child is None else self._child.pid

    @property
    def log_file(self) -> Path:
        """The output of vLLM, bounded; the log before it ends in `.1`."""
        return self._log.path

    def tail(self, lines: int = 20) -> tuple[str, ...]:
        """The last lines of the log."""
        return self._log.tail(lines)

    async def ready(self, timeout_s: float | None = None) -> None:
        """Wait until the server answers.

        Raises:
            SetupError: It cannot work as it is set, or does not fit the GPUs.
            ModelError: A start has failed, it is given up or stopped, or takes longer.
        """
        limit = self._settings.server.start_timeout_s if timeout_s is None else timeout_s
        try:
            async with asyncio.timeout(limit):
                while self.state is not ServerState.READY:
                    if self._start_error is not None:
                        raise type(self._start_error)(str(self._start_error))
                    if self.state in (ServerState.GIVEN_UP, ServerState.STOPPED):
                        raise ModelError(f"the policy server is {self.state}: {self.why}")
                    await self._changed.wait()
        except TimeoutError:
            raise ModelError(
                f"the policy server is not ready after {limit:g} s: it is {self.state}."
                f" {self._log_excerpt()}"
            ) from None

    async def load_adapter(self, name: str, folder: Path) -> None:
        """Serve a LoRA adapter under a name, replacing an earlier one; kept across restarts.

        Raises:
            SetupError: The folder holds no adapter, or the name or its rank cannot be used.
            ModelError: The server is not ready, or refuses.
        """
        await asyncio.to_thread(check_named, self._settings, name, folder)
        async with self._command_lock:
            self._require_ready()
            link = await asyncio.to_thread(self._folder.link, name, folder)
            is_replacement = name in self.adapters
            await self._api.load_adapter(name, str(link), in_place=is_replacement)
            self.adapters[name] = folder

    async def unload_adapter(self, name: str) -> None:
        """Stop serving an adapter.

        Raises:
            SetupError: None of that name is served.
            ModelError: The server is not ready, or refuses.
        """
        if name not in self.adapters:
            raise SetupError(
                f"no adapter {name} is served; these are: {', '.join(self.adapters) or 'none'}"
            )
        async with self._command_lock:
            self._require_ready()
            await self._api.unload_adapter(name)
            del self.adapters[name]

    async def sleep(self) -> None:
        """Give up its memory, until `wake`: what it is answering is answered first.

        vLLM's own sleep moves the weights to main memory. Where that is not to be had (no GPU, or
        `model.server.can_sleep: false`) the process ends, and is started again by `wake`.

        Raises:
            ModelError: It is not ready, or cannot.
        """
        async with self._command_lock:
            self._require_ready()
            if self.plan and sleeps_itself(self._settings, len(self.plan.gpus)):
                await self._sleep_itself()
                return
            self._is_ended_to_sleep = True
            self._attention.set()
            while self.state not in (ServerState.ASLEEP, ServerState.STOPPED):
                await self._changed.wait()

    async def wake(self) -> None:
        """Take the memory back, and wait until it answers; nothing where it is awake.

        Raises:
            ModelError: It cannot, or does not answer afterwards. It is started again then.
        """
        async with self._command_lock:
            if self.state is not ServerState.ASLEEP:
                return
            if self._is_ended_to_sleep:
                self._end_rest()
            else:
                await self._wake_itself()
        await self.ready()

    async def restart(self, by: str) -> None:
        """Stop the server and start it again, even after it was given up; returns at once."""
        _log.info("policy_server_restart_asked", by=by)
        self._exit_history.clear()
        self._end_rest()
        self._enter(ServerState.RESTARTING, f"restarted by {by}")

    # How it is kept going.

    async def keep(self) -> None:
        """Run until cancelled; called by `policy_server`."""
        try:
            while True:
                self._attention.clear()
                if self._is_ended_to_sleep:
                    self._enter(ServerState.ASLEEP, "has ended, until it is woken")
                    await self._attention.wait()
                    self.restarts += 1
                    continue
                why = await self._serve()
                await self._stop_child()
                await self._decide_restart(why)
        finally:
            await self._stop_child()
            await self._api.close()
            self._enter(ServerState.STOPPED, "stopped")

    async def _serve(self) -> str:
        """Start the server and watch it; return why it ended, "" if somebody wanted it to."""
        self._enter(ServerState.STARTING, _LOADING)
        try:
            await self._start()
            self._start_error = None
        except SetupError as exc:
            self._start_error = exc
            return str(exc)
        except ModelError as exc:
            if self._attention.is_set():
                return ""
            self._start_error = exc
            return str(exc)
        self.started_at = self._clock.now()
        self._enter(ServerState.READY, "")
        return await self._watch()

    async def _start(self) -> None:
        start = await asyncio.to_thread(
            prepare, self._settings, self.adapters, self._folder, self._port
        )
        self.plan = start.plan
        if start.complaint:
            raise NotStartedError(start.complaint)
        self._log.begin()
        self._log.add(f"{BEGINS} {self._clock.now():%Y-%m-%d %H:%M:%S}Z {' '.join(start.command)}")
        child = await VllmProcess.start(start.command, environment_of(self._settings), self._log)
        self._child = child
        await asyncio.to_thread(self._folder.note, child.pid)
        limit = self._settings.server.start_timeout_s
        try:
            async with asyncio.timeout(limit):
                if complaint := await self._result_unless_interrupted(
                    child, self._first_answer(limit)
                ):
                    raise NotStartedError(f"vLLM does not answer as it should: {complaint}")
        except TimeoutError:
            raise NotStartedError(
                f"vLLM did not answer within {limit:g} s of its start"
                f" (model.server.start_timeout_s). {self._log_excerpt()}"
            ) from None
        if child.exited.is_set():
            raise NotStartedError(
                f"vLLM {child.ended} before it answered."
                f" {self._log_excerpt(was_killed=child.was_killed)}"
            )
        if self._attention.is_set():
            raise NotStartedError("the start was interrupted")

    async def _first_answer(self, timeout_s: float) -> str:
        while not await self._api.is_up():
            await asyncio.sleep(_POLL_S)
        return await self._api.complaint(timeout_s)

    async def _watch(self) -> str:
        """Watch until it ends, stops answering, or is wanted otherwise; return why."""
        child, misses = self._child, 0
        assert child is not None  # noqa: S101 - for the type checker: it was started
        while True:
            await self._result_unless_interrupted(
                child, asyncio.sleep(self._settings.server.health_every_s)
            )
            complaint = ""
            if self.state is not ServerState.ASLEEP and not child.exited.is_set():
                check = self._api.complaint(self._settings.timeout_s)
                complaint = await self._result_unless_interrupted(child, check) or ""
            if child.exited.is_set():
                return f"vLLM {child.ended}. {self._log_excerpt(was_killed=child.was_killed)}"
            if self._attention.is_set():
                return ""
            misses = misses + 1 if complaint else 0
            if misses:
                _log.warning("policy_server_unwell", why=complaint, in_a_row=misses)
            if misses >= _MAX_MISSES:
                return f"vLLM runs and does not answer: {complaint}"

    async def _decide_restart(self, why: str) -> None:
        """After an end: restart at once if wanted, else after a pause, or give up."""
        if not why or self._attention.is_set():
            self.restarts += not self._is_ended_to_sleep
            return
        if self.state is ServerState.ASLEEP:  # it is not to take the memory before it is woken
            self._is_ended_to_sleep = True
            return
        count = self._exit_history.add(self._clock.monotonic())
        max_restarts = self._settings.server.max_restarts
        if isinstance(self._start_error, SetupError):
            self._enter(ServerState.GIVEN_UP, why)
        elif count > max_restarts:
            self._enter(
                ServerState.GIVEN_UP, f"{why} (given up after {max_restarts} restarts in an hour)"
            )
        else:
            self._enter(ServerState.RESTARTING, f"{why} (restart {count} of {max_restarts})")
            with suppress(TimeoutError):
                async with asyncio.timeout(self._exit_history.pause_s):
                    await self._attention.wait()
        if self.state is ServerState.GIVEN_UP:
            await self._attention.wait()
        self.restarts += not self._is_ended_to_sleep

    async def _stop_child(self) -> None:
        if self._child is not None:
            await self._child.stop(_STOP_S)
            self._child = None

    async def _result_unless_interrupted(
        self,
        child: VllmProcess,
        awaited: Coroutine[Any, Any, str | None],  # Any: what nobody sends it
    ) -> str | None:
        """The result; None if the child ended first or the state is wanted otherwise."""
        task = asyncio.ensure_future(awaited)
        stop_tasks = [
            asyncio.ensure_future(event.wait()) for event in (child.exited, self._attention)
        ]
        try:
            await asyncio.wait((task, *stop_tasks), return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            for pending_task in (task, *stop_tasks):
                pending_task.cancel()
            await asyncio.gather(task, *stop_tasks, return_exceptions=True)

    async def _sleep_itself(self) -> None:
        self._enter(ServerState.ASLEEP, "sleeps until it is woken")  # and is asked nothing from now
        try:
            await self._api.sleep()
        except ModelError:
            self._enter(ServerState.READY, "")
            raise

    async def _wake_itself(self) -> None:
        try:
            await self._api.wake()
            if complaint := await self._api.complaint(self._settings.timeout_s):
                raise ModelError(f"the policy server woke up and does not answer: {complaint}")
        except ModelError:
            await self.restart("who could not wake it")
            raise
        self._enter(ServerState.READY, "")

    def _end_rest(self) -> None:
        self._is_ended_to_sleep = False
        self._start_error = None
        self._attention.set()

    def _require_ready(self) -> None:
        if self.state is not ServerState.READY:
            raise ModelError(f"the policy server is {self.state}: {self.why}")

    def _log_excerpt(self, *, was_killed: bool = False) -> str:
        # What was killed did not know why: its last line is no more than where it was.
        words = self._log.last() if was_killed else self._log.fault()
        return f"It said: {words} (all of it: {self._log.path})"

    def _enter(self, state: ServerState, why: str) -> None:
        self.state, self.why = state, why
        _log.info("policy_server_state", state=state.value, why=why, restarts=self.restarts)
        self._tell()

    def _tell(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        self._on_state(self)


@asynccontextmanager
async def policy_server(
    settings: ModelSettings,
    *,
    log_dir: Path,
    on_state: OnState = lambda _: None,
    pause_s: float = 1.0,
) -> AsyncIterator[PolicyServer]:
    """Keep vLLM going while the block runs; nothing of it is left afterwards.

    It is yielded at once, while the weights are being loaded: `ready()` waits for that, and says
    why it cannot be.

    Raises:
        SetupError: Another program runs one from the same folder, or it cannot be written.
    """
    with owned(log_dir / FOLDER_NAME) as folder:
        server = PolicyServer(settings, folder, on_state, pause_s)
        keeping = asyncio.create_task(server.keep(), name="policy server")
        try:
            yield server
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping
