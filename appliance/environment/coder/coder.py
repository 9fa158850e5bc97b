"""Has a model write Terraform for what no module provides; checks, tries and repairs it."""

import asyncio
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from appliance.config import CoderSettings
from appliance.consoles import TerraformAccess
from appliance.core.errors import AttemptError, SetupError
from appliance.core.jsonable import Json
from appliance.environment.coder import prompt
from appliance.environment.coder.allowed import NAME_IT, Allowed, allowed
from appliance.environment.coder.draft import SCHEMA, CoderAnswer, Draft, Refused, parse_answer
from appliance.environment.coder.look import NAME, check_configuration
from appliance.environment.coder.policy import against, cost_per_hour
from appliance.environment.coder.report import CoderReport, Made, Round, Stage
from appliance.environment.coder.schema import load_schema
from appliance.environment.modules import OURS, Catalogue
from appliance.environment.terraform import (
    Applied,
    Diagnostic,
    Launcher,
    StateResource,
    Terraform,
    TerraformError,
    Workspace,
)
from appliance.inference.client import ModelClient
from appliance.inference.messages import Message

MODULE = "made"
"""What the module is called in the root configuration."""
_MAX_TOKENS = 4096
"""Of one answer: ten resources take some 1500."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a resource is made: account access, workspace, name, and what is allowed."""

    access: TerraformAccess
    unique: str
    name: str
    workspace_id: str
    allowed: Allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Worked:
    draft: Draft
    applied: Applied
    cost_per_hour: float


class _Stopped(Exception):
    """Ends a round: at which stage it failed, and with what problems."""

    def __init__(
        self, stage: Stage, problems: Sequence[Diagnostic | str], left: Sequence[Made] = ()
    ) -> None:
        super().__init__(stage)
        self.stage, self.left = stage, tuple(left)
        self.problems = tuple(dict.fromkeys(map(str, problems)))


