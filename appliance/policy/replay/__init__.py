"""A verified attempt again, without a model, as long as every page is what it was then."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.policy.replay.compiling import NotCompiledError, RecordedTurn, compile_recipe
    from appliance.policy.replay.policy import ReplayPolicy
    from appliance.policy.replay.recipe import Recipe
    from appliance.policy.replay.recipes import Recipes
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "NotCompiledError",
    "Recipe",
    "Recipes",
    "RecordedTurn",
    "ReplayPolicy",
    "compile_recipe",
]
