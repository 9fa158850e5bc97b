"""One typed settings tree, its sources and its example file."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.config._schema import KEY_VARIABLE, SERVER_VARIABLE
    from appliance.config._words import did_you_mean
    from appliance.config.access_settings import OidcSettings, TlsSettings
    from appliance.config.console_editing import EditedConsoles
    from appliance.config.example import example_config
    from appliance.config.execution_settings import ExecutionSettings
    from appliance.config.loading import DEFAULT_FILES, Loaded, checked, load, load_settings
    from appliance.config.model_settings import (
        AgentSettings,
        JudgeSettings,
        ModelSettings,
        PolicyServerSettings,
        SensitiveRule,
        SensitiveSettings,
    )
    from appliance.config.network_settings import (
        ClientCertificateSettings,
        ConsoleNetworkSettings,
        NetworkSettings,
    )
    from appliance.config.phase_settings import PhaseSettings
    from appliance.config.service_rules import DIGEST, schedule_problems
    from appliance.config.service_settings import (
        DocumentationSettings,
        LockoutSettings,
        NotificationSettings,
        RepositorySettings,
        RetentionSettings,
        ScheduleJob,
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
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "DEFAULT_FILES",
    "DIGEST",
    "KEY_VARIABLE",
    "SERVER_VARIABLE",
    "AccountSettings",
    "AgentSettings",
    "AuditSettings",
    "BrowserSettings",
    "ClientCertificateSettings",
    "CoderSettings",
    "ConsoleNetworkSettings",
    "ConsoleSettings",
    "DocumentationSettings",
    "EditedConsoles",
    "EnvironmentSettings",
    "ExecutionSettings",
    "JudgeSettings",
    "LeaseSettings",
    "Loaded",
    "LockoutSettings",
    "ModelSettings",
    "NetworkSettings",
    "NotificationSettings",
    "OidcSettings",
    "PhaseSettings",
    "PolicyServerSettings",
    "RepositorySettings",
    "RetentionSettings",
    "SandboxSettings",
    "ScheduleJob",
    "ScheduleSettings",
    "SensitiveRule",
    "SensitiveSettings",
    "ServerSettings",
    "Settings",
    "StorageSettings",
    "SweepSettings",
    "TelemetrySettings",
    "TerraformSettings",
    "TlsSettings",
    "TrainingSettings",
    "VerificationSettings",
    "WebhookSettings",
    "checked",
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
