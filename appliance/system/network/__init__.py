"""How this machine speaks with others: whom it trusts, as whom, and through which proxy."""
