"""Any console that has no adapter of its own, however one logs in to it."""
