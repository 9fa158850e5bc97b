"""The results store: DuckDB for what is asked, a content-addressed folder for what is looked at."""
