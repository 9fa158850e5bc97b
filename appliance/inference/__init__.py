"""Asks a model behind an OpenAI-compatible endpoint."""

from appliance.inference.client import Answer, ModelClient

__all__ = ["Answer", "ModelClient"]
