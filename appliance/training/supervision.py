"""The trainer's process: started in the model's environment, watched, stopped in order."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path

from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.core.secrets import without_secrets
from appliance.inference.server import program_of
from appliance.system.child_environment import Child, child_environment
from appliance.system.files import try_lock, unlock
from appliance.system.processes import GuardedProcess
from appliance.training.child.folder import STATUS
from appliance.training.errors import TrainingError
from appliance.training.runs import LOCK, RunStatus, TrainingRun, check_unchanged

LOG = "trainer.log"
_LOOK_EVERY_S = 0.2
_KILLED_WITHIN_S = 10.0
_MAX_QUOTED_CHARS = 400
_REQUIRED_MODULES = ("torch", "transformers", "peft", "trl", "datasets")
_PROGRAM = Path(__file__).with_name("child") / "launched.py"
_LAUNCH_CONFIGS = Path(__file__).with_name("launch")
"""What accelerate is told, by how a training is shared."""
_FIND_MISSING = (
    "import sys; from importlib.util import find_spec;"
    " print(*[name for name in sys.argv[1:] if find_spec(name) is None])"
)


class TrainerProcess(GuardedProcess):
    """A running trainer; what it says goes into the run's log."""

    def __init__(self, log: Path) -> None:
        super().__init__()
        self._log = log

    def receive(self, fd: int, data: bytes) -> None:
        """Write all output into the log; a full disk is no reason to end."""
        with suppress(OSError), self._log.open("ab") as file:
            file.write(data)


def trainer_python(settings: Settings) -> Path:
    """The Python that trains.

    Raises:
        SetupError: It is not there, or has not what a training needs.
    """
    python = settings.training.python
    if python is None and settings.model.server.command is not None:
        python = program_of(settings.model).parent / "python"
    python = python or Path(sys.executable)
    try:
        completed = subprocess.run(
            [str(python), "-c", _FIND_MISSING, *_REQUIRED_MODULES],
            capture_output=True,
            text=True,
            timeout=60,
            env=child_environment(Child.MODEL),
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as exc:
        raise SetupError(f"{python} cannot be asked what it has: {exc}") from exc
    if missing := completed.stdout.split():
        raise SetupError(
            f"{python} has no {', '.join(missing)}: set training.python to the Python of an"
            " environment with them (constraints-gpu.txt lists versions that agree)"
        )
    return python


Companion = Callable[[], Awaitable[None]]
"""A service that runs beside the trainer until it is cancelled."""


async def train(
    run: TrainingRun,
    settings: Settings,
    python: Path,
    tell: Callable[[RunStatus], None],
    companion: Companion | None = None,
) -> RunStatus:
    """Carry a run on to its end; interrupted, it is stopped with a checkpoint.

    Args:
        run: Begun or not.
        settings: How long it may take to stop.
        python: What trains.
        tell: Told of every step.
        companion: What it needs; where that fails, the training does.

    Raises:
        SetupError: Another process works on it, or it was begun with something else.
        TrainingError: It ended otherwise than it should.
    """
    check_unchanged(run)
    with (run.folder / LOCK).open("a") as lock:
        if not try_lock(lock):
            raise SetupError(f"{run.file.id} runs already")
        try:
            return await _run_trainer(run, settings, python, tell, companion)
        finally:
            unlock(lock)


async def _run_trainer(
    run: TrainingRun,
    settings: Settings,
    python: Path,
    tell: Callable[[RunStatus], None],
    companion: Companion | None,
) -> RunStatus:
    run.forget_stop()
    (run.folder / STATUS).unlink(missing_ok=True)
    child = TrainerProcess(run.folder / LOG)
    try:
        environment = _environment(run) | settings.training.environment
        await child.begin(command_of(run, python), environment, mixes_errors=True)
    except OSError as exc:
        raise SetupError(f"{python} cannot be started: {exc}") from exc
    try:
        await _watch_with_companion(_watch(child, run, tell), companion)
    except asyncio.CancelledError:
        run.ask_to_stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(settings.training.stop_timeout_s):
                await child.exited.wait()
        raise
    finally:
        await child.kill(_KILLED_WITHIN_S)
    status = run.status
    if child.returncode or status.state not in ("done", "stopped"):
        why = last_words(run)
        run.tell(status.model_copy(update={"state": "failed", "why": why}))
        raise TrainingError(f"{run.file.id} failed: {why}. See {run.folder / LOG}")
    return status


def command_of(run: TrainingRun, python: Path) -> tuple[str, ...]:
    """What trains: a process, or one for each GPU, begun by PyTorch or, to share, accelerate."""
    gpus, shared_by = run.file.settings.get("gpus", 1), run.file.settings.get("shared_by")
    launcher: tuple[str, ...] = ()
    if gpus > 1 and shared_by == "ddp":
        launcher = ("torch.distributed.run", "--standalone", "--nproc-per-node", str(gpus))
    elif gpus > 1:
        file = _LAUNCH_CONFIGS / f"{shared_by}.yaml"
        launcher = ("accelerate.commands.launch", "--config_file", str(file))
        launcher += ("--num_processes", str(gpus))
    module_arguments = ("-m", *launcher) if launcher else ()
    return (str(python), *module_arguments, str(_PROGRAM), run.file.kind, str(run.folder))


async def _watch_with_companion(
    watching: Coroutine[None, None, None], companion: Companion | None
) -> None:
    """Watch, until the trainer ends or what it needs fails."""
    if companion is None:
        return await watching
    tasks = asyncio.ensure_future(watching), asyncio.ensure_future(companion())
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            if not task.done():
                task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
    return None


async def _watch(
    child: TrainerProcess, run: TrainingRun, tell: Callable[[RunStatus], None]
) -> None:
    last_step = 0
    while not child.exited.is_set():
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_EVERY_S):
                await child.exited.wait()
        status = await asyncio.to_thread(lambda: run.status)
        if status.step > last_step:
            last_step = status.step
            tell(status)


def _environment(run: TrainingRun) -> dict[str, str]:
    threads = int(run.file.settings.get("threads") or os.cpu_count() or 1)
    return child_environment(
        Child.MODEL,
        {
            "HF_HUB_OFFLINE": "1",  # nothing is fetched from anywhere
            "HF_DATASETS_OFFLINE": "1",
            "TOKENIZERS_PARALLELISM": "false",
            "TRL_EXPERIMENTAL_SILENCE": "1",
            "OMP_NUM_THREADS": str(threads),
            "OMP_WAIT_POLICY": "PASSIVE",  # threads that spin slow a shared machine down many times
        },
    )


def last_words(run: TrainingRun) -> str:
    """Return the last error in the trainer's log, or its last line."""
    try:
        lines = (run.folder / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        lines = []
    non_empty = [line.strip() for line in lines if line.strip()]
    # a launcher of several processes says after them only that they ended
    causes = [match.group("why") for line in non_empty if (match := _CAUSE.search(line))]
    last = (causes or non_empty)[-1:]
    return without_secrets(last[0][:_MAX_QUOTED_CHARS]) if last else "it said nothing"


_CAUSE = re.compile(
    r"^(?:\[rank\d+\]: )?(?P<why>(?!torch\.distributed)[\w.]*(?:Error|Exception): .+)$"
)
