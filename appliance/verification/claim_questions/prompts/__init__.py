"""The words that a model is asked with about claims, in English and Chinese."""

from appliance.inference.prompts import Prompts

VERSION = "claims-2"
"""Of both languages together: an answer to other words is another answer."""
render = Prompts("appliance.verification.claim_questions").render
