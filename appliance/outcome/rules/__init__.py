"""Audit rules against the events of an attempt: binding, fitting, searching, saying."""
