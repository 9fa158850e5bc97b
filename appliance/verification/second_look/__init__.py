"""A second look at the console's own pages, where no API tells what an attempt made or deleted."""

from appliance.verification.second_look.cleaning import CleanUp, clean_up, left
from appliance.verification.second_look.done import done_in
from appliance.verification.second_look.looking import look_again
from appliance.verification.second_look.removing import deletes_such
from appliance.verification.second_look.witness import SecondLook, witness

__all__ = [
    "CleanUp",
    "SecondLook",
    "clean_up",
    "deletes_such",
    "done_in",
    "left",
    "look_again",
    "witness",
]
