"""Actions, as a person at mouse and keyboard does them."""
