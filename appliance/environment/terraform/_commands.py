"""Run one Terraform command in a workspace's folder."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from appliance.consoles import TerraformAccess
from appliance.core.secrets import without_secrets
from appliance.environment.terraform.events import read_line, read_plain
from appliance.environment.terraform.mirror import ADDRESS, Mirror
from appliance.environment.terraform.providers import KeptProviders
from appliance.environment.terraform.types import Diagnostic, Exit, Launcher, Progress

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
TEXT_LIMIT = 64 << 20
"""Characters of an output that are kept where it is one document."""
DIAGNOSTICS_LIMIT = 200
SOCKET_LIMIT = 60
"""Characters that a temporary folder's name may have: a provider's socket is in it, and the system
takes 107."""
_SECRET = re.compile(r"PASSWORD|PASSPHRASE|SECRET|TOKEN|KEY|CREDENTIAL", re.IGNORECASE)
_UNREACHABLE = re.compile(
    r"does not answer|connection (refused|reset)|i/o timeout|timed out|timeout|no such host"
    r"|network is unreachable|unexpected EOF|\bEOF\b|broken pipe|transport is closing|TLS handshake"
    r"|\b(502|503|504)\b|did not respond|code = Unavailable|Unreachable"
    r"|Reattachment process not found",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """The result of a command, successful or not."""

    code: int
    text: str
    diagnostics: tuple[Diagnostic, ...]
    has_begun: bool
    """Whether it has begun to change something in the cloud."""
    stopped_by: str = ""

    @property
    def is_unreachable(self) -> bool:
        """Whether it failed because somebody did not answer: later he may."""
        errors = [str(each) for each in self.diagnostics if each.severity == "error"]
        return self.code != 0 and not self.stopped_by and any(map(_UNREACHABLE.search, errors))


@dataclass(slots=True)
class _CommandOutput:
    """The output of a running command."""

    id: str
    on_progress: Callable[[Progress], None]
    lines: list[str] = field(default_factory=list)
    length: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)
    has_begun: bool = False

    def take_json(self, line: str) -> None:
        match read_line(line, self.id):
            case Diagnostic() as diagnostic:
                if len(self.diagnostics) < DIAGNOSTICS_LIMIT:
                    self.diagnostics.append(diagnostic)
            case Progress() as progress:
                self.has_begun = self.has_begun or not progress.doing.startswith("read")
                self.on_progress(progress)

    def take_text(self, line: str) -> None:
        self.length += len(line)
        if self.length <= TEXT_LIMIT:
            self.lines.append(line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """Runs commands as one account or several."""

    command: Sequence[str]
    mirror: Mirror
    launcher: Launcher
    accesses: Sequence[TerraformAccess]
    kept: KeptProviders | None
    """None: the providers are started for each command."""
    timeout_s: float

    async def run(
        self,
        id: str,
        folder: Path,
        arguments: Sequence[str],
        *,
        on_progress: Callable[[Progress], None],
        is_kept: bool = True,
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> Ran:
        """Run a command in a folder."""
        output = _CommandOutput(id, on_progress)
        is_lines = "-json" in arguments and arguments[0] not in ("show", "validate")
        environment = {**self._environment(folder), **variables}
        keeping = self.kept if is_kept and self._can_keep() else None

        async def launch(variables: Mapping[str, str]) -> Ran:
            ended = await self.launcher.run(
                [*self.command, *arguments],
                folder=folder,
                environment={**environment, **variables},
                timeout_s=self.timeout_s,
                on_line=output.take_json if is_lines else output.take_text,
            )
            text = "\n".join(output.lines)
            return Ran(
                code=ended.code,
                text=text,
                diagnostics=self._diagnostics(arguments[0], ended, output, text),
                has_begun=output.has_begun,
                stopped_by=ended.stopped_by,
            )

        if keeping is None:
            return await launch({})
        async with keeping.reattach({"PATH": PATH, **self.accesses[0].environment}) as reattached:
            ran = await launch(reattached.variables)
            reattached.is_spoilt = bool(ran.stopped_by)
            return ran

    def _can_keep(self) -> bool:
        return len(self.accesses) == 1 and self.accesses[0].source == ADDRESS

    def _environment(self, folder: Path) -> dict[str, str]:
        temporary = folder / "tmp"
        if len(str(temporary)) > SOCKET_LIMIT:
            temporary = Path("/tmp")  # noqa: S108 - the providers make folders of their own in it
        else:
            temporary.mkdir(exist_ok=True)
        environment = {"PATH": PATH, "HOME": str(folder), "TMPDIR": str(temporary)}
        for access in self.accesses:
            environment |= access.environment
        return environment | self.mirror.environment()

    def _diagnostics(
        self, command: str, ended: Exit, output: _CommandOutput, text: str
    ) -> tuple[Diagnostic, ...]:
        diagnostics = list(output.diagnostics)
        if ended.stopped_by:
            diagnostics.append(_limit_diagnostic(command, ended.stopped_by, self.timeout_s))
        elif ended.code != 0 and not any(each.severity == "error" for each in diagnostics):
            diagnostics += read_plain(f"{ended.stderr}\n{text}")
            if not any(each.severity == "error" for each in diagnostics):
                diagnostics.append(_silent_failure(command, ended))
        return tuple(map(self._mask, diagnostics))

    def _mask(self, diagnostic: Diagnostic) -> Diagnostic:
        summary, detail = diagnostic.summary, diagnostic.detail
        for access in self.accesses:
            for name, value in access.environment.items():
                if value and _SECRET.search(name) and not name.endswith("_FILE"):
                    summary, detail = summary.replace(value, "***"), detail.replace(value, "***")
        summary, detail = without_secrets(summary), without_secrets(detail)
        return replace(diagnostic, summary=summary, detail=detail)


def _limit_diagnostic(command: str, limit: str, timeout_s: float) -> Diagnostic:
    if limit == "time":
        summary = f"{command} was stopped after {timeout_s:g} s (environment.terraform.timeout_s)"
    else:
        summary = f"{command} was stopped: it ran into the limit of {limit}"
    return Diagnostic(severity="error", summary=summary)


def _silent_failure(command: str, ended: Exit) -> Diagnostic:
    how = f"signal {-ended.code}" if ended.code < 0 else f"code {ended.code}"
    return Diagnostic(
        severity="error", summary=f"{command} ended with {how}", detail=ended.stderr[-1000:]
    )
