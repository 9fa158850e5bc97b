"""What tf 1.2.0 lacks: plans that know the configuration, states of older schemas, a gentle stop.

Its own plan of an update does not see the configuration, so that a value left out of it could never
have its default again, and it calls nobody for the plan of a creation. Told to stop, it breaks off
the requests that are under way, so that Terraform never learns the id of what was just made.
"""

import json
from typing import Any

from tf import provider as framework
from tf import runner, utils
from tf.gen import tfplugin_pb2 as pb
from tf.types import Unknown
from tf.utils import Diagnostics, read_dynamic_value, to_dynamic_value

from practice_provider.client import Refused
from practice_provider.offered import defaults
from practice_provider.planning import plan


class Servicer(framework.ProviderServicer):
    """Answers Terraform's requests."""

    def PlanResourceChange(self, request: Any, context: Any) -> Any:
        """What a resource will be."""  # Any: messages of gRPC have no types
        prior, config = read_dynamic_value(request.prior_state), read_dynamic_value(request.config)
        if read_dynamic_value(request.proposed_new_state) is None:  # it is to be destroyed
            return pb.PlanResourceChange.Response(planned_state=to_dynamic_value(None))
        kind = self._get_res_cls(request.type_name).kind
        try:
            usual = defaults(kind, self.app.client.offered(kind.name))
        except Refused as refused:
            diagnostics = Diagnostics()
            diagnostics.add_error(f"The cloud cannot be asked: {refused.code}", refused.detail)
            return pb.PlanResourceChange.Response(diagnostics=diagnostics.to_pb())
        planned = plan(kind, prior, config, usual)
        return pb.PlanResourceChange.Response(
            planned_state=to_dynamic_value(planned.state),
            requires_replace=[
                pb.AttributePath(steps=[pb.AttributePath.Step(attribute_name=name)])
                for name in planned.replaced
            ],
        )

    def UpgradeResourceState(self, request: Any, context: Any) -> Any:
        """A stored state with the attributes that there are now."""  # Any: as above
        stored = json.loads(request.raw_state.json)
        state = {name: stored.get(name) for name in self._get_res_attrs(request.type_name)}
        return pb.UpgradeResourceState.Response(
            upgraded_state=to_dynamic_value(state), diagnostics=Diagnostics().to_pb()
        )

    def StopProvider(self, request: Any, context: Any) -> Any:
        """End what waits; Terraform ends the process once it has the answers."""  # Any: as above
        self.app.stop()
        return super().StopProvider(request, context)


class Ending(runner._ShutdownInterceptor):
    """Ends the process when Terraform shuts it down, and not before that."""

    def intercept_service(self, continuation: Any, handler_call_details: Any) -> Any:
        """Let a request through."""  # Any: as above
        if handler_call_details.method.endswith("/StopProvider"):
            return continuation(handler_call_details)
        return super().intercept_service(continuation, handler_call_details)


def _extension(code: int, data: bytes) -> object:
    """A value that is not known yet, also one of which something is known (`"a-${unknown}"`)."""
    return Unknown  # Terraform uses extensions for nothing else


def install() -> None:
    """Let the framework use them: it has no other way in."""
    framework.ProviderServicer = Servicer
    utils._msgpack_ext_hook = _extension
    runner._ShutdownInterceptor = Ending
