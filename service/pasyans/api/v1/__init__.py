"""Version 1 of the API: one module a resource."""
