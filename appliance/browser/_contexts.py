"""A browser's contexts: one for each attempt, some of them made ahead of need."""

import asyncio
import shutil
import tempfile
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from playwright.async_api import Browser as RawBrowser
from playwright.async_api import BrowserContext, Error
from playwright.async_api import HttpCredentials as PlaywrightCredentials

from appliance.browser._cdp import Connection
from appliance.browser._driver import close_bounded, first_line
from appliance.browser._egress import Egress
from appliance.browser._jobs import Jobs
from appliance.browser._scripts import hook_source
from appliance.browser._tabs import Tabs
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError
from appliance.system.network.network import DIRECT, Network

OPEN_TIMEOUT_S = 20.0  # a context on a machine that is busy
SPARE_LIFE_S = 300.0  # unused for longer: the run is over, or its consoles are others
ANSWER_TIMEOUT_S = 2.0
LOCALES = {"en": "en-US", "zh": "zh-CN"}

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class HttpCredentials:
    """What a context answers the challenge of one origin with, and of no other (RFC 7617)."""

    origin: str
    username: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ContextKind:
    """What a context is for: contexts of one kind are alike until somebody used them."""

    hosts: frozenset[str]
    locale: str
    network: Network = DIRECT
    credentials: HttpCredentials | None = None


class OpenContext:
    """A context with its first tab, for one attempt and never for another."""

    def __init__(self, raw: BrowserContext, tabs: Tabs, downloads: Path) -> None:
        self.tabs = tabs
        self._raw = raw
        self._downloads = downloads
        self._made = asyncio.get_running_loop().time()

    @property
    def is_stale(self) -> bool:
        """Whether it waited too long to be of use."""
        return asyncio.get_running_loop().time() - self._made > SPARE_LIFE_S

    async def answers(self) -> bool:
        """Whether its page still responds."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                await self.tabs.active.raw.evaluate("0")
        except (BrowserError, Error, TimeoutError):
            return False
        return True

    async def close(self) -> bool:
        """Throw it away with all it holds; whether the browser could."""
        try:
            await self.tabs.close()
        finally:
            is_closed = await close_bounded(self._raw.close())
            await asyncio.to_thread(shutil.rmtree, self._downloads, ignore_errors=True)
        return is_closed


class Contexts:
    """Makes contexts in one browser, and keeps spare ones of the kinds asked for last."""

    def __init__(
        self,
        raw: RawBrowser,
        connection: Connection,
        folder: Path,
        egress: Egress,
        settings: BrowserSettings,
    ) -> None:
        self._raw = raw
        self._connection = connection
        self._folder = folder
        self._settings = settings
        self._egress = egress
        self._recent_kinds: deque[ContextKind] = deque(maxlen=settings.spare_pages)
        self._spares: dict[ContextKind, list[OpenContext]] = {}
        self._opening = Jobs()  # for attempts: never ended before the browser is
        self._jobs = Jobs()
        self._filling = asyncio.Lock()  # spares are made one by one: attempts go first

    async def take(self, kind: ContextKind) -> OpenContext:
        """A context that nobody has used, a spare one where there is one."""
        opened = await self._spare(kind) or await self._fresh(kind)
        self._recent_kinds.append(kind)
        self._jobs.start(self._fill())
        return opened

    async def _fresh(self, kind: ContextKind) -> OpenContext:
        opening = self._opening.start(self._open(kind))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:  # the browser cannot be told to stop: it is closed later
            self._opening.start(_close_later(opening))
            raise

    async def _spare(self, kind: ContextKind) -> OpenContext | None:
        while spares := self._spares.get(kind):
            spare = spares.pop(0)
            is_good = False
            try:
                is_good = not spare.is_stale and await spare.answers()
            finally:  # also when the attempt is given up while it is asked
                if not is_good:
                    self._jobs.start(spare.close())
            if is_good:
                return spare
        return None

    @property
    def spare_count(self) -> int:
        """Spare ones that are ready."""
        return sum(map(len, self._spares.values()))

    async def tend(self) -> None:
        """Throw away what got stale; no new ones are opened until somebody asks."""
        if any(spare.is_stale for spares in self._spares.values() for spare in spares):
            self._recent_kinds.clear()
            await self._fill()

    async def ready(self) -> None:
        """Wait until the spares are there, and what nobody wants any more is gone."""
        await self._opening.finish()
        await self._jobs.finish()

    async def discard(self) -> None:
        """Keep no spares from now on; attempts close their own contexts."""
        self._recent_kinds = deque(maxlen=0)
        await self._jobs.close()
        await self._fill()

    async def close(self) -> None:
        """The browser has ended: so has what was being opened in it."""
        await self._opening.close()

    async def _fill(self) -> None:
        """Make the spares one of each of the last requests, no more."""
        async with self._filling:
            for kind, spares in self._spares.items():
                while len(spares) > self._recent_kinds.count(kind):
                    await spares.pop().close()
            self._spares = {kind: spares for kind, spares in self._spares.items() if spares}
            for kind, wanted in Counter(self._recent_kinds).items():
                while len(self._spares.get(kind, ())) < wanted:
                    try:
                        spare = await self._open(kind)
                    except BrowserError as exc:  # the next attempt will find out, and says so
                        _log.debug("no_spare_page", reason=str(exc))
                        return
                    self._spares.setdefault(kind, []).append(spare)

    async def _open(self, kind: ContextKind) -> OpenContext:
        downloads = Path(tempfile.mkdtemp(prefix="downloads-", dir=self._folder))
        context: BrowserContext | None = None
        try:
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                context = await self._context(kind)
                tabs = Tabs(context, self._connection, kind.hosts, self._settings, downloads)
                await tabs.open_first()
        except BaseException as exc:
            if context is not None:
                await close_bounded(context.close())
            shutil.rmtree(downloads, ignore_errors=True)
            if isinstance(exc, Error):
                raise BrowserError(f"the browser gave no page: {first_line(exc)}") from exc
            if isinstance(exc, TimeoutError):
                raise BrowserError(
                    f"the browser gave no page within {OPEN_TIMEOUT_S:.0f} s"
                ) from exc
            raise
        return OpenContext(context, tabs, downloads)

    async def _context(self, kind: ContextKind) -> BrowserContext:
        context = await self._raw.new_context(
            locale=LOCALES.get(kind.locale, kind.locale),
            timezone_id=self._settings.time_zone,
            viewport={
                "width": self._settings.viewport_width_px,
                "height": self._settings.viewport_height_px,
            },
            proxy=await self._egress.proxy(kind.hosts, kind.network),
            service_workers="block",
            reduced_motion="reduce",
            accept_downloads=True,
            http_credentials=_as_playwright_has_it(kind.credentials),
        )
        await context.add_init_script(hook_source())
        return context


def _as_playwright_has_it(credentials: HttpCredentials | None) -> PlaywrightCredentials | None:
    if credentials is None:
        return None
    return {
        "origin": credentials.origin,
        "username": credentials.username,
        "password": credentials.password,
    }


async def _close_later(opening: asyncio.Task[OpenContext]) -> None:
    with suppress(BrowserError):
        await (await opening).close()
