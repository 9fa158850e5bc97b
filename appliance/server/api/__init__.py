"""REST under `/api/v1`."""

from litestar.types import ControllerRouterHandler

from appliance.server.api.activity import ActivityLog, PermissionTable
from appliance.server.api.audit import AuditEvents
from appliance.server.api.consoles import EditableConsoles
from appliance.server.api.documentation import Documents, Overviews, Procedures
from appliance.server.api.environment import AccountsOfConsole, LabelsOfConsole, ResourcesInClouds
from appliance.server.api.findings import Findings
from appliance.server.api.keys import ApiKeys
from appliance.server.api.models import BenchmarkFiles, ConfiguredModels, Phases, Trainings
from appliance.server.api.openapi import ModelSchemas, openapi_config
from appliance.server.api.questions import Questions
from appliance.server.api.runs import AllEvents, Runs
from appliance.server.api.schedules import SchedulesInForce
from appliance.server.api.storage import Storage
from appliance.server.api.sweeps import Sweeps
from appliance.server.api.verifications import Verifications
from appliance.server.api.webhooks import Receivers

ROUTES: tuple[ControllerRouterHandler, ...] = (
    Verifications,
    Sweeps,
    Runs,
    Questions,
    AllEvents,
    Findings,
    Overviews,
    Documents,
    Procedures,
    SchedulesInForce,
    EditableConsoles,
    AccountsOfConsole,
    ResourcesInClouds,
    LabelsOfConsole,
    AuditEvents,
    ConfiguredModels,
    Trainings,
    Phases,
    BenchmarkFiles,
    ApiKeys,
    PermissionTable,
    ActivityLog,
    Receivers,
    Storage,
)
"""All controllers of the API; `app.py` puts them under `/api/v1`."""

PLUGINS = (ModelSchemas(),)
"""What makes the description of the API whole."""

__all__ = ["PLUGINS", "ROUTES", "openapi_config"]
