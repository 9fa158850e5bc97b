"""vLLM on this machine: started from a local folder of weights, watched, and started again."""

from appliance.inference.server._child import NotStartedError
from appliance.inference.server.command import command_of, served_name, unknown_flags
from appliance.inference.server.gpus import Gpu, gpus
from appliance.inference.server.memory import MemoryPlan, memory_plan
from appliance.inference.server.server import PolicyServer, ServerState, policy_server
from appliance.inference.server.weights import Weights, read_weights

__all__ = [
    "Gpu",
    "MemoryPlan",
    "NotStartedError",
    "PolicyServer",
    "ServerState",
    "Weights",
    "command_of",
    "gpus",
    "memory_plan",
    "policy_server",
    "read_weights",
    "served_name",
    "unknown_flags",
]
