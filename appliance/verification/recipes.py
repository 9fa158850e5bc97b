"""Recipes of a console: found for a procedure, made of verified attempts, forgotten."""

from dataclasses import dataclass

import structlog

from appliance.core.procedure import Procedure
from appliance.core.text_hash import text_hash
from appliance.policy.base import Task
from appliance.policy.replay import Looked, NotCompiledError, Recipe, compiled
from appliance.store.recipes import RecipeTable
from appliance.verification.trajectory import Trajectory

_log = structlog.get_logger()


def compile_recipe(task: Task, trajectory: Trajectory, *, locale: str, tier: str) -> Recipe | None:
    """The recipe of an attempt that verified its procedure.

    Args:
        task: What was done, with the values bound and made up for it.
        trajectory: How it went.
        locale: Language of the console.
        tier: Name of the policy that chose the actions.

    Returns:
        None where it cannot be done again without a reader: a step went otherwise than written, a
        secret was typed, what was used was like another thing on its page.
    """
    turns = [Looked(t.view, t.decision, t.performed) for t in trajectory.turns]
    try:
        return compiled(task, turns, locale=locale, tier=tier)
    except NotCompiledError as exc:
        _log.info("no_recipe", procedure=task.procedure.id, why=str(exc))
        return None


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
        self, task: Task, trajectory: Trajectory, *, locale: str, tier: str, region: str = ""
    ) -> bool:
        """Keep an attempt whose verdict was `verified`, in place of what was kept before.

        Returns:
            False where it makes no recipe: then none is kept.
        """
        recipe = compile_recipe(task, trajectory, locale=locale, tier=tier)
        if recipe is None:
            self.forget(task.procedure, locale, region)
        else:
            of, text = recipe.procedure_id, recipe.text_hash
            self.table.put(self.console, of, text, locale, region, recipe.to_json())
        return recipe is not None

    def forget(self, procedure: Procedure, locale: str, region: str = "") -> None:
        """It failed: the next verified attempt makes another."""
        self.table.forget(self.console, procedure.id, locale, region)
