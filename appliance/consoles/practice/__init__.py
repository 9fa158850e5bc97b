"""The practice cloud."""
