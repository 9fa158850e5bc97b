"""Audit rules proposed, for a person to accept."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.outcome.drafting.events import ChecksDraft, TypedValue, draft_from_events
    from appliance.outcome.drafting.model_draft import ask_for_rules
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = ["ChecksDraft", "TypedValue", "ask_for_rules", "draft_from_events"]
