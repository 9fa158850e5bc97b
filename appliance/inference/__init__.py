"""Asks a model behind an OpenAI-compatible endpoint."""

from appliance.inference.answers import IMAGE_TOKENS, Answer, Message, Schema, Served, image_part
from appliance.inference.client import ModelClient

__all__ = ["IMAGE_TOKENS", "Answer", "Message", "ModelClient", "Schema", "Served", "image_part"]