@dataclass(frozen=True, slots=True)
class ResourceCoder:
    """Creates what a request in words asks for, or says why not."""

    client: ModelClient
    catalogue: Catalogue
    terraform: Terraform
    launcher: Launcher | None
    """Where that runs: a sandbox; None: here."""
    settings: CoderSettings
    schemas: Path = OURS
    """The folder with the providers' schemas."""

    async def make(
        self,
        request: str,
        console: str,
        access: TerraformAccess,
        unique: str,
        workspace_id: str,
        name: str = "",
    ) -> CoderReport:
        """Make what a request asks for.

        What is made is in the state of the workspace, for whoever destroys it. Where nothing is
        made, there is no workspace afterwards, unless something could not be destroyed. Cancelled,
        it leaves the workspace as it is.

        The request is from whoever: it is data and never followed as an instruction. `name` is what
        the thing is to be called, with the marker `unique` in it; empty: as one likes.
        """
        began = time.monotonic()
        report = CoderReport(
            request=request,
            console=console,
            prompt=prompt.version(),
            provider=access.provider,
            source=access.source,
        )
        rounds: list[Round] = []
        try:
            place = _Place(
                access=access,
                unique=unique,
                name=name or f"made-{unique}",
                workspace_id=workspace_id,
                allowed=await asyncio.to_thread(self._read_allowed, console),
            )
            report = await self._rounds(report, place, rounds)
        except (AttemptError, SetupError) as exc:
            blamed = getattr(exc, "boundary", "environment")
            report = replace(report, problem=str(exc), boundary=blamed)
        return replace(report, rounds=tuple(rounds), took_s=time.monotonic() - began)

    def _read_allowed(self, console: str) -> Allowed:
        schema = load_schema(console, self.schemas)
        allowance = allowed(self.catalogue.of(console).values(), schema, self.settings)
        if not allowance.schema.resources:
            raise SetupError(f"no resource type of {console} may be used. {NAME_IT}")
        return allowance

    async def _rounds(self, report: CoderReport, place: _Place, rounds: list[Round]) -> CoderReport:
        """Ask the model and try its answer, repeatedly; each round is added to `rounds`."""
        modules = self.catalogue.of(report.console)
        messages: list[Message] = [
            _says("system", prompt.system(report.console, modules, place.allowed)),
            _says("user", prompt.request(report.request)),
        ]
        refused: dict[str, _Stopped] = {}
        for _ in range(1 + self.settings.max_repairs):
            answer = await self.client.ask(messages, schema=SCHEMA, max_tokens=_MAX_TOKENS)
            this = Round(
                stage=Stage.ANSWER,
                hcl=answer.text,
                tokens_in=answer.tokens_in,
                tokens_out=answer.tokens_out,
                took_s=answer.took_s,
            )
            try:
                if answer.text in refused:  # said again, so nothing has to be tried again
                    raise refused[answer.text]
                parsed = _parse_or_stop(answer.text)
                if parsed.impossible and not parsed.configuration.get("resource"):
                    rounds.append(replace(this, problems=(parsed.impossible,)))
                    return replace(report, problem="the model says that it is not possible")
                worked = await self._try(parsed.configuration, place)
            except _Stopped as stopped:
                refused[answer.text] = stopped
                rounds.append(replace(this, stage=stopped.stage, problems=stopped.problems))
                if stopped.left:
                    return _with_left(report, stopped.left)
                messages += [
                    _says("assistant", answer.text),
                    _says("user", prompt.repair(stopped.stage, stopped.problems)),
                ]
            else:
                rounds.append(replace(this, stage=Stage.DONE))
                return _with_made(report, worked, place)
        tries = len(rounds)
        problem = f"what the model wrote was refused {tries} time{'s' if tries != 1 else ''}"
        return replace(report, problem=problem, boundary="model")

    async def _try(self, configuration: Mapping[str, Json], place: _Place) -> _Worked:
        """Apply an answer of the model; raises `_Stopped` with the stage that failed."""
        if not configuration:
            raise _Stopped(Stage.ANSWER, ["there is no configuration in the answer"])
        try:
            draft = await asyncio.to_thread(check_configuration, configuration, place.allowed)
        except Refused as exc:
            raise _Stopped(Stage.LOOK, exc.diagnostics) from exc
        workspace = await self._open_workspace(draft, place)
        is_kept = False
        try:
            cost = await self._plan_cost(workspace, place)
            is_kept = True  # from here on something may be there
            applied = await self._apply(workspace, place)
        except _Stopped as stopped:
            is_kept = bool(stopped.left)
            raise
        finally:
            if not is_kept:
                workspace.forget()
        return _Worked(draft=draft, applied=applied, cost_per_hour=cost)

    async def _open_workspace(self, draft: Draft, place: _Place) -> Workspace:
        outputs = [block.labels[0] for block in draft.of("output")]
        with tempfile.TemporaryDirectory(prefix="coder-") as temporary:
            folder = Path(temporary) / MODULE
            draft.write(folder, place.access.provider, place.access.source)
            configuration: Mapping[str, Json] = {
                "module": {MODULE: {"source": str(folder), NAME: place.name}},
                "output": {name: {"value": f"${{module.{MODULE}.{name}}}"} for name in outputs},
            }
            return await self.terraform.open(
                place.workspace_id, configuration, place.access, self.launcher
            )

    async def _plan_cost(self, workspace: Workspace, place: _Place) -> float:
        """Validate, plan and check the configuration; return its cost."""
        diagnostics = await workspace.validate()
        if errors := [each for each in diagnostics if each.severity == "error"]:
            raise _Stopped(Stage.VALIDATE, errors)
        try:
            changes = await workspace.plan()
        except TerraformError as exc:
            raise _Stopped(Stage.PLAN, _errors(exc)) from exc
        problems = against(
            changes, place.allowed, marker=place.unique, sources=[place.access.source]
        )
        if problems:
            raise _Stopped(Stage.POLICY, problems)
        return cost_per_hour(changes, place.allowed)

    async def _apply(self, workspace: Workspace, place: _Place) -> Applied:
        """Apply the configuration; if that fails, destroy what exists by then."""
        try:
            return await workspace.apply()
        except TerraformError as exc:
            problems: list[Diagnostic | str] = [*_errors(exc)]
            try:
                await workspace.destroy()
            except TerraformError as again:
                problems += _errors(again)
                remaining = _as_made(workspace.state(), place.access.provider)
                raise _Stopped(Stage.APPLY, problems, remaining) from again
            raise _Stopped(Stage.APPLY, problems) from exc


def _parse_or_stop(text: str) -> CoderAnswer:
    try:
        return parse_answer(text)
    except Refused as exc:
        raise _Stopped(Stage.LOOK, exc.diagnostics) from exc


def _says(role: str, text: str) -> Message:
    return {"role": role, "content": text}


def _errors(exc: TerraformError) -> list[Diagnostic | str]:
    errors: list[Diagnostic | str] = [each for each in exc.diagnostics if each.severity == "error"]
    return errors or [str(exc)]


def _as_made(resources: Sequence[StateResource], provider: str) -> tuple[Made, ...]:
    return tuple(
        Made(
            kind=each.type.removeprefix(f"{provider}_"), name=each.name, id=each.id, type=each.type
        )
        for each in resources
        if not each.is_data
    )


def _with_made(report: CoderReport, worked: _Worked, place: _Place) -> CoderReport:
    return replace(
        report,
        made=_as_made(worked.applied.resources, place.access.provider),
        outputs=worked.applied.outputs,
        hcl=worked.draft.text,
        cost_per_hour=worked.cost_per_hour,
        currency=place.allowed.currency,
        apply_s=worked.applied.took_s,
    )


def _with_left(report: CoderReport, remaining: tuple[Made, ...]) -> CoderReport:
    names = ", ".join(map(str, remaining))
    problem = f"it was made in part, and this could not be destroyed again: {names}"
    return replace(report, problem=problem, boundary="environment", left=remaining)
