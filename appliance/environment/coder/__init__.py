"""Terraform written by a model for what no resource module provides."""
