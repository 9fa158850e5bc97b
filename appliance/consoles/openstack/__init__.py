"""OpenStack Horizon and the cloud behind it."""
