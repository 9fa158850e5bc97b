"""Audit rules proposed, for a person to accept."""

from appliance.outcome.drafting.draft import ChecksDraft
from appliance.outcome.drafting.events import TypedValue, draft_from_events
from appliance.outcome.drafting.model_draft import ask_for_rules

__all__ = ["ChecksDraft", "TypedValue", "ask_for_rules", "draft_from_events"]
