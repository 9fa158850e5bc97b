"""Accounts, resources and clean-up: provision, execute, recover, destroy."""
