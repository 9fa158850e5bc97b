"""Where configurations run that a model has written."""
