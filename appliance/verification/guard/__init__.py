"""What an attempt may not do: delete, pay, change log-ins or existing things on a guess."""

from appliance.verification.guard.guard import Guard
from appliance.verification.guard.harm_record import HarmRecord
from appliance.verification.guard.hazard import Ruling

__all__ = ["Guard", "HarmRecord", "Ruling"]
