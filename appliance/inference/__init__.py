"""Models: so far those behind an OpenAI-compatible endpoint."""
