"""Settings."""

from appliance.config.settings import (
    AccountSettings,
    BrowserSettings,
    ConsoleSettings,
    Settings,
    VerificationSettings,
)

__all__ = [
    "AccountSettings",
    "BrowserSettings",
    "ConsoleSettings",
    "Settings",
    "VerificationSettings",
]
