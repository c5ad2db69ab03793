"""What admins look for and do: one module a resource."""
