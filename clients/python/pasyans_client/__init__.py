"""A typed client of the Pasyans HTTP API; it imports nothing of the service."""
