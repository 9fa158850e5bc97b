"""Asks the judges, and says what they say together."""

from appliance.config.model_settings import JudgeSettings
from appliance.core.result import ChannelResult
from appliance.core.verdict import GoalChannel
from appliance.inference import ModelClient
from appliance.outcome.judges.case import Judged, JudgedCase


class Judges:
    """Models that judge whether the goal of an attempt was reached."""

    def __init__(self, client: ModelClient, settings: JudgeSettings, language: str = "") -> None:
        """Judges.

        Args:
            client: Whom to ask.
            settings: `judges`.
            language: Of their prompts; empty: that of each case.
        """
        self._client, self._settings, self._language = client, settings, language

    async def judge(self, case: JudgedCase) -> Judged:
        """Whether the goal was reached: unanimous, or undecided. It never raises."""
        channel = ChannelResult(
            channel=GoalChannel.JUDGES, reached=None, reason="no judge was asked"
        )
        return Judged(channel=channel)
