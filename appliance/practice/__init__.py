"""The practice cloud: a small console with a REST API, an audit log, releases and drift.

Products, releases and drift are data; console, API and audit log derive from them.
"""

from appliance.practice.accounts import ACCOUNTS, DEVELOPMENT_PASSWORD, Account, Role
from appliance.practice.releases import DOCUMENTATION, RELEASES, catalogue, releases
from appliance.practice.serving import (
    PracticeSettings,
    Running,
    new_password,
    serve,
    serving,
)

__all__ = [
    "ACCOUNTS",
    "DEVELOPMENT_PASSWORD",
    "DOCUMENTATION",
    "RELEASES",
    "Account",
    "PracticeSettings",
    "Role",
    "Running",
    "catalogue",
    "new_password",
    "releases",
    "serve",
    "serving",
]
