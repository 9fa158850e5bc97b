"""HTTP: REST and the dashboard."""
