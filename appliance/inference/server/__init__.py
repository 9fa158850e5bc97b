"""vLLM on this machine: started from a local folder of weights, watched, and started again."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.inference.server._child import NotStartedError
    from appliance.inference.server.command import (
        command_of,
        known_flags,
        program_of,
        served_name,
        unknown_flags,
    )
    from appliance.inference.server.gpus import Gpu, find_gpus
    from appliance.inference.server.memory import MemoryPlan, memory_plan, too_little
    from appliance.inference.server.server import PolicyServer, ServerState, policy_server
    from appliance.inference.server.weights import Weights, check_adapter, read_weights
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "Gpu",
    "MemoryPlan",
    "NotStartedError",
    "PolicyServer",
    "ServerState",
    "Weights",
    "check_adapter",
    "command_of",
    "find_gpus",
    "known_flags",
    "memory_plan",
    "policy_server",
    "program_of",
    "read_weights",
    "served_name",
    "too_little",
    "unknown_flags",
]
