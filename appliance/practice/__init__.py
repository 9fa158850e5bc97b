"""The practice cloud: a small console with a REST API, an audit log, releases and drift.

Products, releases and drift are data; console, API and audit log derive from them.
"""
