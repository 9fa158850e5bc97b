"""A second look at the console's own pages, where no API tells what an attempt made or deleted."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.verification.second_look.cleaning import CleanUp, clean_up, leave_all
    from appliance.verification.second_look.done import done_in
    from appliance.verification.second_look.looking import look_again
    from appliance.verification.second_look.removing import deleting_procedures
    from appliance.verification.second_look.witness import SecondLook, witness
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "CleanUp",
    "SecondLook",
    "clean_up",
    "deleting_procedures",
    "done_in",
    "leave_all",
    "look_again",
    "witness",
]
