"""Console Docs Appliance: finds the sentences of console documentation that are untrue."""

__version__ = "0.1.0"
