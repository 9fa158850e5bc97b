"""A page under an attempt."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace

from playwright.async_api import Error
from playwright.async_api import Page as RawPage
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from appliance.browser import _camera as camera
from appliance.browser._hosts import is_allowed
from appliance.browser._secret_watch import SecretWatch
from appliance.browser._tab import Tab
from appliance.browser._tab_observer import TabObserver
from appliance.browser._tabs import Tabs
from appliance.browser._world import GoneError
from appliance.browser.acting.actions import on_element, without_element
from appliance.browser.acting.changes import Watch
from appliance.browser.acting.pointer import Check
from appliance.browser.acting.rolling import bring_rows
from appliance.browser.acting.target import NotDoneError, Target
from appliance.browser.observation.finding import NotFoundAgain, find_again, recall
from appliance.browser.observation.picture import PictureEdits, PictureFormat
from appliance.browser.observation.unfolding import parse_unfold
from appliance.config import BrowserSettings
from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.errors import BrowserError
from appliance.core.page import Box, FoldKind, Observation, Performed
from appliance.core.secrets import html_without_secrets, learn, learn_typed

GOTO_TIMEOUT_S = 45.0  # a console's first page, cold
LENGTHY = (actions.Wait, actions.Unfold)  # a list of 10,000 rows is scrolled
TYPED_S = 300.0  # at least; whoever reads a secret for longer use has learnt it for longer
_STATUS = "performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0"
AFTER_ACTION_S = 0.03  # for the events of an action to arrive

_ADVICE = {
    "ERR_CERT_AUTHORITY_INVALID": "; if it is your company's own certificate, name its issuer's"
    " file as network.ca",
    "ERR_CERT_": "; `appliance doctor` says what is wrong with its certificate",
    "ERR_BAD_SSL_CLIENT_AUTH_CERT": "; it wants to know who we are: see the console's"
    " client_certificate",
    "ERR_TUNNEL_CONNECTION_FAILED": "; `appliance doctor` says why",
}
"""What to do about errors of the way to a server, by the beginning of Chromium's names."""


