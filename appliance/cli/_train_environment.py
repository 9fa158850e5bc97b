"""`appliance train serve-environment`: our console for other people's RL engines."""

import asyncio
import signal
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from appliance.benchmark.suite import Task, drifts_of
from appliance.benchmark.truth import truth_of
from appliance.cli._app import CLEAN, Invocation, pass_invocation
from appliance.cli._listening import listen, local_url
from appliance.cli._options import collect_options
from appliance.cli._output import json_option, talk, write_json
from appliance.cli._train_runs import in_practice
from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.core.secrets import learn
from appliance.inference.client import ModelClient
from appliance.server.hosts import is_loopback
from appliance.system.secret_references import SecretReference, UnreadableSecretError
from appliance.training.attempts import AttemptMaker
from appliance.training.episode import Episode
from appliance.training.live import live_tasks
from appliance.training.options import LiveOptions, options_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _Served:
    host: str
    port: int
    key_env: str | None
    key_file: Path | None
    said: tuple[str, ...]
    as_json: bool


@click.command("serve-environment")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="PORT",
    help="Port to listen on. [default: any free one]",
)
@click.option("--key-env", metavar="NAME", help="Environment variable that holds the key.")
@click.option(
    "--key-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File that holds it, alone on its first line.",
)
@click.option(
    "--set", "said", multiple=True, metavar="NAME=VALUE", help="An option of `train live`."
)
@json_option
@pass_invocation
@collect_options(_Served)
def environment_command(invocation: Invocation, arguments: _Served) -> int:
    """Serve a benchmark's tasks in the live console to another RL engine, until Ctrl-C.

    The protocol is OpenEnv's: a WebSocket at /ws with reset, step, state. What is asked is what the
    agent's model is asked; the reward is that of `train live`. Every attempt has a practice cloud
    of its own in its first state, so that a reset takes some seconds; `jobs` says how many there
    may be at a time. Without a key it serves this machine only.
    """
    settings = invocation.settings()
    options = options_of(LiveOptions, arguments.said)
    tasks = live_tasks(options)
    key = _key(arguments)
    server = settings.server.model_copy(update={"host": arguments.host, "port": arguments.port})
    with listen(server) as listener, TemporaryDirectory(prefix="appliance-environment-") as work:
        url = local_url(listener, server.model_copy(update={"tls": type(server.tls)()}))
        talk(f"{len(tasks)} tasks at {url}; Ctrl-C ends it")
        if arguments.as_json:
            write_json({"url": url, "tasks": [task.id for task in tasks]})
        make = partial(_episode, settings, options, Path(work), count())
        asyncio.run(_serve(listener, tasks, make, key, options))
    return CLEAN


def _key(arguments: _Served) -> str:
    if arguments.key_env and arguments.key_file:
        raise SetupError("--key-env and --key-file are both given; keep one")
    reference = SecretReference(arguments.key_env, arguments.key_file)
    try:
        key = learn(reference.read().strip())
    except UnreadableSecretError as exc:
        raise SetupError(f"{reference} cannot be read: {exc}") from None
    if reference and not key:
        raise SetupError(f"{reference} is empty: put the key there")
    if not key and not is_loopback(arguments.host):
        raise SetupError(
            f"--host {arguments.host} lets other machines in: name a key with --key-env or"
            " --key-file"
        )
    return key


async def _serve(
    listener: socket.socket,
    tasks: Sequence[Task],
    make: partial[Episode],
    key: str,
    options: LiveOptions,
) -> None:
    try:
        from appliance.training.openenv import Environment
    except ModuleNotFoundError:
        raise SetupError(
            "the package websockets is missing: `pip install 'console-docs-appliance[environment]'`"
        ) from None
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signal_number, over.set)
    by_id = {task.id: task for task in tasks}
    environment = Environment(by_id, make, key=key, max_sessions=options.jobs, seed=options.seed)
    server = await environment.serve(listener)
    await over.wait()
    server.close()
    await server.wait_closed()


def _episode(
    settings: Settings, options: LiveOptions, work: Path, numbers: "count[int]", task: Task
) -> Episode:
    folder = work / str(next(numbers))
    alone = options.model_copy(update={"jobs": 1})
    drifts = drifts_of((task,))

    agent = {"form": options.form, "screenshots": False, "answer_tokens": options.answer_tokens}

    def make(client: ModelClient) -> AttemptMaker:
        return AttemptMaker(
            tasks=[task],
            options=alone,
            truth={task.release: truth_of(task.release, drifts.get(task.release))},
            client=client,
            agent=settings.agent.model_copy(update=agent),
            carry_out=in_practice(settings, folder, drifts, alone),
            work=folder / "tasks",
        )

    return Episode(make, task)
