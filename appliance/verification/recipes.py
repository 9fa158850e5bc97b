"""Recipes of a console: found for a procedure, made of verified attempts, forgotten."""

from dataclasses import dataclass

from appliance.core.procedure import Procedure
from appliance.policy import Task
from appliance.policy.replay import Recipe
from appliance.store.recipes import RecipeTable
from appliance.verification.trajectory import Trajectory


def compile_recipe(task: Task, trajectory: Trajectory, *, locale: str, tier: str) -> Recipe | None:
    """The recipe of an attempt that verified its procedure.

    Args:
        task: What was done, with the values bound and made up for it.
        trajectory: How it went.
        locale: Language of the console.
        tier: Name of the policy that chose the actions.

    Returns:
        None where it cannot be done again without a reader: a step went otherwise than written, a
        secret was typed, a page could not be told from another.
    """
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Recipes:
    """The recipes of one console. Calls block for the store."""

    table: RecipeTable
    console: str

    def fitting(self, procedure: Procedure, locale: str) -> Recipe | None:
        """The recipe for exactly this text, its checks included."""
        raise NotImplementedError

    def learn(self, task: Task, trajectory: Trajectory, *, locale: str, tier: str) -> bool:
        """Keep an attempt whose verdict was `verified`; False where it makes no recipe."""
        raise NotImplementedError

    def forget(self, procedure: Procedure, locale: str) -> None:
        """It failed: the next verified attempt makes another."""
        raise NotImplementedError
