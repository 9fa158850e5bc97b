"""What goes into the API and comes out of it, as JSON."""
