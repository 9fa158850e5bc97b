"""Procedures, documents, findings, verifications, results."""

from appliance.server.dashboard.wording._catalogue import Catalogue

WORDS: Catalogue = {}
