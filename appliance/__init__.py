"""Console Docs Appliance: finds the sentences of cloud-console documentation that are no longer true."""

__version__ = "0.1.0"
