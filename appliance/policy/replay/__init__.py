"""A verified attempt again, without a model, as long as every page is what it was then."""

from appliance.policy.replay.compiling import Looked, NotCompiledError, compiled
from appliance.policy.replay.policy import ReplayPolicy
from appliance.policy.replay.recipe import Recipe
from appliance.policy.replay.recipes import Recipes

__all__ = ["Looked", "NotCompiledError", "Recipe", "Recipes", "ReplayPolicy", "compiled"]
