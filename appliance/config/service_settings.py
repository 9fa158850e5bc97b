"""Settings of `appliance serve`: the server, its schedules, whom it tells and what it keeps."""

from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field

from appliance.config.access_settings import ConsoleEditingSettings, OidcSettings, TlsSettings
from appliance.config.section import Section


class DocumentationSettings(Section):
    """The documentation that sweeps of the server verify."""

    paths: tuple[Path, ...] = ()
    """Files and folders; empty: for the practice cloud, the one that comes with it."""
    checks: tuple[Path, ...] = ()
    """Folders with NAME.checks.yaml files, where they do not stand beside the documents."""
    url_hosts: tuple[str, ...] = ()
    """Hosts from which a document may be asked for by its address; empty: none."""
    read_timeout_s: float = Field(30.0, gt=0)
    """Longest processor time for reading one document that was handed to the server."""


class LockoutSettings(Section):
    """How long an address may send no key after it has sent too many wrong ones."""

    failures: int = Field(10, ge=1)
    """Wrong keys from one address (of IPv6, from one network of 64 bits) within these minutes."""
    minutes: float = Field(15.0, gt=0)
    """How long it is locked out then. Who is logged in already goes on."""


class ServerSettings(Section):
    """REST and dashboard."""

    host: str = "127.0.0.1"
    """Address to listen on. Others than loopback need a key with every request."""
    port: int = Field(8080, ge=0, le=65535)
    """Port to listen on; 0: any free one."""
    public_url: str = ""
    """Address under which people reach it, for links in messages; empty: host and port."""
    hosts: tuple[str, ...] = ()
    """Further names in requests (`Host`) that it answers to, besides its own address."""
    proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies before it: their `X-Forwarded-For` says who asks."""
    keys: Literal["auto", "required"] = "auto"
    """Whether requests need a key; `auto`: not from this machine to a loopback address, unless
    `proxies`, `hosts`, `public_url` or `oidc` say that others come there too."""
    key_days: float | None = Field(None, gt=0, le=3650)
    """How long a new key is good where nothing else is said; none: until it is revoked."""
    tls: TlsSettings = TlsSettings()
    """The server's own certificate. Files that change are taken without a restart."""
    oidc: OidcSettings = OidcSettings()
    """An identity provider (OpenID Connect), where people log in to the dashboard, beside keys."""
    consoles: ConsoleEditingSettings = ConsoleEditingSettings()
    """What consoles that are made in the dashboard may name; by default none can be made there."""
    lockout: LockoutSettings = LockoutSettings()
    """Against guessing keys."""
    parallel_verifications: int = Field(2, ge=1, le=32)
    """Verifications asked for one by one that are under way at a time, beside a sweep."""
    requests_per_minute: int = Field(600, ge=1)
    """Requests from one key, or from one address without a key."""
    max_request_mib: float = Field(10.0, gt=0)
    """Largest request, such as an uploaded document."""
    session_hours: float = Field(12.0, gt=0)
    """How long a log-in to the dashboard lasts."""
    stop_timeout_s: float = Field(15.0, gt=0)
    """Longest time for what is under way when the server stops; it goes on at the next start."""


ScheduleJob = Literal[
    "sweep",
    "prepare",
    "account_health",
    "janitor",
    "retention",
    "checkpoint",
    "backup",
    "settle",
    "training",
    "digest",
]
"""What can be done by the clock."""


class ScheduleSettings(Section):
    """Something that is done by the clock."""

    job: ScheduleJob
    """What is done."""
    cron: str = ""
    """When, as five fields: minute, hour, day, month, day of the week (`30 2 * * mon-fri`)."""
    every_minutes: float | None = Field(None, gt=0)
    """Or how often."""
    time_zone: str = ""
    """Time zone of `cron`; empty: that of `sweep`."""
    console: str = ""
    """For which console; empty: the default one."""
    notification: str = ""
    """Whom a `digest` is for: a name under `notifications`."""
    for_minutes: float = Field(240, gt=0, le=350)
    """How long a `training` may take at a time; it goes on the next time."""
    is_enabled: bool = True
    """Whether it is done."""
    catches_up: bool = True
    """Whether it is done once at the start where its time passed while the machine was off."""


def default_schedules() -> dict[str, ScheduleSettings]:
    """What a server does by the clock where the settings say nothing else."""
    return {
        "nightly": ScheduleSettings(job="sweep", cron="0 22 * * *"),
        "prepare": ScheduleSettings(job="prepare", cron="30 21 * * *", catches_up=False),
        "account-health": ScheduleSettings(job="account_health", cron="0 21 * * *"),
        "janitor": ScheduleSettings(job="janitor", every_minutes=30),
        "retention": ScheduleSettings(job="retention", cron="0 7 * * *"),
        "checkpoint": ScheduleSettings(job="checkpoint", every_minutes=60),
        "backup": ScheduleSettings(job="backup", cron="30 7 * * *"),
        "settle": ScheduleSettings(job="settle", every_minutes=5),
    }


