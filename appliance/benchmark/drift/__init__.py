"""Random drift of the practice cloud, and what it makes untrue in the bundled documentation."""
