"""What the patterns of a language tell; `_english.py` and `_chinese.py` have them.

Patterns are written in the notation of `_mentions.py`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The patterns of one language."""

    existing: tuple[re.Pattern[str], ...]
    """Something is done with a thing that is there; its last group is the thing."""
    in_titles: re.Pattern[str]
    """As `existing`, for a title."""
    in_prerequisites: re.Pattern[str]
    """Any thing that a prerequisite speaks of."""
    made: re.Pattern[str]
    """A `thing` is made; by which `verb`."""
    made_for_sure: frozenset[str]
    """With other verbs ("add the user to a group"), selecting the thing shows that it is there."""
    fresh: re.Pattern[str]
    """A thing that is to be made."""
    field: re.Pattern[str]
    """The label of a field that something existing is chosen or named in."""
    filled: re.Pattern[str]
    """As `field`, where only the label says what is chosen."""
    left_alone: re.Pattern[str]
    """A field that is not filled in."""
    negation: re.Pattern[str]
    condition: re.Pattern[str]
    """A sentence begins with a condition."""
    elsewhere: re.Pattern[str]
    """A sentence that points to another page."""
    possible: re.Pattern[str]
    """What one could do as well."""
    rights: re.Pattern[str]
    """A prerequisite that is no thing in the account."""
    clause: re.Pattern[str]
    """What parts clauses."""
    sure: re.Pattern[str]
    """The reader is told to see to something first."""
    changes: re.Pattern[str]
    """The label of a button that changes a state."""
    removes: re.Pattern[str]
    """The label of a button that takes something out of something."""
    states: Mapping[re.Pattern[str], tuple[str, ...]]
    """By what a title or a button does: states before it, of which a thing has one."""
    state_words: Mapping[str, tuple[str, ...]]
    """What states are called, where it is not their own name."""

    def words_for(self, state: str) -> tuple[str, ...]:
        """What documents call a state."""
        return self.state_words.get(state, (state.replace("-", " "), state))
