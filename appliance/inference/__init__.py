"""Asks a model behind an OpenAI-compatible endpoint."""

from appliance.inference.answers import Answer, Message, Schema, Served, image_part
from appliance.inference.client import ModelClient

__all__ = ["Answer", "Message", "ModelClient", "Schema", "Served", "image_part"]