WebhookEvent = Literal[
    "sweep.finished",
    "sweep.paused",
    "finding.opened",
    "finding.closed",
    "account.quarantined",
    "person.asked",
]


class WebhookSettings(Section):
    """Where somebody is told what happened. Messages are signed (standardwebhooks.com)."""

    url: str
    """Address that is posted to."""
    secret_env: str | None = None
    """Environment variable that holds the secret of the signature (`whsec_…`)."""
    secret_file: Path | None = None
    """File that holds it."""
    events: tuple[WebhookEvent, ...] = get_args(WebhookEvent)
    """What it is told of."""


class RetentionSettings(Section):
    """What is kept, and for how long. Findings and verdicts outlive their pictures."""

    runs_days: float = Field(365.0, gt=0)
    """Runs older than this are removed; the last verdict on a procedure never is."""
    artifacts_days: float = Field(90.0, gt=0)
    """Pictures, pages and trajectories of runs older than this."""
    artifacts_gib: float = Field(20.0, gt=0)
    """The same by size: the oldest go first."""
    backups: int = Field(7, ge=1)
    """Backups of the store."""


class TelemetrySettings(Section):
    """What the program tells about itself."""

    log_format: Literal["auto", "text", "json"] = "auto"
    """Of the log of `serve`; `auto`: text on a terminal, else JSON lines."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Least of what is logged."""
    otlp_endpoint: str = ""
    """Address of an OpenTelemetry collector (`http://collector.example:4318`); empty: no traces."""


class StorageSettings(Section):
    """What is kept: how it is protected, and the room it needs.

    Keys are named, never written here.
    """

    min_free_mib: int = Field(1000, ge=0)
    """Room for results that is kept free where the data folder is; below it nothing is begun, and
    what is under way comes to its end. Pictures take no more than half of it, so that verdicts and
    clean-ups can be written down when it is short."""
    min_free_temp_mib: int = Field(100, ge=0)
    """The same where temporary files are (`TMPDIR`), such as the browsers' profiles."""
    key_env: str | None = None
    """Environment variable that holds the secret which kept log-ins are encrypted with: at least 32
    characters, as `openssl rand -base64 32` prints them."""
    key_file: Path | None = None
    """File that holds it, alone on its first line, and not in the data folder. Without either,
    log-ins are kept in memory only, and each process logs in anew."""
    backup_recipients: tuple[Annotated[str, Field(pattern=r"^(age1|ssh-)")], ...] = ()
    """Public keys (`age1…` of age-keygen, `ssh-ed25519 …`) that backups are encrypted to; any one
    of their private keys opens them, and none has to be on this machine. Empty: not encrypted."""


class NotificationSettings(Section):
    """One mailbox or chat. Its address holds secrets, and so is named."""

    url_env: str | None = None
    """Environment variable that holds the address, as apprise writes it: `mailto://…`, `slack://…`,
    `workflows://…` (Teams); all are listed at https://appriseit.com/services/."""
    url_file: Path | None = None
    """File that holds it, alone on its first line."""
    events: tuple[WebhookEvent, ...] = (
        "finding.opened",
        "sweep.paused",
        "account.quarantined",
        "person.asked",
    )
    """What it is told of at once; an empty list: of nothing but the digest."""
    language: Literal["en", "zh"] = "en"
    """Of the messages."""
    quiet: str = ""
    """Time of day (`22:00-07:00`) in which nothing is sent; what happens then is one message at its
    end. The zone is that of `sweep.time_zone`."""
    digest: str = ""
    """Time of day (`07:30`) at which it is told every day what broke and what was mended; empty:
    never. It is a schedule, `digest-NAME`, and sent at its hour also where that is a quiet one."""
    digest_if_nothing: bool = True
    """Whether a digest with nothing new in it is sent: a line which says so."""
    picture: bool = True
    """Whether the screenshot of the worst finding is sent along, where it can be."""


class RepositorySettings(Section):
    """The repository of the documentation, for pull and merge requests with suggested texts."""

    kind: Literal["", "github", "gitlab", "gitea"] = ""
    """Which API it speaks (Forgejo: `gitea`); empty: nothing is ever sent there."""
    url: str = ""
    """Address of the host; empty: the public one of `github` and `gitlab`."""
    project: str = ""
    """`OWNER/NAME`; gitlab: with all groups before it."""
    token_env: str | None = None
    """Environment variable that holds a token that may write branches and open requests."""
    token_file: Path | None = None
    """File that holds it."""
    base: str = ""
    """Branch that requests are for; empty: the repository's default one. It is never written to."""
    branch_prefix: str = Field("console-docs/", pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]*$")
    """What the names of our branches begin with; the run's id follows."""
    root: Path | None = None
    """Folder here that is the top of the repository; empty: the one with `.git` in it."""
