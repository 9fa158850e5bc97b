"""Addresses of our own Terraform providers."""

PRACTICE_PROVIDER = "practice.appliance.local/appliance/practice"
"""The practice cloud's. No registry has it: it is put into a mirror of files."""
