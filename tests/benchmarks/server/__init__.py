"""How quick the service is over a full store, while a sweep writes."""
