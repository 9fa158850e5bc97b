"""Carries out runs: whatever is to be verified, whoever asks, whatever happens to the process."""
