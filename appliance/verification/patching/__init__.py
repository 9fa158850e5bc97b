"""What findings change in documents, and whether the procedure then holds."""
