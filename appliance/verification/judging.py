"""Puts an attempt before the judges: what was done and seen, never what the policy thought."""

from appliance.config.model_settings import JudgeSettings
from appliance.core.procedure import Procedure
from appliance.verification.channels import Judge
from appliance.verification.kit import Kit


def judge_of(kit: Kit, settings: JudgeSettings, procedure: Procedure) -> Judge | None:
    """Whoever judges attempts of a procedure; None: there is no model, or nobody is wanted."""
    if kit.model is None or settings.count == 0:
        return None
    return None
