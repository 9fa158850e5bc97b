"""The choice of the next action."""
