"""API keys: made, recognised, revoked."""


class Keys:
    """The keys of a store."""
