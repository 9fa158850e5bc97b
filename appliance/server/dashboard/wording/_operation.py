"""Words of these pages."""

from appliance.server.dashboard.wording._catalogue import Catalogue

WORDS: Catalogue = {}
