"""Asks a model about claims that nobody could check: what it says of them, held to the pages."""
