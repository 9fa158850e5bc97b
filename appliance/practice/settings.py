"""How the practice cloud is run."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.practice.accounts import DEVELOPMENT_PASSWORD, SESSION_S

if TYPE_CHECKING:  # it brings a client for HTTP along
    from appliance.practice.single_sign_on import OidcClient


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeSettings:
    """How to run it."""

    release: str = ""
    """Empty: the newest."""
    drift: Path | None = None
    host: str = "127.0.0.1"
    port: int = 0
    """0: a free one."""
    data_dir: Path | None = None
    """Where state and audit log are kept; None: in memory."""
    settle_s: float = 1.5
    """How long a state takes to settle."""
    password: str = DEVELOPMENT_PASSWORD
    """The password of every account."""
    second_factor: str = ""
    """The secret of every account's second factor, in base 32; empty: there is none."""
    single_sign_on: "OidcClient | None" = None
    """The console's own log-in is left to this provider; None: it has forms of its own."""
    accounts: int = 0
    """How many accounts there are beside the named ones: `user01`, `user02`, …"""
    session_s: float = SESSION_S
    """How long a console session or a token lasts."""
    audit_delay_s: float = 0.0
    """How much later an event can be read from the audit log."""
    frame_origin: str = ""
    """Where embedded frames of another origin come from; empty: the other loopback name."""
