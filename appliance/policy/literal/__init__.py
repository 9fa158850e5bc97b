"""The literal policy: does what English and Chinese console prose says, without a model."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.policy.literal.act.files import file_named
    from appliance.policy.literal.act.interruptions import puts_off
    from appliance.policy.literal.match.grounding import (
        in_row,
        is_in_several_rows,
        is_search,
        match_clickable,
        match_field,
        text_containing,
    )
    from appliance.policy.literal.match.pages import is_unchanged
    from appliance.policy.literal.policy import LiteralPolicy
    from appliance.policy.literal.read.beginning import beginning_names
    from appliance.policy.literal.read.intents import Intent, IntentKind, Place
    from appliance.policy.literal.read.masking import span_of
    from appliance.policy.literal.read.purpose import asks_for_change, does_something
    from appliance.policy.literal.read.reading import read_procedure
    from appliance.policy.literal.read.stated import stated_claims
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "Intent",
    "IntentKind",
    "LiteralPolicy",
    "Place",
    "asks_for_change",
    "beginning_names",
    "does_something",
    "file_named",
    "in_row",
    "is_in_several_rows",
    "is_search",
    "is_unchanged",
    "match_clickable",
    "match_field",
    "puts_off",
    "read_procedure",
    "span_of",
    "stated_claims",
    "text_containing",
]
