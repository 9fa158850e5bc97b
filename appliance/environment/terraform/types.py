"""What goes into a Terraform run and what comes out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from appliance.core.errors import ProvisioningError
from appliance.core.jsonable import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """How a program ended."""

    code: int
    """Its exit status; negative: the signal that killed it."""
    stderr: str = ""
    """The end of what it said."""
    stopped_by: str = ""
    """`time`, `memory`, `disk`, `processes`: the limit that it ran into; empty: none."""


class Launcher(Protocol):
    """Where programs run: on this machine as they are, or locked up."""

    name: str

    async def run(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        timeout_s: float,
        on_line: Callable[[str], None] = lambda line: None,
    ) -> Exit:
        """Run a program to its end, in a process group of its own.

        Cancelled, or out of time, it is asked to stop (SIGINT), then made to (SIGKILL, the group).

        Args:
            command: Program and arguments.
            folder: Its working directory, the only place that it may write to.
            environment: All its variables: nothing is inherited.
            timeout_s: How long it may take.
            on_line: Given each line of its standard output, as it comes.

        Raises:
            ProvisioningError: It cannot be started.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """What Terraform has to say about a configuration or a run."""

    severity: str
    """`error` or `warning`."""
    summary: str
    detail: str = ""
    address: str = ""
    """The resource or module block concerned."""
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file else ""
        at = f" ({self.address})" if self.address else ""
        return f"{place}{self.summary}{at}{': ' if self.detail else ''}{self.detail}"


class TerraformError(ProvisioningError):
    """Terraform said no, did not finish, or could not be started."""

    def __init__(self, doing: str, diagnostics: Sequence[Diagnostic]) -> None:
        errors = "; ".join(str(d) for d in diagnostics if d.severity == "error")
        super().__init__(f"{doing}: {errors or 'it says no more'}")
        self.diagnostics = tuple(diagnostics)


class ApplyError(TerraformError):
    """What is there to be made was understood, and the console did not let it be made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedChange:
    """One change that a plan holds."""

    address: str
    type: str
    """`practice_disk`."""
    provider: str
    actions: tuple[str, ...]
    """`create`, `update`, `delete`, `read`, `no-op`."""
    after: Mapping[str, Any] = field(default_factory=dict)  # Any: the provider's own JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class StateResource:
    """A resource in a state."""

    address: str
    """`module.disk_1.practice_disk.this`."""
    type: str
    id: str
    name: str = ""
    is_data: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What a run is doing, from its JSON output."""

    attempt_id: str
    address: str
    doing: str
    """`creating`, `created`, `deleting`, `deleted`, `failed`, …"""
    took_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What an apply made."""

    outputs: Mapping[str, Json]
    resources: tuple[StateResource, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    took_s: float = 0.0
