"""A sweep as it is asked for, with its documents read: what it is planned and carried out from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.core.procedure import Document, Procedure
from appliance.core.window import Window, zone_of
from appliance.documents import load_documents
from appliance.store import Store
from appliance.store.sweeps import SweepRow
from appliance.sweep.plan import History, Plan, make_plan
from appliance.sweep.queue import SweepRequest
from appliance.sweep.reading import Load, choose, read_documents
from appliance.verification import see_policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request with what it names."""

    settings: Settings
    """With the request's console as the default one."""
    request: SweepRequest
    documents: tuple[Document, ...]
    chosen: tuple[Procedure, ...]


def asked(
    settings: Settings,
    paths: Sequence[Path],
    checks: Sequence[Path] = (),
    patterns: Sequence[str] = (),
    values: Mapping[str, str] | None = None,
    policy: str = "auto",
    warn: Callable[[str], None] = lambda problem: None,
    load: Load = load_documents,
) -> Asked:
    """Read what a sweep on `settings.console` is to be about.

    Raises:
        SetupError: Nothing of it can be verified, or the policy asks a model and there is none.
    """
    see_policy(policy, settings.model)
    documents = read_documents(paths, checks, warn, load)
    request = SweepRequest(
        folder=str(Path.cwd()),
        documents=tuple(map(str, paths)),
        checks=tuple(map(str, checks)),
        patterns=tuple(patterns),
        values=dict(values or {}),
        policy=policy,
        console=settings.console,
    )
    chosen = choose(documents, patterns)
    return Asked(settings=settings, request=request, documents=documents, chosen=chosen)


def asked_again(
    settings: Settings,
    sweep: SweepRow,
    warn: Callable[[str], None] = lambda problem: None,
    load: Load = load_documents,
) -> Asked:
    """The same for a sweep that was planned earlier.

    Raises:
        SetupError: Its documents or its console are not there any more.
    """
    request = SweepRequest.of(sweep)
    relative = not all(Path(path).is_absolute() for path in (*request.documents, *request.checks))
    if relative and Path(request.folder) != Path.cwd():
        raise SetupError(
            f"sweep {sweep.id} was planned in {request.folder}, where its documents are: go there."
        )
    if request.console not in settings.consoles:
        raise SetupError(f"sweep {sweep.id} is about console {request.console}, which is no more.")
    paths, checks = map(Path, request.documents), map(Path, request.checks)
    documents = read_documents(tuple(paths), tuple(checks), warn, load)
    chosen = tuple(p for d in documents for p in d.procedures)
    changed = settings.model_copy(update={"console": request.console})
    return Asked(settings=changed, request=request, documents=documents, chosen=chosen)


def plan_of(asked: Asked, store: Store | None, now: datetime, *, is_asked: bool = False) -> Plan:
    """What is due.

    Args:
        asked: What it is about.
        store: Earlier results; None: there are none.
        now: The time.
        is_asked: Whether everything is due, as it was asked for by name.
    """
    console = asked.settings.console
    return make_plan(
        asked.documents,
        asked.chosen,
        history=History.read(store.sweeps, console) if store else History(),
        settings=asked.settings.sweep,
        lanes=lanes(asked.settings),
        now=now,
        is_asked=is_asked or bool(asked.request.patterns),
    )


def lanes(settings: Settings) -> int:
    """How many procedures are under way at a time."""
    return min(settings.verification.parallel, settings.browser.pool_size)


def window_of(settings: Settings) -> Window | None:
    """The time of day in which sweeps run; None: at any time."""
    of = settings.sweep
    return Window.parse(of.window, zone_of(of.time_zone)) if of.window else None
