"""Tells receivers elsewhere what happened."""
