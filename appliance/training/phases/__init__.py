"""Training in phases: attempts, tasks made of what failed, an update, and whether it is better."""
