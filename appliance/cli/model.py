"""`appliance model`: the model that is served on this machine."""

import asyncio
import signal
import sys
import threading
from pathlib import Path

import click

from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, Noun, pass_invocation
from appliance.cli._output import json_option, talk, write_json
from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.engine.models import LOGS
from appliance.inference.server import (
    MemoryPlan,
    PolicyServer,
    ServerState,
    find_gpus,
    memory_plan,
    policy_server,
)

_NO_WEIGHTS = (
    "there are no weights to serve: set model.weights to a folder of weights on this machine"
)


@click.group("model", cls=Noun)
def command() -> None:
    """Look at the model that is served on this machine, and try it.

    `appliance serve`, `verify` and `sweep` serve it by themselves where `model.weights` is set.
    """


@command.command("plan")
@json_option
@pass_invocation
def plan_command(invocation: Invocation, as_json: bool) -> int:
    """Say whether the weights fit the GPUs, with the arithmetic. Exit code 2 where they do not."""
    settings = invocation.settings().model
    if settings.weights is None:
        raise SetupError(_NO_WEIGHTS)
    plan = memory_plan(settings.weights, find_gpus(settings.server.environment), settings)
    if as_json:
        write_json(_as_json(plan))
    else:
        click.echo("\n".join(str(plan).split("; ")))
        if not plan.gpus:
            talk("Without a GPU this says little: see `nvidia-smi`.")
    return CLEAN if plan.fits else COULD_NOT_RUN


@command.command("serve")
@json_option
@pass_invocation
def serve_command(invocation: Invocation, as_json: bool) -> int:
    """Serve the weights until Ctrl-C, as `appliance serve` would. Prints the address."""
    settings = invocation.settings()
    if settings.model.weights is None:
        raise SetupError(_NO_WEIGHTS)
    asyncio.run(_serve(settings, as_json))
    talk("Stopped.")
    return CLEAN


@command.command("scripted")
@click.argument("scenario", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="[default: a free one]")
@json_option
def scripted_command(scenario: Path, host: str, port: int, as_json: bool) -> int:
    """Serve a model that answers from a SCENARIO file, until Ctrl-C: for tests and for trying out.

    Prints its address, for `model.endpoint`.
    """
    from appliance.inference.scripted import Scenario, run

    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())

    def say(text: str) -> None:
        if not text.startswith("http://"):
            talk(text)
        elif as_json:
            write_json({"url": text})
        else:
            click.echo(text)
        sys.stdout.flush()

    script = Scenario.load(scenario)
    return run(script, script.offer, host=host, port=port, over=over, say=say)


async def _serve(settings: Settings, as_json: bool) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    log_dir = settings.data_dir / LOGS
    async with policy_server(settings.model, log_dir=log_dir, on_state=_tell) as server:
        stopping = asyncio.ensure_future(stop.wait())
        starting = asyncio.ensure_future(server.ready())
        await asyncio.wait((stopping, starting), return_when=asyncio.FIRST_COMPLETED)
        if not stop.is_set():
            starting.result()  # raises why it does not start
            if as_json:
                write_json({"url": server.url, "name": server.settings.name, "pid": server.pid})
            else:
                click.echo(server.url)
        await stopping
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)


def _tell(server: PolicyServer) -> None:
    if server.state is ServerState.STARTING:
        talk(f"Loading the weights; what vLLM says is in {server.log_file}.")
    elif server.state is not ServerState.STOPPED:
        talk(f"The model is {server.state}{f': {server.why}' if server.why else ''}.")


def _as_json(plan: MemoryPlan) -> dict[str, object]:
    return {
        "fits": plan.fits,
        "is_free": plan.is_free,
        "arithmetic": str(plan),
        "gpus": [gpu.name for gpu in plan.gpus],
        "per_gpu_bytes": {
            "weights": plan.weights_bytes,
            "context": plan.cache_token_bytes * plan.context_tokens,
            "adapters": plan.adapters_bytes,
            "working": plan.working_bytes,
            "needed": plan.needed_bytes,
            "allowed": plan.allowed_bytes,
            "free": plan.free_bytes,
        },
        "contexts": plan.contexts,
    }
