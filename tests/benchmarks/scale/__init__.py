"""The appliance at the size of a large cloud's documentation."""
