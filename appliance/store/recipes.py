"""Recipes: verified attempts that are done again without a reader."""

from dataclasses import dataclass
from datetime import UTC, datetime

from appliance.store.tables import Tables
from appliance.store.times import as_known, as_stored

_FORGET = "DELETE FROM recipes WHERE console = ? AND procedure_id = ? AND locale = ? AND region = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRecipe:
    """A recipe as it is kept: what is in it, `policy.replay` knows."""

    text: str
    made_at: datetime


class RecipeTable(Tables):
    """The table `recipes`: one a procedure, console, language and region."""

    about = "recipes"

    def get(
        self, console: str, procedure_id: str, text_hash: str, locale: str, region: str = ""
    ) -> KeptRecipe | None:
        """The recipe for exactly that text."""
        rows = self._read(
            "SELECT recipe, made_at FROM recipes WHERE console = ? AND procedure_id = ?"
            " AND text_hash = ? AND locale = ? AND region = ?",
            [console, procedure_id, text_hash, locale, region],
        )
        return KeptRecipe(text=rows[0][0], made_at=as_known(rows[0][1])) if rows else None

    def put(
        self,
        console: str,
        procedure_id: str,
        text_hash: str,
        locale: str,
        region: str,
        recipe: str,
    ) -> None:
        """Keep a recipe in place of what was kept for the procedure, whatever its text was."""
        when = as_stored(datetime.now(UTC))
        with self._session.transaction("saving a recipe") as connection:
            connection.execute(_FORGET, [console, procedure_id, locale, region])
            connection.execute(
                "INSERT INTO recipes VALUES (?, ?, ?, ?, ?, ?, ?)",
                [console, procedure_id, text_hash, locale, region, recipe, when],
            )

    def forget(self, console: str, procedure_id: str, locale: str, region: str = "") -> None:
        """It failed, or belongs to a text that is no more."""
        self._write(_FORGET, [console, procedure_id, locale, region])
