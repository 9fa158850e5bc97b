"""Carries out one kind of instruction each."""
