"""The words of the dashboard, in English and Chinese: one catalogue, each entry in both."""

from appliance.server.dashboard.wording._activity import WORDS as _ACTIVITY
from appliance.server.dashboard.wording._catalogue import Catalogue, Language, Pair, Words, merged
from appliance.server.dashboard.wording._domain import WORDS as _DOMAIN
from appliance.server.dashboard.wording._frame import WORDS as _FRAME
from appliance.server.dashboard.wording._keys import WORDS as _KEYS
from appliance.server.dashboard.wording._learning import WORDS as _LEARNING
from appliance.server.dashboard.wording._operation import WORDS as _OPERATION
from appliance.server.dashboard.wording._overview import WORDS as _OVERVIEW
from appliance.server.dashboard.wording._questions import WORDS as _QUESTIONS
from appliance.server.dashboard.wording._runs import WORDS as _RUNS
from appliance.server.dashboard.wording._work import WORDS as _WORK

CATALOGUE: Catalogue = merged(
    _DOMAIN, _FRAME, _OVERVIEW, _RUNS, _QUESTIONS, _OPERATION, _LEARNING, _KEYS, _ACTIVITY, _WORK
)
"""All of them, by key."""

ENGLISH = Words("en", CATALOGUE)
CHINESE = Words("zh", CATALOGUE)

__all__ = ["CATALOGUE", "CHINESE", "ENGLISH", "Catalogue", "Language", "Pair", "Words"]
