"""What `appliance doctor` looks at for the model: weights, vLLM, GPUs, or the endpoint."""

from asyncio import to_thread
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from appliance.cli._check import CheckResult, fine, warning
from appliance.config import ModelSettings
from appliance.core.errors import ApplianceError, SetupError
from appliance.inference.client import ModelClient
from appliance.inference.server import (
    check_adapter,
    find_gpus,
    known_flags,
    memory_plan,
    program_of,
    too_little,
    unknown_flags,
)
from appliance.system.network.network import DIRECT, Network

_ASK_S = 20.0
"""Longest wait for an endpoint here."""


async def model_checks(
    settings: ModelSettings, network: Network = DIRECT, *, is_serving: bool
) -> AsyncIterator[CheckResult]:
    """All of them, one after the other. Without its model the appliance still reads literally.

    Args:
        settings: Of the model.
        network: How it is reached.
        is_serving: Whether `appliance serve` runs: the GPUs' memory is its own then.
    """
    if (weights := settings.weights) is not None:
        checks = await to_thread(lambda: tuple(_check_served(settings, weights, is_serving)))
        for check in checks:
            yield check
    elif settings.endpoint:
        yield await _endpoint(settings, network)
    else:
        says = "none; procedures are read literally"
        yield fine("model", says)


async def _endpoint(settings: ModelSettings, network: Network) -> CheckResult:
    limit = min(settings.timeout_s, _ASK_S)
    client = ModelClient(settings.model_copy(update={"timeout_s": limit}), network=network)
    try:
        names = await client.names()
    except ApplianceError as exc:
        return warning("model", str(exc), "Without it procedures are read literally.")
    finally:
        await client.close()
    listed = ", ".join(names) or "no model"
    if settings.name and settings.name not in names:
        remedy = "Set model.name to one of these."
        return warning("model", f"{settings.endpoint} has {listed}", remedy)
    return fine("model", f"{settings.endpoint}: {listed}")


def _check_served(
    settings: ModelSettings, weights: Path, is_serving: bool
) -> Iterator[CheckResult]:
    yield _program(settings)
    yield _check_fit(settings, weights, is_serving)
    for name, folder in settings.adapters.items():
        try:
            check_adapter(name, folder, settings.server.adapter_rank)
        except SetupError as exc:
            yield warning(f"adapter {name}", str(exc), f"See model.adapters.{name}.")
        else:
            yield fine(f"adapter {name}", str(folder))
    if unknown := unknown_flags(settings.server.extra_flags):
        says = f"vLLM {known_flags()['vllm']} has no {', '.join(unknown)}"
        yield warning("flags of vLLM", says, "Correct model.server.extra_flags.")


def _program(settings: ModelSettings) -> CheckResult:
    try:
        return fine("vLLM", str(program_of(settings)))
    except SetupError as exc:
        return warning("vLLM", str(exc), "pip install vllm==0.32.0, for a machine with GPUs.")


def _check_fit(settings: ModelSettings, weights: Path, is_serving: bool) -> CheckResult:
    try:
        plan = memory_plan(weights, find_gpus(settings.server.environment), settings)
    except SetupError as exc:
        return warning("model", str(exc), "See model.weights and model.server.")
    if not plan.gpus:
        remedy = "Without one, only vLLM's CPU build serves it, and a large model far too slowly."
        return warning("model", f"{weights}: {plan}", remedy)
    if (complaint := too_little(plan)) and not (plan.fits and is_serving):
        return warning("model", complaint)
    return fine("model", f"{weights}: {plan}")
