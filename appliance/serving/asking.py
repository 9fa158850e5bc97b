"""From what is asked for to a row in the store. Everything here blocks."""

from pathlib import Path

from appliance.config import Settings, SweepSettings
from appliance.core.clock import Clock
from appliance.core.errors import ApplianceError, SetupError
from appliance.serving.asks import SweepAsk, VerificationAsk
from appliance.serving.documentation import Documentation, warn
from appliance.serving.problems import NothingToDo
from appliance.serving.uploads import forget_uploads, keep_uploads
from appliance.store import Store
from appliance.store.sweeps import SweepRow
from appliance.sweep import Asked, asked, enqueue, new_run_id, plan_of, unfinished


def sweep_of(settings: Settings, documentation: Documentation, ask: SweepAsk) -> Asked:
    """A sweep with its documents read.

    Raises:
        SetupError: There is no such console, document or procedure.
    """
    paths = documentation.chosen(ask.paths) or documentation.paths
    if not paths:
        raise SetupError("there is no documentation: name it in documentation.paths")
    return asked(
        _on(settings, ask.console),
        paths,
        documentation.checks,
        ask.patterns,
        ask.values,
        ask.policy,
        warn,
        documentation.reader.load,
    )


def keep_sweep(one: Asked, store: Store, clock: Clock, by: str) -> SweepRow:
    """A new sweep, or the equal one that is not over.

    Raises:
        NothingToDo: Nothing is due.
    """
    known = unfinished(store.sweeps, one.request)
    if known is not None:
        return known
    due = plan_of(one, store, clock.now())
    if not due.items:
        why = f": {due.left_out[0].why}" if due.left_out else ""
        raise NothingToDo(f"nothing is due: {due.fresh} verified not long ago{why}.")
    return enqueue(store.sweeps, new_run_id(clock.now()), one.request, due, clock, by=by)


def keep_verification(
    settings: Settings,
    documentation: Documentation,
    ask: VerificationAsk,
    store: Store,
    clock: Clock,
    by: str,
) -> SweepRow:
    """A verification that is carried out as soon as there is room.

    Raises:
        SetupError: The asking is wrong.
    """
    if bool(ask.documents) == bool(ask.inline):
        raise SetupError("name documents of the documentation, or give some: one of the two")
    on = _on(settings, ask.console)
    run_id = new_run_id(clock.now())
    try:
        return _kept(on, documentation, ask, run_id, store, clock, by)
    except ApplianceError:
        forget_uploads(settings.data_dir, run_id)
        raise


def _kept(
    settings: Settings,
    documentation: Documentation,
    ask: VerificationAsk,
    run_id: str,
    store: Store,
    clock: Clock,
    by: str,
) -> SweepRow:
    paths: list[Path] = [*documentation.chosen(ask.documents)]
    if ask.inline:
        paths = keep_uploads(settings.data_dir, run_id, ask.inline)
    checks = documentation.checks if ask.documents else ()
    settings = settings.model_copy(update={"sweep": SweepSettings()})  # no matrix, no budget
    load = documentation.reader.load
    one = asked(settings, paths, checks, ask.patterns, ask.values, ask.policy, warn, load)
    due = plan_of(one, store, clock.now(), is_asked=True)
    return enqueue(store.sweeps, run_id, one.request, due, clock, kind="verification", by=by)


def _on(settings: Settings, console: str) -> Settings:
    """The settings with that console as the default one."""
    name = console or settings.console
    if name not in settings.consoles:
        known = ", ".join(settings.consoles)
        raise SetupError(f"no console is named {name}; there are {known}")
    return settings.model_copy(update={"console": name})
