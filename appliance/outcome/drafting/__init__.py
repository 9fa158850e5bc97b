"""Audit rules proposed, for a person to accept."""

from appliance.outcome.drafting.events import ChecksDraft, TypedValue, draft_from_events
from appliance.outcome.drafting.model_draft import ask_for_rules

__all__ = ["ChecksDraft", "TypedValue", "ask_for_rules", "draft_from_events"]
