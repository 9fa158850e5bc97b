"""Several models judge whether the goal was reached; they count where all of them agree."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.outcome.judges.case import JudgedCase, JudgedTurn, JudgeOpinion, PanelDecision
    from appliance.outcome.judges.judges import Judges
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = ["JudgeOpinion", "JudgedCase", "JudgedTurn", "Judges", "PanelDecision"]
