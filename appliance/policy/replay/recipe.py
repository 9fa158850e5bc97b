"""What is kept of a verified attempt, so that it can be done again without a reader."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A verified attempt: belongs to a procedure's text in a console, in one language."""

    version: int
    """Of the compiler: another one's recipes are not used."""
    procedure_id: str
    text_hash: str
    locale: str
    tier: str
    """The policy whose attempt it was."""

    def to_json(self) -> str:
        """As text for the store."""
        raise NotImplementedError

    @classmethod
    def from_json(cls, text: str) -> "Recipe | None":
        """The way back; None where another compiler made it."""
        raise NotImplementedError
