"""What the cloud says when it does not do something."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from appliance.practice.catalogue import Catalogue, Text


class Code(StrEnum):
    """The error codes of the API and the audit log."""

    VALIDATION = "ValidationFailed"
    NAME_TAKEN = "NameAlreadyTaken"
    NOT_FOUND = "ResourceNotFound"
    DEPENDENCY = "DependencyViolation"
    STATE = "IncorrectState"
    ACCESS_DENIED = "AccessDenied"
    QUOTA = "QuotaExceeded"
    PROTECTED = "DeletionProtected"
    UNAUTHENTICATED = "Unauthenticated"
    SECOND_FACTOR = "SecondFactorRefused"
    SESSION_EXPIRED = "SessionExpired"
    UNKNOWN_OPERATION = "UnknownOperation"


STATUS = {
    Code.VALIDATION: 400,
    Code.NAME_TAKEN: 409,
    Code.NOT_FOUND: 404,
    Code.DEPENDENCY: 409,
    Code.STATE: 409,
    Code.ACCESS_DENIED: 403,
    Code.QUOTA: 403,
    Code.PROTECTED: 409,
    Code.UNAUTHENTICATED: 401,
    Code.SECOND_FACTOR: 401,
    Code.SESSION_EXPIRED: 401,
    Code.UNKNOWN_OPERATION: 404,
}
"""HTTP status of each code."""


@dataclass(frozen=True, slots=True)
class MessageRef:
    """A text of the shell with its values, to be put into a language at the edge."""

    key: str
    values: Mapping[str, Text | str] = field(default_factory=dict)

    def text(self, catalogue: Catalogue, language: str) -> str:
        """The sentence in a language."""
        values = {
            name: value.in_language(language) if isinstance(value, Text) else value
            for name, value in self.values.items()
        }
        return catalogue.text(self.key).in_language(language, **values)


class RequestRefused(Exception):
    """The cloud does not do it; recorded in the audit log and told to the caller."""

    def __init__(
        self, code: Code, message: MessageRef, fields: Mapping[str, MessageRef | Text] | None = None
    ) -> None:
        super().__init__(code.value)
        self.code, self.message, self.fields = code, message, fields or {}

    def detail(self, catalogue: Catalogue, language: str) -> str:
        """What is wrong, as a sentence."""
        if not self.fields:
            return self.message.text(catalogue, language)
        details = " ".join(self.field_errors(catalogue, language).values())
        return self.message.text(catalogue, language).replace("{detail}", details)

    def field_errors(self, catalogue: Catalogue, language: str) -> dict[str, str]:
        """What is wrong with each field."""
        return {
            name: message.text(catalogue, language)
            if isinstance(message, MessageRef)
            else message.in_language(language)
            for name, message in self.fields.items()
        }
