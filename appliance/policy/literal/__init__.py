"""The literal policy: does what English and Chinese console prose says, without a model."""

from appliance.policy.literal.policy import LiteralPolicy
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.purpose import asks_for_change, does_something
from appliance.policy.literal.read.reading import read_procedure
from appliance.policy.literal.read.stated import stated_claims

__all__ = [
    "Intent",
    "IntentKind",
    "LiteralPolicy",
    "Place",
    "asks_for_change",
    "does_something",
    "read_procedure",
    "stated_claims",
]
