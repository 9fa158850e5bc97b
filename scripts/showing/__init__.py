"""What is shown: the demo, and pictures of every page."""