class Page:
    """One page of one attempt, in a browser context of its own."""

    def __init__(self, tabs: Tabs, hosts: frozenset[str], settings: BrowserSettings) -> None:
        self._tabs = tabs
        self._hosts = hosts
        self._settings = settings
        self._observer = TabObserver(tabs)
        self._secret_watches: dict[Tab, SecretWatch] = {}

    @property
    def raw(self) -> RawPage:
        """The Playwright page of the active tab, for console adapters."""
        return self._tabs.active.raw

    @property
    def url(self) -> str:
        """Address of the active tab."""
        return self.raw.url

    async def goto(self, url: str) -> None:
        """Open an address and wait until it is quiet; `BrowserError` when it does not answer.

        A page already open is loaded again even if only its fragment differs: a page that
        shows its forms by fragments would keep what was typed into them.
        """
        if not self.may_open(url):
            raise BrowserError(f"{url} is not on one of the console's hosts")
        tab = self._tabs.active
        tab.traffic.note_action()
        try:
            timeout = GOTO_TIMEOUT_S * 1000
            response = await tab.raw.goto(url, wait_until="domcontentloaded", timeout=timeout)
            if response is None and "#" in url:
                await tab.raw.reload(wait_until="domcontentloaded", timeout=timeout)
        except PlaywrightTimeoutError:
            raise BrowserError(f"{url} did not answer within {GOTO_TIMEOUT_S:.0f} s") from None
        except Error as exc:
            reason = exc.message.splitlines()[0]
            raise BrowserError(f"cannot open {url}: {reason}{_advice(reason)}") from exc
        await tab.settle()

    def may_open(self, url: str) -> bool:
        """Whether the address is on one of the page's hosts."""
        return is_allowed(url, self._hosts)

    async def status(self) -> int:
        """The HTTP status of the open page; 0 if unknown."""
        try:
            return int(await self.raw.evaluate(_STATUS))
        except Error:
            return 0

    def heed(self, objects: Callable[[str], str]) -> None:
        """Ask before a question of the browser's own (`confirm`, `prompt`) is said yes to.

        Args:
            objects: Is told the question; says what is against it, or nothing.
        """
        self._tabs.objects = objects

    async def observe(self) -> Observation:
        """The page as a reader sees it, once it is quiet (with a limit)."""
        return await self._observer.observe()

    async def look(self) -> Observation:
        """The page at this moment, quiet or not."""
        return await self._observer.look()

    async def backend_node(self, number: int) -> tuple[str, int]:
        """The protocol's frame and node of an element, for tools that compare observers."""
        handle = self._tabs.active_identity.handle(number)
        if handle is None:
            raise BrowserError(f"there is no element {number}")
        return handle.frame, await self._tabs.active.backend_node(handle)

    async def perform(
        self, action: Action, *, still: Callable[[Observation], Awaitable[str]] | None = None
    ) -> Performed:
        """Do one thing; a failure is data, not an exception.

        Args:
            action: The thing.
            still: For what must not be done on another page than the one that was seen: asked with
                the page as it is just before; it says why it is not done, or nothing. A click is
                taken back, too, if the control or its dialog changes while the button goes down.
        """
        started_at = asyncio.get_running_loop().time()
        event_count = self._tabs.event_count
        error = ""
        watch = Watch(self._tabs)
        extra_s = 30.0 if isinstance(action, LENGTHY) else 0.0
        try:
            async with asyncio.timeout(self._settings.action_timeout_s + extra_s):
                await self._do(action, watch, self._check(still) if still else None)
                await asyncio.sleep(AFTER_ACTION_S)
        except NotDoneError as exc:
            error = str(exc)
        except TimeoutError:
            error = f"{action.kind} took longer than {self._settings.action_timeout_s:.0f} s"
        except GoneError:
            error = "the page went to another address in the middle of the action"
        except Error as exc:
            error = f"{action.kind} failed: {exc.message.splitlines()[0]}"
        changes = await watch.end()
        self._tabs.active.traffic.note_action()
        return Performed(
            ok=not error,
            error=error,
            events=tuple(self._tabs.events_since(event_count)),
            changes=changes,
            took_s=asyncio.get_running_loop().time() - started_at,
        )

    def _check(self, still: Callable[[Observation], Awaitable[str]]) -> Check:
        async def check() -> None:
            if why := await still(await self.look()):
                raise NotDoneError(why)

        return check

    async def _do(self, action: Action, watch: Watch, check: Check | None) -> None:
        await self._tabs.ready()
        tab = self._tabs.active
        tab.traffic.note_action()
        if isinstance(action, actions.Unfold):
            await self._unfold(action)
            return
        target = None if action.element is None else await self._resolve(action.element)
        drop_target = await self._resolve(action.to) if isinstance(action, actions.Drag) else None
        await watch.begin(tab, target)
        if check is not None and not isinstance(action, actions.Click):
            await check()
        perform = None if target is None else on_element(action, tab, target, drop_target, check)
        perform = perform or without_element(action, tab, target) or self._with_tabs(action)
        if perform is None:
            raise NotDoneError(f"{action.kind} needs an element")
        if isinstance(action, actions.Type) and target and target.element.type == "password":
            learn_typed(action.text)  # a page may show it again
        await perform()

    def _with_tabs(self, action: Action) -> Callable[[], Awaitable[None]] | None:
        match action:
            case actions.OpenUrl():
                return lambda: self._open_url(action.url)
            case actions.SwitchTab():
                return lambda: self._tabs.switch(action.tab)
            case _:
                return None

    async def _unfold(self, action: actions.Unfold) -> None:
        """Include rows of a folded table or list in the observations to come."""
        identity = self._tabs.active_identity
        fold, handle = identity.fold(action.fold), identity.handle(action.fold)
        if fold is None or handle is None:
            raise NotDoneError(f"there is no long table or list {action.fold}")
        requested_rows = parse_unfold(action.rows)
        if isinstance(requested_rows, str):
            raise NotDoneError(requested_rows)
        if fold.kind is FoldKind.VIRTUAL:
            await bring_rows(self._tabs.active, handle, fold, requested_rows)
            return
        self._observer.unfolded.ask(fold.id, requested_rows)

    async def _open_url(self, url: str) -> None:
        if not self.may_open(url):
            raise NotDoneError(f"{url} is not on one of the console's hosts")
        await self.raw.goto(url, wait_until="commit")

    async def _resolve(self, number: int) -> Target:
        """The element of that number, found again if its node was replaced or changed its text."""
        tab, identity = self._tabs.active, self._tabs.active_identity
        element, handle = identity.element(number), identity.handle(number)
        if element is None or handle is None:
            raise NotDoneError(f"there is no element {number}")
        node_state: dict[str, bool] = {"gone": True}
        with contextlib.suppress(GoneError):
            node_state = await tab.call(handle, "same", element.role, element.name, element.row)
        if node_state.get("same"):
            return Target(element, handle)
        remembered = recall(identity, number)
        if remembered is None:
            raise NotDoneError(f"{Target(element, handle)} was seen too long ago")
        listed, pages = await self._observer.glimpse()
        match = find_again(remembered, listed, pages, is_attached=not node_state.get("gone"))
        if isinstance(match, NotFoundAgain):
            raise NotDoneError(f"{Target(element, handle)} {match.why}")
        return Target(element, match[0])

    async def screenshot(
        self,
        highlight: Box | None = None,
        *,
        marks: Observation | None = None,
        crop: Box | int | None = None,
        picture_format: PictureFormat | None = None,
    ) -> bytes:
        """The viewport, secrets masked; all that is drawn is drawn in the picture, not the page.

        Args:
            highlight: A box to frame.
            marks: An observation whose elements get a box and their number.
            crop: The part to cut out, or the number of an element; a margin stays around it, and
                what is out of view gives the whole viewport.
            picture_format: Instead of the setting's.
        """
        try:
            edits = replace(
                self._default_edits(picture_format),
                highlight=highlight,
                marks=marks.elements if marks else (),
                crop=await self._box_of(crop) if isinstance(crop, int) else crop,
            )
            return await camera.shoot(self._secret_watch(), edits)
        except GoneError as exc:
            raise BrowserError(f"no screenshot of {self.url}: {exc}") from exc

    def _secret_watch(self) -> SecretWatch:
        """A watch for secrets in the active tab."""
        tab = self._tabs.active
        return self._secret_watches.setdefault(tab, SecretWatch(tab))

    def _default_edits(self, picture_format: PictureFormat | None) -> PictureEdits:
        settings = self._settings
        return PictureEdits(
            format=picture_format or settings.picture_format, quality=settings.picture_quality
        )

    async def _box_of(self, number: int) -> Box | None:
        """Where an element is now; `None` if it is gone."""
        handle = self._tabs.active_identity.handle(number)
        if handle is None:
            return None
        tab = self._tabs.active
        try:
            box = await tab.call(handle, "boxOf")
            x, y = await tab.offset(handle.frame)
        except GoneError:
            return None
        return Box(box[0] + x, box[1] + y, box[2], box[3]) if box else None

    async def dom_excerpt(self, element: int | None = None) -> str:
        """HTML around an element, or of the dialog or main content; capped, secrets masked."""
        tab = self._tabs.active
        handle = self._tabs.active_identity.handle(element) if element is not None else None
        try:
            excerpt = tab.call(handle, "excerpt") if handle else tab.call_main("excerpt", None)
            return html_without_secrets(str(await excerpt))
        except GoneError as exc:
            raise BrowserError(f"no DOM excerpt of {self.url}: {exc}") from exc

    async def type_secret(self, selector: str, value: str) -> None:
        """Type a secret into the field that a CSS selector names, and mask it from now on."""
        tab = self._tabs.active
        timeout_ms = self._settings.action_timeout_s * 1000
        try:
            learn(value, for_s=TYPED_S)
            await tab.raw.locator(selector).first.fill(value, timeout=timeout_ms)
            await tab.call_main("markSecret", selector)
        except (Error, GoneError):  # whose message may hold the value
            raise BrowserError(f"cannot type into {selector!r} on {self.url}") from None


def _advice(reason: str) -> str:
    return next((text for name, text in _ADVICE.items() if name in reason), "")
