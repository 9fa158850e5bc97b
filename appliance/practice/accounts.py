"""Who may use the cloud, and the tokens of those who have signed in."""

import secrets
from dataclasses import dataclass
from enum import StrEnum

DEVELOPMENT_PASSWORD = "practice"  # noqa: S105 - documented: the cloud is a toy and listens on loopback
"""The password of every account when none is given."""


class Role(StrEnum):
    """What an account may do."""

    ADMIN = "admin"  # everything, and look after other accounts
    MEMBER = "member"  # everything of its own
    VIEWER = "viewer"  # look only


@dataclass(frozen=True, slots=True)
class Account:
    """One account, with a state of its own."""

    name: str
    role: Role


ACCOUNTS = (
    Account("alice", Role.MEMBER),
    Account("bob", Role.MEMBER),
    Account("carol", Role.MEMBER),
    Account("dave", Role.MEMBER),
    Account("admin", Role.ADMIN),
    Account("viewer", Role.VIEWER),
)
"""The accounts of every practice cloud."""


class Doorkeeper:
    """Checks passwords and tokens. Tokens live as long as the process."""

    def __init__(self, password: str) -> None:
        self._password = password.encode()
        self._accounts = {account.name: account for account in ACCOUNTS}
        self._tokens: dict[str, Account] = {}

    def names(self) -> tuple[str, ...]:
        """All accounts."""
        return tuple(self._accounts)

    def by_password(self, name: str, password: str) -> Account | None:
        """The account, when the password is right."""
        is_right = secrets.compare_digest(password.encode(), self._password)
        return self._accounts.get(name) if is_right else None

    def by_name(self, name: str) -> Account | None:
        """The account of that name."""
        return self._accounts.get(name)

    def by_token(self, token: str) -> Account | None:
        """The account that a token was given to."""
        return self._tokens.get(token)

    def new_token(self, account: Account) -> str:
        """A token for an account."""
        token = secrets.token_urlsafe(24)
        self._tokens[token] = account
        return token

    def forget(self, token: str) -> None:
        """Make a token worthless."""
        self._tokens.pop(token, None)
