"""The words that judges are asked with, in English and Chinese."""

from appliance.inference.prompts import Prompts

render = Prompts("appliance.outcome.judges").render
