"""What a model answered about claims: nobody asks the same of the same page again."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from appliance.store.rows import clean
from appliance.store.tables import Tables
from appliance.store.times import as_stored

_MOST = 200_000
"""Answers that are kept; the oldest give way. Some 300 bytes each."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One answer."""

    said: str
    quote: str


class ClaimAnswerTable(Tables):
    """The table `claim_answers`; a key stands for claim, page, model and way of asking."""

    about = "answers about claims"

    def get(self, keys: Iterable[str]) -> dict[str, KeptAnswer]:
        """What is known of those keys."""
        rows = self._read(
            "SELECT key, said, quote FROM claim_answers WHERE key IN (SELECT unnest(?::VARCHAR[]))",
            [sorted(keys)],
        )
        return {key: KeptAnswer(word, quote) for key, word, quote in rows}

    def put(self, answers: Mapping[str, KeptAnswer]) -> None:
        """Keep answers; one that is there already is taken as the newer one says."""
        when = as_stored(datetime.now(UTC))
        rows = [[key, answer.said, clean(answer.quote), when] for key, answer in answers.items()]
        if not rows:
            return
        with self._session.transaction("keeping answers about claims") as connection:
            connection.executemany("INSERT OR REPLACE INTO claim_answers VALUES (?, ?, ?, ?)", rows)
            connection.execute(
                "DELETE FROM claim_answers WHERE key IN (SELECT key FROM claim_answers"
                " ORDER BY answered_at DESC, key OFFSET ?)",
                [_MOST],
            )
