"""What an attempt may not do: delete, pay, change log-ins or existing things on a guess."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.verification.guard.guard import Guard
    from appliance.verification.guard.harm_record import HarmRecord
    from appliance.verification.guard.hazard import Ruling
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = ["Guard", "HarmRecord", "Ruling"]
