"""Who may use the cloud, who asks, and the tokens of those who have signed in."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.core.clock import Clock, SystemClock
from appliance.practice.audit import new_request_id
from appliance.system.secret_references import SecretReference

if TYPE_CHECKING:
    from appliance.practice.second_factor import SecondFactor
    from appliance.practice.single_sign_on import SingleSignOn

DEVELOPMENT_PASSWORD = "practice-only"  # noqa: S105 - documented: the cloud is a toy and listens on loopback
"""The password of every account when none is given."""
SESSION_S = 12 * 3600.0
"""How long a session or token lasts when nothing else is said."""
FRAME_TOKEN_S = 300.0
"""How long the token of an embedded frame lasts."""
_REMEMBERED = 10_000
"""Ended tokens that are still known as such."""


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


def accounts_of(more: int = 0) -> tuple[Account, ...]:
    """The accounts of a cloud: the named ones, and as many more (`user01`, …)."""
    width = max(2, len(str(more)))
    users = (Account(f"user{n:0{width}}", Role.MEMBER) for n in range(1, more + 1))
    return (*ACCOUNTS, *users)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The account that a request is made by, and how it was identified."""

    account: Account
    source: str
    """`console` or `api`."""
    region: str = ""
    """Where; empty: in the first region; `*`: in all."""
    source_address: str = ""
    user_agent: str = ""
    request_id: str = field(default_factory=new_request_id)


@dataclass(frozen=True, slots=True)
class _Pass:
    """What a token gives access to, and until when."""

    account: Account
    until: datetime
    is_frame: bool


class Doorkeeper:
    """Checks passwords and tokens. Tokens live as long as the process, at most."""

    def __init__(
        self,
        password: str,
        accounts: Sequence[Account] = ACCOUNTS,
        *,
        session_s: float = SESSION_S,
        clock: Clock | None = None,
        second_factor: "SecondFactor | None" = None,
        single_sign_on: "SingleSignOn | None" = None,
    ) -> None:
        self.second_factor = second_factor
        self.single_sign_on = single_sign_on
        self._password = password.encode()
        self._accounts = {account.name: account for account in accounts}
        self._session_s = session_s
        self._clock = clock or SystemClock()
        self._passes: dict[str, _Pass] = {}
        self._ended: dict[str, None] = {}  # a set that remembers its order

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
        """The account that a token was given to, while it lasts."""
        granted = self._passes.get(token)
        if granted is not None and granted.until <= self._clock.now():
            self._end(token)
            return None
        return granted.account if granted else None

    def is_of_frame(self, token: str) -> bool:
        """Whether a token is that of an embedded frame, and so of the console."""
        granted = self._passes.get(token)
        return granted is not None and granted.is_frame

    def has_ended(self, token: str) -> bool:
        """Whether a token was valid once."""
        return token in self._ended

    def new_token(self, account: Account) -> str:
        """A token for an account."""
        return self._new(account, self._session_s, is_frame=False)

    def new_frame_token(self, account: Account) -> str:
        """A token for an embedded frame of the console; it does not last long."""
        return self._new(account, min(FRAME_TOKEN_S, self._session_s), is_frame=True)

    def forget(self, token: str) -> None:
        """Make a token worthless."""
        self._passes.pop(token, None)

    def end_sessions(self, account: Account) -> int:
        """End all sessions and tokens of an account; how many."""
        tokens = [token for token, granted in self._passes.items() if granted.account == account]
        for token in tokens:
            self._end(token)
        return len(tokens)

    def _new(self, account: Account, lasts_s: float, *, is_frame: bool) -> str:
        token = secrets.token_urlsafe(24)
        now = self._clock.now()
        for old in [old for old, granted in self._passes.items() if granted.until <= now]:
            self._end(old)
        until = now + timedelta(seconds=lasts_s)
        self._passes[token] = _Pass(account, until, is_frame)
        return token

    def _end(self, token: str) -> None:
        self._passes.pop(token, None)
        self._ended[token] = None
        while len(self._ended) > _REMEMBERED:
            del self._ended[next(iter(self._ended))]


def password_in(file: Path | None) -> str:
    """The password of all accounts; without a file, the one that everybody knows."""
    if file is None:
        return DEVELOPMENT_PASSWORD
    return SecretReference(file=file).require("the password")


def second_factor_in(file: Path | None) -> str:
    """The secret of the second factor; without a file, none."""
    return "" if file is None else SecretReference(file=file).require("the second factor").strip()
