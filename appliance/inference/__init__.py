"""Asks a model behind an OpenAI-compatible endpoint."""
