"""A page under an attempt (contract; to be filled in)."""

from appliance.core.page import Action, Box, Observation, Performed


class Page:
    """One page of one attempt, in a browser context of its own."""

    async def goto(self, url: str) -> None:
        """Open an address and wait until the page is quiet; `BrowserError` when it does not answer."""
        raise NotImplementedError

    async def observe(self) -> Observation:
        """The page as a reader sees it, once it is quiet (bounded)."""
        raise NotImplementedError

    async def perform(self, action: Action) -> Performed:
        """Do one thing; a failure is data, not an exception."""
        raise NotImplementedError

    async def screenshot(self, highlight: Box | None = None) -> bytes:
        """The viewport as JPEG, secrets masked, `highlight` framed in the picture (never in the page)."""
        raise NotImplementedError

    async def dom_excerpt(self, element: int | None = None) -> str:
        """HTML around an element, or of the innermost dialog or main content; capped, secrets masked."""
        raise NotImplementedError

    async def type_secret(self, selector: str, value: str) -> None:
        """Type a secret into the field that a CSS selector names, and mask it from now on."""
        raise NotImplementedError
