"""How long, how costly and how complete one look at a page is."""
