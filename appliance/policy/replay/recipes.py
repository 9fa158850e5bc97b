"""Recipes of a console: found for a procedure, made of verified attempts, forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from appliance.core.procedure import Procedure, text_hash
from appliance.policy.base import Task
from appliance.policy.replay.compiling import Looked, NotCompiledError, compiled
from appliance.policy.replay.recipe import Recipe
from appliance.store.recipes import RecipeTable

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Recipes:
    """The recipes of one console. Calls block for the store."""

    table: RecipeTable
    console: str

    def fitting(self, procedure: Procedure, locale: str, region: str = "") -> Recipe | None:
        """The recipe for exactly this text, its checks included."""
        kept = self.table.get(self.console, procedure.id, text_hash(procedure), locale, region)
        return Recipe.from_json(kept.text) if kept else None

    def learn(
        self, task: Task, turns: Sequence[Looked], *, locale: str, tier: str, region: str = ""
    ) -> None:
        """Keep an attempt whose verdict was `verified`, in place of what was kept before.

        None is kept where it cannot be done again without a reader: a step went otherwise than
        written, a secret was typed, what was used was like another thing on its page.

        Args:
            task: What was done, with the values bound and made up for it.
            turns: How it went.
            locale: Language of the console.
            tier: Name of the policy that chose the actions.
            region: Of the account.
        """
        try:
            recipe = compiled(task, turns, locale=locale, tier=tier)
        except NotCompiledError as exc:
            _log.info("no_recipe", procedure=task.procedure.id, why=str(exc))
            self.forget(task.procedure, locale, region)
        else:
            of, text = recipe.procedure_id, recipe.text_hash
            self.table.put(self.console, of, text, locale, region, recipe.to_json())

    def forget(self, procedure: Procedure, locale: str, region: str = "") -> None:
        """It failed: the next verified attempt makes another."""
        self.table.forget(self.console, procedure.id, locale, region)
