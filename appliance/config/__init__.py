"""One typed settings tree, its sources and its example file."""

from appliance.config._schema import KEY_VARIABLE
from appliance.config._words import did_you_mean
from appliance.config.example import example_config
from appliance.config.loading import DEFAULT_FILES, Loaded, load, load_settings
from appliance.config.model_settings import (
    AgentSettings,
    JudgeSettings,
    ModelSettings,
    PolicyServerSettings,
    SensitiveRule,
    SensitiveSettings,
)
from appliance.config.notification_settings import NotificationSettings
from appliance.config.service_rules import DIGEST, schedule_problems
from appliance.config.service_settings import (
    DocumentationSettings,
    LockoutSettings,
    RetentionSettings,
    ScheduleSettings,
    ServerSettings,
    StorageSettings,
    TelemetrySettings,
    WebhookSettings,
)
from appliance.config.settings import (
    AccountSettings,
    AuditSettings,
    BrowserSettings,
    CoderSettings,
    ConsoleSettings,
    EnvironmentSettings,
    LeaseSettings,
    SandboxSettings,
    Settings,
    SweepSettings,
    TerraformSettings,
    VerificationSettings,
)
from appliance.config.show import masked, shown
from appliance.config.starting import short_example, starting_config
from appliance.config.training_settings import TrainingSettings

__all__ = [
    "DEFAULT_FILES",
    "DIGEST",
    "KEY_VARIABLE",
    "AccountSettings",
    "AgentSettings",
    "AuditSettings",
    "BrowserSettings",
    "CoderSettings",
    "ConsoleSettings",
    "DocumentationSettings",
    "EnvironmentSettings",
    "JudgeSettings",
    "LeaseSettings",
    "Loaded",
    "LockoutSettings",
    "ModelSettings",
    "NotificationSettings",
    "PolicyServerSettings",
    "RetentionSettings",
    "SandboxSettings",
    "ScheduleSettings",
    "SensitiveRule",
    "SensitiveSettings",
    "ServerSettings",
    "Settings",
    "StorageSettings",
    "SweepSettings",
    "TelemetrySettings",
    "TerraformSettings",
    "TrainingSettings",
    "VerificationSettings",
    "WebhookSettings",
    "did_you_mean",
    "example_config",
    "load",
    "load_settings",
    "masked",
    "schedule_problems",
    "short_example",
    "shown",
    "starting_config",
]
