"""Whether the model that is measured can be asked: what it never heard is no failure of its own."""

from collections.abc import Callable, Coroutine
from typing import Any

from appliance.benchmark.trials import MODEL_POLICIES, BenchmarkPolicy
from appliance.config import Settings
from appliance.core.errors import ModelError
from appliance.core.near import nearest
from appliance.inference.client import ModelClient

WhyAway = Callable[[], Coroutine[Any, Any, str]]  # Any: what coroutines are sent is nobody's
"""Why the model cannot be asked now; empty: it can, or none is asked."""


async def none_is_asked() -> str:
    """A `WhyAway`."""
    return ""


async def why_away(settings: Settings, policy: BenchmarkPolicy) -> str:
    """Why the model of a policy cannot be asked now; a `WhyAway`.

    A model whose weights are served here is the affair of the engine, which starts it.
    """
    if policy not in MODEL_POLICIES or not settings.model.endpoint:
        return ""
    try:
        async with ModelClient(settings.model, network=settings.outward) as client:
            served = await client.names()
    except ModelError as exc:
        return str(exc)
    adapter = settings.agent.adapter if policy is BenchmarkPolicy.MODEL else ""
    for name in filter(None, (settings.model.name, adapter)):
        if name not in served:
            endpoint = settings.model.endpoint
            return f"the model at {endpoint} does not serve {name!r}; {nearest(name, served)}"
    return ""
