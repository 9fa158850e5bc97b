"""Accounts, resources, sandbox and lifecycle: a later issue builds them."""
