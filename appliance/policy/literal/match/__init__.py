"""From a name in the text to what is on the page."""
