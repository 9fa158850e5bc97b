"""Several models judge whether the goal was reached; they count where all of them agree."""

from appliance.outcome.judges.case import JudgedCase, JudgedTurn, JudgeOpinion, PanelDecision
from appliance.outcome.judges.judges import Judges

__all__ = ["JudgeOpinion", "JudgedCase", "JudgedTurn", "Judges", "PanelDecision"]
