"""Where an attempt's evidence goes in tests of its loop alone."""

from appliance.core.events import StepFinished
from appliance.store.artifacts import ArtifactStore


class Evidence(ArtifactStore):
    """A folder; nobody follows the steps."""

    def emit(self, event: StepFinished) -> None:
        pass
