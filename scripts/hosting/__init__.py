"""The appliance's container, from the host."""
