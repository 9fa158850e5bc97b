"""Exploration on this machine: entry pages are looked at, proposals tried in a practice cloud."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from appliance.browser import BrowserPool
from appliance.cli._bench_runs import on_practice, practice_console
from appliance.cli._local import carry_out_run, console_settings
from appliance.cli._output import talk
from appliance.cli._summary import counted
from appliance.cli.observe import look
from appliance.config import ConsoleSettings, ModelSettings, Settings
from appliance.consoles import RecordedLogIns, open_console
from appliance.core.audit_json import AuditLog, read_audit
from appliance.core.page import Observation
from appliance.core.result import ProcedureResult, RunResult
from appliance.core.verdict import PolicyChoice, StepStatus
from appliance.engine.engine import EngineOptions
from appliance.engine.request import RunKind, RunRequest
from appliance.practice.releases import releases
from appliance.store.store import Store
from appliance.training.phases.candidates import Candidate
from appliance.training.phases.exploration import Explorer, Proposal, TriedProposal, entries_of
from appliance.verification import Demonstration

_CONSOLE = "practice"
_CARRIED_OUT = frozenset({StepStatus.AS_WRITTEN, StepStatus.DIVERGED})


def explore_here(settings: Settings, folder: Path, pages: int, jobs: int) -> list[Candidate]:
    """Return the tasks that were found, with drafted rules; deletes what exploring created."""
    release = releases()[0]
    console = practice_console(release, {})
    practice_settings = on_practice(settings, folder, jobs, console)
    practice_settings = practice_settings.model_copy(
        update={
            "model": ModelSettings(),
            "training": settings.training.model_copy(update={"keep_attempts": True}),
        }
    )
    explorer = Explorer(folder / "texts", release)

    async def work() -> list[Candidate]:
        with console_settings(practice_settings, _CONSOLE) as chosen:
            entries = await _entries(practice_settings, chosen, pages)
        return await explorer.explore(entries, lambda files: _attempt(practice_settings, files))

    proposals = asyncio.run(work())
    talk(f"{counted(explorer.tried, 'proposal')} tried, {len(proposals)} changed something.")
    return proposals


async def _entries(settings: Settings, chosen: ConsoleSettings, pages: int) -> list[Proposal]:
    """Return what the entry pages offer that the console's home page links to."""
    async with AsyncExitStack() as stack:
        recorded = await asyncio.to_thread(RecordedLogIns.of, settings)
        network = settings.network_of(_CONSOLE)
        console = open_console(_CONSOLE, chosen, network=network, recorded=recorded)
        stack.push_async_callback(console.close)
        pool = await stack.enter_async_context(BrowserPool(settings.browser, settings.networks()))
        account = console.accounts(None)[0]
        opening = pool.page(console.hosts, "en", network, console.credentials(account))
        page = await stack.enter_async_context(opening)
        await console.log_in(page, account)
        home = await look(page)
        links = [
            element
            for element in home.elements
            if element.role == "link" and element.region == "main"
        ]
        proposals = list[Proposal]()
        for link in links[:pages]:
            await page.goto(link.href)
            proposals += entries_of(link.name, await look(page))
        return proposals


async def _attempt(settings: Settings, files: Sequence[Path]) -> Sequence[TriedProposal]:
    request = RunRequest(
        kind=RunKind.BENCHMARK,
        documents=tuple(files),
        patterns=("*",),
        policy=PolicyChoice.LITERAL,
        tries_patches=False,
    )
    options = EngineOptions(warn=lambda _: None, is_open=True)
    run = await carry_out_run(settings, request, options)
    return await asyncio.to_thread(_read_results, settings, run, files)


def _read_results(settings: Settings, run: RunResult, files: Sequence[Path]) -> list[TriedProposal]:
    with Store.open(settings.data_dir) as store:
        views = dict[str, Observation]()
        for demonstration in store.demonstrations.judged(_CONSOLE, [run.id]):
            record = Demonstration.from_json(store.artifacts.get(demonstration.row.artifact))
            if record.moments:
                views[demonstration.row.procedure_id] = record.moments[-1].view
        results = {Path(result.document).name: result for result in run.procedures}
        return [_result_of(results.get(file.name), views, store) for file in files]


def _result_of(
    result: ProcedureResult | None, views: dict[str, Observation], store: Store
) -> TriedProposal:
    if result is None:
        return TriedProposal(last_view=None, log=AuditLog(events=()), is_over=False)
    log = AuditLog(events=())
    if result.audit is not None:
        log = read_audit(store.artifacts.get(result.audit), f"the audit log of {result.id}")
    return TriedProposal(
        last_view=views.get(result.id),
        log=log,
        is_over=all(step.status in _CARRIED_OUT for step in result.steps),
    )
