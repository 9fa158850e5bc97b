"""Audit rules proposed, for a person to accept."""

from appliance.outcome.drafting.asking import ask_for_rules
from appliance.outcome.drafting.draft import Draft
from appliance.outcome.drafting.events import Typed, draft_from_events

__all__ = ["Draft", "Typed", "ask_for_rules", "draft_from_events"]
