"""The provider: where the cloud is, and who asks."""

import os
from pathlib import Path

from tf.iface import DataSource, Provider, Resource
from tf.schema import Attribute, Schema
from tf.types import Number, String
from tf.utils import Diagnostics

from practice_provider.client import Client, Refused, basic
from practice_provider.lookup import PracticeItem
from practice_provider.resource import resource_class
from practice_provider.spec import kinds
from practice_provider.values import Values, is_known

FULL_NAME = "practice.appliance.local/appliance/practice"
_TIMES_S = {"settle_timeout_s": 300.0, "dependency_timeout_s": 30.0}
"""How long to wait, when the provider block does not say."""
_VARIABLES = {
    "endpoint": "PRACTICE_ENDPOINT",
    "token": "PRACTICE_TOKEN",
    "user": "PRACTICE_USER",
    "password_file": "PRACTICE_PASSWORD_FILE",
    "region": "PRACTICE_REGION",
}
"""Where settings come from that the provider block leaves out."""


class PracticeProvider(Provider):
    """Resources of one practice cloud, as one account."""

    client: Client

    def get_model_prefix(self) -> str:
        """What the names of all types begin with."""
        return "practice_"

    def full_name(self) -> str:
        """The address of the provider."""
        return FULL_NAME

    def get_provider_schema(self, diags: Diagnostics) -> Schema:
        """Its settings."""
        texts = [
            Attribute(name, String(), optional=True, sensitive=name == "token")
            for name in _VARIABLES
        ]
        times = [Attribute(name, Number(), optional=True) for name in _TIMES_S]
        return Schema(attributes=[*texts, *times])

    def validate_config(self, diags: Diagnostics, config: Values) -> None:
        """Nothing can be said before variables are looked at, which `configure_provider` does."""

    def configure_provider(self, diags: Diagnostics, config: Values) -> None:
        """Make the client, and see whether the cloud knows us."""
        unknown = [name for name, value in config.items() if not is_known(value)]
        if unknown:
            says = "Settings of the provider must not come from resources of the same run."
            diags.add_error(f"{unknown[0]} is not known yet", says, path=[unknown[0]])
            return
        said = {
            name: config.get(name) or os.environ.get(variable, "")
            for name, variable in _VARIABLES.items()
        }
        if not said["endpoint"].startswith(("http://", "https://")):
            says = "Set endpoint, or the variable PRACTICE_ENDPOINT, to an http:// or https:// URL."
            diags.add_error("No endpoint of a practice cloud", says)
            return
        try:
            self.client = Client(
                said["endpoint"],
                _authorization(said),
                region=said["region"],
                **{name: config.get(name) or usual for name, usual in _TIMES_S.items()},
            )
            self.client.check()
        except Refused as refused:
            diags.add_error(f"The practice cloud cannot be used: {refused.code}", refused.detail)

    def stop(self) -> None:
        """Wait for nothing any more."""
        if hasattr(self, "client"):
            self.client.stop()

    def get_data_sources(self) -> list[type[DataSource]]:
        """One for everything."""
        return [PracticeItem]

    def get_resources(self) -> list[type[Resource]]:
        """One for each kind."""
        return [resource_class(kind) for kind in kinds().values()]


def _authorization(said: dict[str, str]) -> str:
    if said["token"]:
        return f"Bearer {said['token']}"
    if not said["user"] or not said["password_file"]:
        detail = "Set token, or user and password_file (or PRACTICE_TOKEN, PRACTICE_USER, ...)."
        raise Refused("NoCredentials", detail)
    try:
        lines = Path(said["password_file"]).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise Refused("NoCredentials", f"password_file cannot be read: {exc}") from exc
    return basic(said["user"], lines[0].strip() if lines else "")
