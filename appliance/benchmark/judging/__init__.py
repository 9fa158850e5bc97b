"""Attempts of which it is known whether they reached the goal, and who says so of them."""
