"""The modules of the practice cloud, as files: made of its provider's schema."""
