"""The first page: what needs somebody today, and how the documentation stands."""

import asyncio
import shlex
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

from litestar import get
from litestar.response import Template

from appliance.config import Settings
from appliance.engine.engine import Engine
from appliance.server.dashboard.charts import Chart, stacked_bars
from appliance.server.dashboard.console_overview import read_morning
from appliance.server.dashboard.formats import VERDICTS
from appliance.server.dashboard.frame import PageRequest, console_of, page, words_of
from appliance.server.dashboard.preferences import Language, words_in
from appliance.server.parts import Service, TheService
from appliance.store.states import TrendDay

_ANY = "docs/"


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A command, and what it is for."""

    key: str
    """Of the catalogue, below `first.`."""
    command: str


def has_own_console(settings: Settings) -> bool:
    """Whether there is one besides practice clouds."""
    return any(console.kind != "practice" for console in settings.consoles.values())


def first_steps(settings: Settings, *, has_run: bool) -> tuple[FirstStep, ...]:
    """None as soon as something was verified on a console of one's own."""
    is_own = has_own_console(settings)
    if is_own and has_run:
        return ()
    paths = settings.documentation.paths if is_own else ()
    docs = shlex.quote(str(paths[0])) if paths else _ANY
    looking = (
        FirstStep("doctor", "appliance doctor"),
        FirstStep("procedures", f"appliance procedures {docs}"),
        FirstStep("verify", f"appliance verify {docs}"),
    )
    if is_own:
        return looking
    return (
        FirstStep("init", "appliance init"),
        *looking,
        FirstStep("serve", "appliance serve"),
    )


_HEIGHT = 190
_TREND_DAYS = 30
_LASTS_S = 10.0


@get("/")
async def overview(request: PageRequest, service: TheService) -> Template:
    """The overview page: what a person should look at first."""
    console = console_of(request, service)
    problems = await asyncio.to_thread(service.engine.problems)
    morning = await asyncio.to_thread(read_morning, service, console, problems)
    return page(
        request,
        service,
        "overview",
        morning=morning,
        verdicts=VERDICTS,
        stale_days=f"{service.settings.sweep.stale_days:g}",
        trend_days=_TREND_DAYS,
        has_own_console=has_own_console(service.settings),
        first_steps=first_steps(service.settings, has_run=morning.has_run),
        charts=await asyncio.to_thread(_charts, service, console, words_of(request).language),
    )


class _CachedCharts(NamedTuple):
    at_s: float
    charts: tuple[Chart, ...]


_drawn: WeakKeyDictionary[Engine, dict[tuple[str, Language], _CachedCharts]] = WeakKeyDictionary()
"""To draw them takes as long as half of the page: they are as old as `_LASTS_S` at most."""


def _charts(service: Service, console: str, language: Language) -> tuple[Chart, ...]:
    clock = service.engine.clock
    cached = _drawn.setdefault(service.engine, {})
    entry = cached.get((console, language))
    if entry is None or clock.monotonic() - entry.at_s > _LASTS_S:
        trend = service.store.listings.trend(console, days=_TREND_DAYS, now=clock.now())
        entry = cached[console, language] = _CachedCharts(
            clock.monotonic(), charts(trend, language)
        )
    return entry.charts


def charts(trend: tuple[TrendDay, ...], language: Language) -> tuple[Chart, ...]:
    """Verdicts and findings by the day; none where there is nothing to show."""
    t = words_in(language)
    days = [f"{day.day.month}/{day.day.day}" for day in trend]
    verdicts = {
        verdict: (t(f"verdict.{verdict}"), [getattr(day, verdict) for day in trend])
        for verdict in VERDICTS
    }
    findings = {
        "opened": (t("overview.opened"), [day.findings_opened for day in trend]),
        "closed": (t("overview.closed"), [day.findings_closed for day in trend]),
    }
    drawn_charts = (
        stacked_bars(t("overview.chart.verdicts"), days, verdicts, height=_HEIGHT),
        stacked_bars(t("overview.chart.findings"), days, findings, height=_HEIGHT),
    )
    return drawn_charts if drawn_charts[0].rows else ()
