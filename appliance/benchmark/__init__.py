"""Benchmarks: known truths, and how far what was found agrees with them."""
