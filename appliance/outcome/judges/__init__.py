"""Several models judge whether the goal was reached; they count where all of them agree."""

from appliance.outcome.judges.case import Judged, JudgedCase, JudgedTurn, Opinion
from appliance.outcome.judges.judges import Judges

__all__ = ["Judged", "JudgedCase", "JudgedTurn", "Judges", "Opinion"]
