"""What stands between the program and the machine; it knows the core only."""
