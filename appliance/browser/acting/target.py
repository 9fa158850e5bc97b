"""The element to act on, and why an action could not be done."""

from dataclasses import dataclass, replace

from appliance.browser.observation.identity import Handle
from appliance.core.page import Element


class NotDoneError(Exception):
    """The action could not be carried out; the message is for the policy and the report."""


class VanishedError(NotDoneError):
    """The element went away before it could be acted on."""

    def __init__(self, target: "Target") -> None:
        super().__init__(f"{target} is no longer on the page")


@dataclass(frozen=True, slots=True)
class Target:
    """The element to act on: as last seen, and where it lives now."""

    element: Element
    handle: Handle
    part: str = ""
    """Of what belongs to it and is meant instead: an option, a day of its calendar."""

    def __str__(self) -> str:
        name = f" {self.element.name!r}" if self.element.name else ""
        element_text = f"element {self.element.id} ({self.element.role}{name})"
        return f"{self.part} of {element_text}" if self.part else element_text

    def within(self, local: int, part: str) -> "Target":
        """Something that belongs to it, by its number in the same document."""
        handle = Handle(self.handle.frame, self.handle.document, local)
        return replace(self, handle=handle, part=part)
