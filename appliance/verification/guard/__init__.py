"""What an attempt may not do: delete, pay, change log-ins or existing things on a guess."""

from appliance.verification.guard.done import HarmRecord
from appliance.verification.guard.guard import Guard, Ruling

__all__ = ["Guard", "HarmRecord", "Ruling"]
