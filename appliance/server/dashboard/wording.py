"""The words of the dashboard: its own texts, and those that it shares with the reports."""

from functools import cache

from appliance.reports import Language, Words, load_catalogue

__all__ = ["Language", "Words", "words_in"]


@cache
def words_in(language: Language) -> Words:
    """The texts of the dashboard in one language."""
    catalogue = load_catalogue("appliance.reports", "appliance.server.dashboard")
    return Words(language, catalogue[language])
