"""Types, events, errors and the clock. Imports nothing of ours."""
