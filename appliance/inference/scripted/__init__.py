"""A server that speaks the OpenAI protocol, with vLLM's extras, and answers from a script.

It stands in for a model wherever an answer, or a fault, has to be the same each time.
"""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.inference.scripted.scenario import Scenario
    from appliance.inference.scripted.script import (
        NAME,
        Fault,
        Offer,
        ReceivedRequest,
        Script,
        ScriptedReply,
        ToolCall,
    )
    from appliance.inference.scripted.server import Scripted, run, serving
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "NAME",
    "Fault",
    "Offer",
    "ReceivedRequest",
    "Scenario",
    "Script",
    "Scripted",
    "ScriptedReply",
    "ToolCall",
    "run",
    "serving",
]
