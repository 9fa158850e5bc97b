"""Any console with a log-in form."""
