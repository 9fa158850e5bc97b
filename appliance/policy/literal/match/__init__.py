"""Matches what the text names with what is on the page."""
