"""The recipes of a console: looked up, learnt from verified attempts, and forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from appliance.core.procedure import Procedure, text_hash
from appliance.policy.base import Task
from appliance.policy.replay.compiling import NotCompiledError, RecordedTurn, compile_recipe
from appliance.policy.replay.recipe import Recipe
from appliance.store.recipes import RecipeTable

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Recipes:
    """The recipes of one console. Calls block for the store."""

    table: RecipeTable
    console: str

    def fitting(self, procedure: Procedure, locale: str, region: str = "") -> Recipe | None:
        """The recipe for exactly this text and its checks, if there is one."""
        row = self.table.get(self.console, procedure.id, text_hash(procedure), locale, region)
        return Recipe.from_json(row.text) if row else None

    def learn(
        self, task: Task, turns: Sequence[RecordedTurn], *, locale: str, tier: str, region: str = ""
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
            recipe = compile_recipe(task, turns, locale=locale, tier=tier)
        except NotCompiledError as exc:
            _log.info("no_recipe", procedure=task.procedure.id, why=str(exc))
            self.forget(task.procedure, locale, region)
        else:
            procedure_id, procedure_hash = recipe.procedure_id, recipe.text_hash
            self.table.put(
                self.console, procedure_id, procedure_hash, locale, region, recipe.to_json()
            )

    def forget(self, procedure: Procedure, locale: str, region: str = "") -> None:
        """Delete the recipe after a failed replay; the next verified attempt makes another."""
        self.table.forget(self.console, procedure.id, locale, region)
